#include "ui/render/arithmetic_tree.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace headlight {
namespace {

using AtomKind = ArithmeticAtom::Kind;

constexpr QLatin1String quotient(" / ");

bool joins_product(const QString& joint) {
    return joint == QStringLiteral(" × ") || joint == QStringLiteral(" · ");
}

ArithmeticAtom run_atom(const QString& text) {
    ArithmeticAtom atom;
    atom.text = text;
    return atom;
}

/// Goes down the grammar: row, factor, atom.
class ArithmeticReader {
public:
    explicit ArithmeticReader(QStringView text) : rest_(text) {}

    std::optional<ArithmeticRow> whole() {
        ArithmeticRow row = read_row(QChar());
        return failed_ || !rest_.isEmpty() ? std::nullopt : std::optional(std::move(row));
    }

private:
    static constexpr int most_brackets = 40;

    static QStringView joint_at(QStringView text) {
        static constexpr std::array<QStringView, 8> joints = {u" + ", u" − ", u" × ", u" · ",
                                                              u" / ", u" = ", u", ",  u" "};
        const auto joint =
            std::ranges::find_if(joints, [&](QStringView each) { return text.startsWith(each); });
        return joint == joints.end() ? QStringView() : *joint;
    }
    static QChar closing_of(QChar opening) {
        constexpr QStringView openings = u"([⌊|", closings = u")]⌋|";
        const qsizetype at = openings.indexOf(opening);
        return at < 0 ? QChar() : closings[at];
    }
    bool is_at(QChar sign) const { return !sign.isNull() && rest_.startsWith(sign); }
    bool ends(QChar closing) const {
        return failed_ || rest_.isEmpty() || is_at(closing) || !joint_at(rest_).isEmpty();
    }

    ArithmeticRow read_row(QChar closing) {
        ArithmeticRow row;
        failed_ |= ++depth_ > most_brackets;
        for (QString joint; !failed_;) {
            ArithmeticFactor factor;
            factor.joint = joint;
            while (!ends(closing))
                factor.atoms.push_back(read_atom(factor.atoms.empty(), closing));
            if (joint == quotient && may_be_fraction(row, factor))
                divide(row, std::move(factor));
            else
                row.push_back(std::move(factor));
            if (rest_.isEmpty() || is_at(closing))
                break;
            const QStringView next = joint_at(rest_);
            failed_ |= next.isEmpty();  // a bracket that nothing has opened
            joint = next.toString();
            rest_ = rest_.sliced(next.size());
        }
        --depth_;
        return row;
    }

    /// Where the product begins that a row ends with: a × b / c is (a × b) / c.
    static std::size_t first_of_product(const ArithmeticRow& row) {
        std::size_t first = row.size() - 1;
        while (first > 0 && (joins_product(row[first].joint) || row[first].joint == quotient))
            --first;
        return first;
    }

    /// Not "exponentials / row sum": what stands below would be "row". Nor "row sum × 2 / 3", for "sum" would
    /// stand above without its "row".
    bool may_be_fraction(const ArithmeticRow& row, const ArithmeticFactor& below) const {
        return !row.empty() && !row.back().atoms.empty() && !below.atoms.empty() &&
               row[first_of_product(row)].joint != QLatin1String(" ") && joint_at(rest_) != QStringView(u" ");
    }

    /// All of the product before the sign stands above.
    static void divide(ArithmeticRow& row, ArithmeticFactor below) {
        ArithmeticAtom fraction;
        fraction.kind = AtomKind::fraction;
        const auto begin = row.begin() + static_cast<std::ptrdiff_t>(first_of_product(row));
        fraction.inside.assign(begin, row.end());
        ArithmeticFactor divided;
        divided.joint = std::exchange(fraction.inside.front().joint, QString());
        below.joint.clear();
        fraction.below.push_back(std::move(below));
        divided.atoms.push_back(std::move(fraction));
        row.erase(begin, row.end());
        row.push_back(std::move(divided));
    }

    ArithmeticAtom read_atom(bool is_first, QChar closing) {
        const QChar sign = rest_.front();
        ArithmeticAtom atom;
        if (const QChar closes = closing_of(sign); !closes.isNull()) {
            atom.kind = AtomKind::brackets;
            atom.text = QString(sign) + closes;
            rest_ = rest_.sliced(1);
            atom.inside = read_row(closes);
            failed_ |= !is_at(closes);
            rest_ = failed_ ? rest_ : rest_.sliced(1);
        } else if (sign == u'√' || (sign == u'^' && !is_first)) {
            atom.kind = sign == u'√' ? AtomKind::root : AtomKind::power;
            rest_ = rest_.sliced(1);
            failed_ |= ends(closing);
            if (failed_)
                return atom;
            ArithmeticFactor inside;
            inside.atoms.push_back(read_atom(true, closing));
            atom.inside.push_back(std::move(inside));
        } else {
            atom = run_atom(take_run(closing));
        }
        return atom;
    }

    /// A token in quotes, whatever it has in it, or what goes on to the next sign.
    QString take_run(QChar closing) {
        qsizetype end = 1;
        if (rest_.front() == u'“')
            end = rest_.contains(u'”') ? rest_.indexOf(u'”') + 1 : rest_.size();
        else
            while (end < rest_.size() && joint_at(rest_.sliced(end)).isEmpty() &&
                   !QStringView(u"()[]⌊⌋√^“").contains(rest_[end]) && rest_[end] != closing &&
                   rest_[end] != u'|')
                ++end;
        failed_ |= QStringView(u")]⌋").contains(rest_.front());
        const QString run = rest_.first(end).toString();
        rest_ = rest_.sliced(end);
        return run;
    }

    QStringView rest_;
    int depth_ = 0;
    bool failed_ = false;
};

}  // namespace

ArithmeticRow arithmetic_row(const QString& line) {
    auto row = ArithmeticReader(line).whole();
    return row ? *std::move(row) : words_row(line);
}

ArithmeticRow words_row(const QString& text) {
    ArithmeticRow row;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        ArithmeticFactor factor;
        factor.joint = row.empty() ? QString() : QStringLiteral(" ");
        factor.atoms.push_back(run_atom(word));
        row.push_back(std::move(factor));
    }
    return row;
}

}  // namespace headlight
