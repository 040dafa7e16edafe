#include "ui/render/arithmetic_setting.h"

#include "ui/render/arithmetic_tree.h"
#include "ui/render/subscripts.h"
#include "ui/render/text_reach.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

using AtomKind = ArithmeticAtom::Kind;

/// Sizes of type beside that of the line.
constexpr double fraction_share = 0.88, index_share = 0.72;
/// Brackets around what is so much higher than type are higher, too.
constexpr double high_share = 1.15;

/// Pieces around the start of their baseline.
struct SetBox {
    double width = 0;
    double ascent = 0, descent = 0;  ///< of the ink
    std::vector<SetPiece> pieces;

    /// `other` with its baseline `down` below that of this box; it may stand within the width.
    void place(const SetBox& other, double x, double down = 0) {
        for (SetPiece piece : other.pieces) {
            piece.at += QPointF(x, down);
            piece.stroke.translate(x, down);
            pieces.push_back(std::move(piece));
        }
        width = std::max(width, x + other.width);
        ascent = std::max(ascent, other.ascent - down);
        descent = std::max(descent, other.descent + down);
    }
    void append(const SetBox& other) { place(other, width); }
};

/// What the bar of a fraction or a root holds together needs no brackets.
const ArithmeticRow& without_brackets(const ArithmeticRow& row) {
    const bool is_bracket = row.size() == 1 && row.front().atoms.size() == 1 &&
                            row.front().atoms.front().kind == AtomKind::brackets &&
                            row.front().atoms.front().text == QLatin1String("()");
    return is_bracket ? row.front().atoms.front().inside : row;
}

/// Type in one size, and the boxes that are made of it.
class ArithmeticType {
public:
    explicit ArithmeticType(QFont font) : font_(std::move(font)), metrics_(font_), reach_(font_) {}

    const QFontMetricsF& metrics() const { return metrics_; }

    SetBox plain(const QString& text) const {
        SetBox box;
        if (text.isEmpty())
            return box;
        const TextReach reach = reach_.of(text);
        box.width = reach.width;
        box.ascent = reach.ascent;
        box.descent = reach.descent;
        box.pieces.push_back({text, font_, {}, {}, 1});
        return box;
    }

    SetBox run(const QString& text) const {
        SetBox box;
        for (const TextLevel& level : text_levels(text))
            if (level.is_lowered)
                box.place(sized(index_share).plain(level.text), box.width, 0.25 * metrics_.xHeight());
            else
                box.append(plain(level.text));
        return box;
    }

    SetBox row(const ArithmeticRow& row) const {
        SetBox box;
        for (const ArithmeticFactor& each : row) {
            box.append(plain(each.joint));
            box.append(factor(each));
        }
        return box;
    }

    SetBox factor(const ArithmeticFactor& factor) const {
        SetBox box;
        for (const ArithmeticAtom& each : factor.atoms)
            add(box, each);
        return box;
    }

    SetBox bracket(QChar sign, const SetBox& inside) const {
        const double height = inside.ascent + inside.descent;
        const double share = height / (metrics_.ascent() + metrics_.descent());
        if (share <= high_share)
            return plain(sign);
        const SetBox high = sized(share).plain(sign);
        SetBox box;
        box.place(high, 0, (inside.descent - inside.ascent - high.descent + high.ascent) / 2);
        return box;
    }

private:
    ArithmeticType sized(double share) const {
        QFont font = font_;
        font.setPixelSize(std::max(1, qRound(share * QFontInfo(font_).pixelSize())));
        ArithmeticType type(font);
        type.is_in_fraction_ = is_in_fraction_;
        return type;
    }
    double weight() const { return std::max(1.0, metrics_.lineWidth()); }

    void add(SetBox& box, const ArithmeticAtom& atom) const {
        switch (atom.kind) {
        case AtomKind::run:
            return box.append(run(atom.text));
        case AtomKind::brackets: {
            const SetBox inside = row(atom.inside);
            box.append(bracket(atom.text.front(), inside));
            box.append(inside);
            return box.append(bracket(atom.text.back(), inside));
        }
        case AtomKind::root:
            return box.append(root(row(without_brackets(atom.inside))));
        case AtomKind::power:
            return box.place(sized(index_share).row(without_brackets(atom.inside)), box.width,
                             -0.8 * metrics_.xHeight());
        case AtomKind::fraction:
            return box.append(fraction(atom));
        }
    }

