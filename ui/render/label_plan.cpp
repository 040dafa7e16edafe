#include "ui/render/label_plan.h"

#include "core/figure/panel_numbers.h"
#include "ui/render/fixed_text.h"
#include "ui/render/panel_shape.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace headlight {

namespace {

constexpr double label_pitch = 1.1;     // ems between the baselines of neighbouring labels
constexpr double closest_pitch = 1.05;  // the same where one would be left out else: letters still keep apart
constexpr double slanted_pitch = 1.6;   // the same across columns whose labels stand at 45 degrees
constexpr double reference = 100;  // size at which ems are measured: the font's rounding does not count there
constexpr double character_spacing = 0.15;  // ems between characters that stand upright side by side
constexpr int last_word_stride = 10;        // where fewer words have room, numbers stand in their place
constexpr double number_spacing = 0.45;     // ems between numbers that stand side by side

/// Between two labels that each need so many rows or columns.
int whole_stride(double wanted) { return std::max(1, static_cast<int>(std::ceil(wanted - 1e-9))); }

/// The smallest step of a ruler that is at least `wanted`.
int nice_stride(double wanted) {
    for (int power = 1;; power *= 10)
        for (const int factor : {1, 2, 5})
            if (factor * power >= wanted - 1e-9 || power > 100'000'000)
                return factor * power;
}

/// The widest number that a row or column has, as digits of the interface font differ in width.
double widest_place(const AxisLabels& axis, Index extent, const TextMeasure& text) {
    double digit = 0;
    for (char16_t each = u'0'; each <= u'9'; ++each)
        digit = std::max(digit, text.width(QString(QChar(each))));
    return digit * static_cast<double>(QString::number(label_number(axis, extent - 1)).size());
}

/// Returns the width of the widest label that is drawn with this stride. `some_strong`: one of them is drawn
/// bold, and which one changes while somebody walks through them. Then all get the room of a bold one, so
/// that the matrix stays where it is.
double widest_label(const AxisLabels& axis, Index extent, bool some_strong, int stride, const QString& family,
                    double em) {
    const TextMeasure upright(em, some_strong ? Face::bold : Face::regular, family),
        italic(em, Face::italic, family);
    if (axis.labels.empty())
        return widest_place(axis, extent, upright);
    std::vector<std::size_t> order;
    for (Index i = 0; i < std::ssize(axis.labels); ++i)
        if (label_shows(axis, i, extent, stride) && !is_hidden(axis, i))
            order.push_back(static_cast<std::size_t>(i));
    // Measuring takes time: of very many labels those with the most bytes, which hardly ever miss the widest.
    const auto measured = order.begin() + std::min<Index>(128, static_cast<Index>(order.size()));
    const auto bytes = [&](std::size_t i) { return axis.labels[i].size(); };
    std::ranges::partial_sort(order, measured, std::greater<>(), bytes);
    double width = 0;
    for (auto i = order.begin(); i != measured; ++i) {
        const bool slants = !some_strong && is_marked(axis, static_cast<Index>(*i));
        width = std::max(width, (slants ? italic : upright).width(QString::fromStdString(axis.labels[*i])));
    }
    return width;
}

double size_that_fits(double cell, const FigureStyle& style, double unit) {
    return std::clamp(std::floor(cell / label_pitch), type_size(style.least_label, unit),
                      type_size(style.label, unit));
}

/// In ems, of an axis of words as of one without any. `some_strong`: as for words; between columns a bold
/// number has the room that keeps numbers apart.
double widest_place(const AxisLabels& axis, Index extent, bool some_strong, const QString& family) {
    const TextMeasure text(reference, some_strong ? Face::bold : Face::regular, family);
    return widest_place(axis, extent, text) / reference;
}

void plan_rows(const Panel& panel, const LabelExtents& extents, const FigureStyle& style,
               const LabelRoom& room, LabelPlan& plan) {
    const double wanted = closest_pitch * plan.size / room.cell_height;
    plan.row_stride = nice_stride(wanted);
    plan.row_apart = whole_stride(wanted);
    plan.rows_by_place =
        has_labels(panel) && !panel.row_axis.labels.empty() && plan.row_stride > last_word_stride;
    // The newest row is always named, and so is a selected one: each in its turn.
    const bool names_any = panel.newest_row || panel.selected_row || panel.kind == Panel::Kind::lines;
    const double widest =
        plan.size * (plan.rows_by_place ? widest_place(panel.row_axis, panel.rows, names_any, style.family)
                                        : extents.rows(names_any ? 1 : plan.row_stride));
    plan.row_width = std::min(widest, room.most_row_width);
    // Lines have their columns on the other side, with as much room.
    const double either = is_lines(panel) ? std::max(widest, extents.columns() * plan.size) : widest;
    plan.row_rest = std::max(0.0, either - room.most_row_width);
}

/// Whether every label is one character.
bool are_characters(const AxisLabels& axis) {
    for (Index at = 0; at < std::ssize(axis.labels); ++at)
        if (!is_character(label_text(axis, at)))
            return false;
    return !axis.labels.empty();
}

void plan_columns(const Panel& panel, const LabelExtents& extents, const FigureStyle& style,
                  const LabelRoom& room, LabelPlan& plan) {
    const double em = plan.size;
    const auto keep_apart = [&](double pitch) {
        plan.column_stride = nice_stride(pitch / room.cell_width);
        plan.column_apart = whole_stride(pitch / room.cell_width);
    };
    plan.columns_by_place = has_labels(panel) && !panel.column_axis.labels.empty() &&
                            nice_stride(closest_pitch * em / room.cell_width) > last_word_stride;
    const double width =
        em * (plan.columns_by_place ? widest_place(panel.column_axis, panel.columns, false, style.family)
                                    : extents.columns());
    if (panel.column_axis.labels.empty() || plan.columns_by_place) {
        keep_apart(width + number_spacing * em);
        plan.column_height = label_pitch * em;
        return;
    }
    if (width + 0.4 * em <= room.cell_width) {
        plan.column_height = label_pitch * em;
        return;
    }
    if (are_characters(panel.column_axis) &&
        width + character_spacing * em <= last_word_stride * room.cell_width) {
        keep_apart(std::max(closest_pitch * em, width + character_spacing * em));
        plan.column_height = label_pitch * em;
        return;
    }
    plan.column_angle = room.slanted && room.cell_width >= slanted_pitch * em ? 45 : 90;
    keep_apart(closest_pitch * em);
    const double longest = extents.columns(panel.selected_column ? 1 : plan.column_stride) * em,
                 length = std::min(longest, room.most_column_height);
    plan.column_rest = longest - length;
    plan.column_height = plan.column_angle == 90 ? length : (length + em) * std::sqrt(0.5);
}

/// How high a row of one side of lines is: both sides have the same height, for as many labels as they have.
double height_on_side(const Panel& panel, const LabelRoom& room, Index count) {
    return room.cell_height * static_cast<double>(panel.rows) /
           static_cast<double>(std::max<Index>(1, count));
}

/// At least `apart`, and such that the last of `count` labels has its turn, where that leaves out few more.
int stride_to_last(int apart, Index count) {
    for (int stride = apart; 2 * stride <= 3 * apart; ++stride)
        if ((count - 1) % stride == 0)
            return stride;
    return apart;
}

/// Both sides of lines are rows of labels, as many as there is height for.
void plan_sides(const Panel& panel, const LabelRoom& room, LabelPlan& plan) {
    const auto apart = [&](Index count) {
        return whole_stride(closest_pitch * plan.size / std::max(height_on_side(panel, room, count), 1e-9));
    };
    plan.row_apart = apart(panel.rows);
    plan.column_apart = apart(panel.columns);
    const auto stride = [](int least, const AxisLabels& axis, Index count) {
        return axis.labels.empty() ? least : stride_to_last(least, count);
    };
    plan.row_stride = stride(plan.row_apart, panel.row_axis, panel.rows);
    plan.column_stride = stride(plan.column_apart, panel.column_axis, panel.columns);
}

/// Whether the lowest number has a minus when it is written with so many decimals: −0.001 has none with two.
bool is_written_negative(double lowest, int decimals) {
    return lowest < 0 && fixed_text(lowest, decimals) != fixed_text(-lowest, decimals);
}

/// The widest of the panel's numbers when written with so many decimals.
double widest_number(const Panel& panel, double lowest, double largest, int decimals, const TextMeasure& em) {
    QString text = fixed_text(is_written_negative(lowest, decimals) ? -largest : largest, decimals);
    for (QChar& c : text)
        if (c.isDigit())
            c = u'0';
    const bool infinite = std::ranges::any_of(panel.values, [](double value) { return std::isinf(value); });
    return std::max(em.width(text), infinite ? em.width(QStringLiteral("−∞")) : 0.0);
}

void plan_values(const Panel& panel, const FigureStyle& style, double unit, const LabelRoom& room,
                 LabelPlan& plan) {
    const double least = type_size(style.least_label, unit), best_size = type_size(style.value, unit);
    if (!panel.values_in_cells || panel.large || room.cell_height < 1.15 * least ||
        room.cell_width < 1.5 * least)
        return;
    double largest = 0, lowest = 0;
    for (const double value : panel.values) {
        if (!std::isfinite(value))
            continue;
        largest = std::max(largest, std::abs(value));
        lowest = std::min(lowest, value);
    }
    const TextMeasure em(reference, Face::regular, style.family);
    const int best = usual_decimals(panel);
    const bool is_wide = !panel.digits && best == 2 && largest <= 1;
    const bool may_have_more = is_wide && room.decimals != Decimals::usual;
    const int most = may_have_more ? 4 : best;  // a wide cell shows a weight as papers print it
    const int step = room.decimals == Decimals::usual_or_all ? std::max(1, most - best) : 1;
    constexpr double usual = 0.84, with_minus = 0.9;  // of a cell; a minus may stand nearer to the edge
    const auto fits = [&](int decimals, double share) {
        const double width = widest_number(panel, lowest, largest, decimals, em) / reference;
        const double fitting = std::floor(std::min(share * room.cell_width / width, room.cell_height / 1.35));
        if (fitting < (decimals > best ? best_size : least))
            return false;
        plan.values = true;
        plan.value_size = std::min(best_size, fitting);
        plan.value_decimals = decimals;
        return true;
    };
    for (int decimals = most; decimals >= best; decimals -= step)
        if (fits(decimals, usual))
            return;
    // Beside maps with numbers, in cells that are as wide, a minus is no reason for none.
    if (room.beside_differences && is_written_negative(lowest, best) && best > 1 && !panel.digits)
        fits(best - 1, with_minus);
}

}  // namespace