    SetBox root(const SetBox& inside) const {
        const double em = metrics_.xHeight() * 2, gap = 2 * weight();
        const double top = -std::max(inside.ascent, metrics_.capHeight()) - gap;
        const double bottom = inside.descent;
        SetBox box;
        box.pieces.push_back({{},
                              font_,
                              {},
                              QPolygonF(QList<QPointF>{{0.1 * em, -0.3 * em},
                                                       {0.22 * em, -0.38 * em},
                                                       {0.38 * em, bottom},
                                                       {0.6 * em, top},
                                                       {0.65 * em + inside.width, top}}),
                              weight()});
        box.place(inside, 0.65 * em);
        box.width += 0.1 * em;
        box.ascent = std::max(box.ascent, -top + weight());
        return box;
    }

    /// One fraction within another is written with a stroke: its type would be too small.
    SetBox fraction(const ArithmeticAtom& atom) const {
        SetBox box;
        if (is_in_fraction_) {
            box.append(row(atom.inside));
            box.append(plain(QStringLiteral(" / ")));
            box.append(row(atom.below));
            return box;
        }
        ArithmeticType small = sized(fraction_share);
        small.is_in_fraction_ = true;
        const SetBox above = small.row(without_brackets(atom.inside));
        const SetBox below = small.row(without_brackets(atom.below));
        const double axis = -0.5 * metrics_.xHeight(), gap = weight() + 0.15 * metrics_.xHeight(),
                     side = 2 * weight();
        const double inside = std::max(above.width, below.width);
        box.place(above, side + (inside - above.width) / 2, axis - gap - above.descent);
        box.place(below, side + (inside - below.width) / 2, axis + gap + below.ascent);
        box.width = inside + 2 * side;
        box.pieces.push_back(
            {{}, font_, {}, QPolygonF(QList<QPointF>{{0, axis}, {box.width, axis}}), weight()});
        return box;
    }

    QFont font_;
    QFontMetricsF metrics_;
    ReachMeasure reach_;
    bool is_in_fraction_ = false;
};

/// What is not broken, and the sign before it, which begins a line that is broken here.
struct SetItem {
    QString joint;
    SetBox box;
};

bool begins_term(const QString& joint) {
    return joint != QStringView(u" × ") && joint != QStringView(u" · ") && joint != QStringView(u" / ");
}

/// A row as what fits into a line each.
class ItemList {
public:
    ItemList(const ArithmeticType& type, double width) : type_(type), width_(width) {}

    void add_row(const ArithmeticRow& row) {
        for (auto first = row.begin(); first != row.end();) {
            const auto end = std::find_if(first + 1, row.end(), [](const ArithmeticFactor& factor) {
                return begins_term(factor.joint);
            });
            ArithmeticRow term(first, end);
            const QString joint = std::exchange(term.front().joint, QString());
            if (SetBox box = type_.row(term); box.width <= width_) {
                push(joint, std::move(box));
            } else {
                term.front().joint = joint;
                for (const ArithmeticFactor& factor : term)
                    add_factor(factor);
            }
            first = end;
        }
    }
    std::vector<SetItem>& items() { return items_; }

private:
    void push(const QString& joint, SetBox box) {
        if (is_glued_ && !items_.empty())
            items_.back().box.append(box);
        else
            items_.push_back({joint, std::move(box)});
        is_glued_ = false;
    }
    void glue(SetBox box) {
        is_glued_ = true;
        push({}, std::move(box));
    }

    void add_factor(const ArithmeticFactor& factor) {
        if (SetBox box = type_.factor(factor); box.width <= width_)
            return push(factor.joint, std::move(box));
        bool is_first = true;
        for (const ArithmeticAtom& atom : factor.atoms) {
            is_glued_ = is_glued_ || !is_first;
            add_atom(is_first ? factor.joint : QString(), atom);
            is_first = false;
        }
    }

    void add_between(const QString& joint, const QString& opening, const ArithmeticRow& row,
                     const QString& closing) {
        push(joint, type_.plain(opening));
        is_glued_ = true;
        add_row(row);
        glue(type_.plain(closing));
    }

    /// The opening bracket stays with what comes first in them and the closing with what comes last. What
    /// has a bar is written without it: a quotient, a root of brackets.
    void add_atom(const QString& joint, const ArithmeticAtom& atom) {
        if (atom.kind == AtomKind::brackets) {
            add_between(joint, atom.text.first(1), atom.inside, atom.text.last(1));
        } else if (atom.kind == AtomKind::root) {
            add_between(joint, QStringLiteral("√("), without_brackets(atom.inside), QStringLiteral(")"));
        } else if (atom.kind == AtomKind::fraction) {
            ArithmeticRow above = atom.inside, below = atom.below;
            above.front().joint = joint;
            below.front().joint = QStringLiteral(" / ");
            add_row(above);
            add_row(below);
        } else {
            ArithmeticFactor alone;
            alone.atoms.push_back(atom);
            push(joint, type_.factor(alone));
        }
    }

    const ArithmeticType& type_;
    double width_;
    std::vector<SetItem> items_;
    bool is_glued_ = false;
};

/// The lines that items make from `lead` on, as boxes from the left edge.
std::vector<SetBox> broken_lines(std::vector<SetItem> items, const ArithmeticType& type, double lead,
                                 double width) {
    const QString comma = QStringLiteral(",");
    std::vector<SetBox> lines;
    double end = 0;  // of the last line
    for (std::size_t i = 0; i < items.size(); ++i) {
        const QString& joint = items[i].joint;
        const bool is_list = joint == QLatin1String(", ");
        const SetBox sign = type.plain(joint);
        // What follows may be a comma, which stays in the line.
        const bool has_comma = i + 1 < items.size() && items[i + 1].joint == QLatin1String(", ");
        const double after = has_comma ? type.metrics().horizontalAdvance(comma) : 0;
        const bool fits = !lines.empty() && end + sign.width + items[i].box.width + after <= width;
        if (fits) {
            lines.back().place(sign, end);
            end += sign.width;
        } else {
            if (is_list && !lines.empty())
                lines.back().place(type.plain(comma), end);
            const SetBox left = type.plain(
                is_list || i == 0 ? QString() : joint.trimmed() + (joint.trimmed().isEmpty() ? "" : " "));
            lines.emplace_back().place(left, lead);
            end = lead + left.width;
        }
        lines.back().place(items[i].box, end);
        end += items[i].box.width;
    }
    return lines;
}

SetLines stacked(const std::vector<SetBox>& lines, const QFontMetricsF& metrics) {
    SetLines set;
    double top = 0, width = 0;
    for (const SetBox& line : lines) {
        const double room = 1;  // between what is higher than type
        const double baseline = top + std::max(metrics.ascent(), line.ascent + room);
        for (SetPiece piece : line.pieces) {
            piece.at += QPointF(0, baseline);
            piece.stroke.translate(0, baseline);
            set.pieces.push_back(std::move(piece));
        }
        set.baselines.push_back(baseline);
        top = baseline + std::max(metrics.descent(), line.descent + room);
        width = std::max(width, line.width);
    }
    set.size = {width, top};
    return set;
}

/// The sides of a line, parted where it has equals signs that stand in no brackets.
std::vector<ArithmeticRow> sides_of(const ArithmeticRow& row) {
    std::vector<ArithmeticRow> sides(1);
    for (const ArithmeticFactor& factor : row) {
        const bool begins = factor.joint == QLatin1String(" = ");
        if (begins)
            sides.emplace_back();
        sides.back().push_back(factor);
        if (begins)
            sides.back().front().joint.clear();
    }
    return sides;
}

}  // namespace

void SetLines::paint(QPainter& painter, QPointF top_left) const {
    painter.save();
    painter.translate(top_left);
    painter.setLayoutDirection(Qt::LeftToRight);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ink = painter.pen().color();
    for (const SetPiece& piece : pieces) {
        if (piece.stroke.isEmpty()) {
            painter.setFont(piece.font);
            painter.drawText(piece.at, piece.text);
            continue;
        }
        painter.setPen(QPen(ink, piece.weight, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        painter.drawPolyline(piece.stroke);
    }
    painter.restore();
}

SetLines set_arithmetic(const QString& expression, const QFont& font, double width) {
    const ArithmeticType type(font);
    const SetBox equals = type.plain(QStringLiteral("= "));
    const std::vector<ArithmeticRow> sides = sides_of(arithmetic_row(expression));
    SetBox whole;
    for (const ArithmeticRow& side : sides) {
        whole.append(type.plain(whole.width > 0 ? QStringLiteral(" = ") : QStringLiteral("= ")));
        whole.append(type.row(side));
    }
    if (whole.width <= width)
        return stacked({whole}, type.metrics());
    std::vector<SetBox> lines;
    for (const ArithmeticRow& side : sides) {
        ItemList list(type, std::max(1.0, width - equals.width));
        list.add_row(side);
        std::vector<SetBox> of_side = broken_lines(std::move(list.items()), type, equals.width, width);
        if (!of_side.empty())
            of_side.front().place(equals, 0);
        std::ranges::move(of_side, std::back_inserter(lines));
    }
    return stacked(lines, type.metrics());
}

SetLines set_words(const QString& text, const QFont& font, double width) {
    const ArithmeticType type(font);
    ItemList list(type, width);
    list.add_row(words_row(text));
    return stacked(broken_lines(std::move(list.items()), type, 0, width), type.metrics());
}

}  // namespace headlight