LabelExtents::LabelExtents(const Panel& panel, const QString& family)
    : rows_(std::make_shared<Measured>(
          Measured{&panel.row_axis, panel.rows, panel.selected_row || panel.newest_row, family, {}})),
      columns_(std::make_shared<Measured>(
          Measured{&panel.column_axis, panel.columns, panel.selected_column.has_value(), family, {}})) {}

double LabelExtents::Measured::width(int stride) {
    const auto [found, is_new] = by_stride.try_emplace(stride, 0);
    if (is_new)
        found->second = widest_label(*axis, extent, some_strong, stride, family, reference) / reference;
    return found->second;
}

double LabelExtents::rows(int stride) const { return rows_ ? rows_->width(stride) : 0; }

double LabelExtents::columns(int stride) const { return columns_ ? columns_->width(stride) : 0; }

LabelPlan plan_labels(const Panel& panel, const LabelExtents& extents, const FigureStyle& style, double unit,
                      const LabelRoom& room) {
    LabelPlan plan;
    if (!has_labels(panel) && !is_lines(panel)) {
        plan.size = type_size(style.label, unit);
        return plan;
    }
    plan.size = size_that_fits(
        is_lines(panel) ? height_on_side(panel, room, std::max(panel.rows, panel.columns)) : room.cell_height,
        style, unit);
    if (!panel.column_axis.labels.empty() && extents.columns() * plan.size > room.cell_width)
        plan.size = std::min(plan.size, size_that_fits(room.cell_width, style, unit));
    plan_rows(panel, extents, style, room, plan);
    plan_columns(panel, extents, style, room, plan);
    if (is_lines(panel))
        plan_sides(panel, room, plan);
    plan_values(panel, style, unit, room, plan);
    return plan;
}

AxisLabels drawn_axis(const AxisLabels& axis, bool by_place) {
    AxisLabels drawn;
    drawn.first = axis.first;
    return by_place ? drawn : axis;
}

QString label_text(const AxisLabels& axis, Index at) { return QString::fromStdString(axis_label(axis, at)); }

bool is_character(const QString& label) {
    const qsizetype most = label.isEmpty() || !label.front().isSurrogate() ? 1 : 2;
    return label.size() <= most;
}

QString short_axis_title(const AxisLabels& axis) {
    const QString title = QString::fromStdString(axis.title);
    const qsizetype bracket = title.indexOf(QLatin1String(" ("));
    const bool is_ours = own_title(axis) == axis.title;
    return is_ours && bracket > 0 ? title.left(bracket) : title;
}

bool is_marked(const AxisLabels& axis, Index at) {
    const auto i = static_cast<std::size_t>(at);
    return i < axis.marked.size() && axis.marked[i];
}

bool is_hidden(const AxisLabels& axis, Index at) {
    const auto i = static_cast<std::size_t>(at);
    return i < axis.hidden.size() && axis.hidden[i];
}

bool label_shows(const AxisLabels& axis, Index at, Index extent, int stride,
                 std::initializer_list<std::optional<Index>> always, std::optional<Index> apart) {
    return label_shows(axis, at, extent, stride, std::span(always.begin(), always.size()), apart);
}

bool label_shows(const AxisLabels& axis, Index at, Index extent, int stride,
                 std::span<const std::optional<Index>> always, std::optional<Index> apart) {
    for (const std::optional<Index>& named : always) {
        if (named == at)
            return true;
        if (named && std::abs(*named - at) < apart.value_or(stride))
            return false;
    }
    // The same ones in every part of an axis: they stay where they are while somebody moves about.
    const Index offset = axis.labels.empty() && stride > 2 ? 1 : 0;
    const auto is_kept = [&](Index place) { return place == 0 || (place + offset) % stride == 0; };
    if (is_kept(axis.first + at))
        return true;
    const Index before = (axis.first + offset) % stride;
    return at == 0 && before + extent <= stride;
}

}  // namespace headlight
