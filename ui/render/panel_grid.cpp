#include "ui/render/panel_grid.h"

#include "core/figure/theme_table.h"
#include "ui/render/head_lines.h"
#include "ui/render/panel_shape.h"
#include "ui/render/typeface.h"

#include <algorithm>

namespace headlight {

namespace {

double text_width(const std::string& text, double size, Face face, const QString& family) {
    return text.empty() ? 0 : TextMeasure(size, face, family).width(QString::fromStdString(text));
}

double widest_line(const std::string& text, double size, const QString& family) {
    double width = 0;
    for (const QString& line : QString::fromStdString(text).split(u'\n'))
        width = std::max(width, TextMeasure(size, Face::regular, family).width(line));
    return width;
}

}  // namespace

PanelGrid::PanelGrid(const Figure& figure, const FigureStyle& style, double unit, bool dense)
    : figure_(figure), style_(style), unit_(unit), columns_(std::max<Index>(1, figure.columns)) {
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        if (panel.thumbnail || panel.lies_over)
            continue;
        Item item{.index = i, .panel = &panel, .extents = {}, .shape = shape_of(panel), .labels = {}};
        const bool known = !items_.empty() && names_same_rows(*items_.back().panel, panel) &&
                           names_same_columns(*items_.back().panel, panel);
        item.extents = known ? items_.back().extents : LabelExtents(panel, style.family);
        const Index column = std::ssize(items_) % columns_;
        if (!panel.operator_before.empty()) {
            const bool begins_row = column == 0 && !items_.empty();
            (begins_row ? item.operation_above : item.operation) =
                widest_line(begins_row ? on_one_line(panel.operator_before) : panel.operator_before,
                            type(style.operation), style.family) +
                type(style.operation);
        }
        if (figure.is_composed)
            item.repeats_rows = column > 0 && names_same_rows(*items_.back().panel, panel);
        else
            for (Index back = 1; back <= column; ++back) {
                const Panel& other = *items_[items_.size() - static_cast<std::size_t>(back)].panel;
                item.repeats_rows = names_same_rows(other, panel);
                // Words of a source between two panels of a target would be read as the names of both.
                if (item.repeats_rows || names_other_tokens(other, panel))
                    break;
            }
        item.after_blank = !panel.blank && std::ssize(items_) % columns_ > 0 && items_.back().panel->blank;
        items_.push_back(item);
    }
    if (items_.empty())
        return;
    const auto all = [this](auto&& same) {
        return std::ranges::all_of(items_, [&](const Item& item) { return !is_there(item) || same(item); });
    };
    for (Index row = 0; row < rows(); ++row) {
        double tall = 0;
        for (Index column = 0; column < columns_ && exists(row, column); ++column)
            tall = std::max(tall, item(row, column).panel->height);
        for (Index column = 0; column < columns_ && exists(row, column); ++column)
            items_[static_cast<std::size_t>(row * columns_ + column)].tall = tall;
    }
    const Panel& first = *items_.front().panel;
    shared_axes_ = items_.size() > 1 && all([&](const Item& item) {
                       return item.panel->operator_before.empty() && has_labels(*item.panel) &&
                              names_same_rows(*item.panel, first) && names_same_columns(*item.panel, first);
                   });
    is_stacked_ = !figure.is_composed && rows() > 1 && std::ssize(items_) == rows() * columns_;
    for (std::size_t below = static_cast<std::size_t>(columns_); is_stacked_ && below < items_.size();
         ++below) {
        const Panel &here = *items_[below].panel,
                    &above = *items_[below - static_cast<std::size_t>(columns_)].panel;
        is_stacked_ = names_same_rows(here, above) && names_same_columns(here, above);
    }
    aligned_ = shared_axes_ || std::ranges::any_of(items_, [this](const Item& item) {
                   return item.panel->blank && is_there(item);
               });
    choose_bars();
    constexpr double freely = 1.4;  // of what alone decides how wide it is
    if (figure.is_composed && all([](const Item& item) { return item.panel->kind == Panel::Kind::curves; }))
        for (Item& item : items_)
            item.shape *= freely;
    // Beside matrices words decide neither how high these are nor how wide.
    constexpr double beside = 1.5;
    if (figure.is_composed && !all([](const Item& item) { return is_elastic(*item.panel); }))
        for (Item& item : items_)
            if (is_of_words(*item.panel))
                item.shape = std::min(item.shape, beside * item.panel->weight);
    // The keys of a product are as wide as the scores, so that key j lies level with column j of the scores.
    // They are features by keys: what has tokens for rows is a column that stands beside its map.
    for (Item& item : items_)
        if (item.panel->transposed && item.panel->row_axis.labels.empty())
            item.shape = items_.back().shape;
    is_dense_ = dense && may_use_height();
}

double PanelGrid::type(double points) const { return type_size(points, unit_); }

Index PanelGrid::rows() const { return parts_of_size(static_cast<Index>(items_.size()), columns_); }

const PanelGrid::Item& PanelGrid::item(Index row, Index column) const {
    return items_[static_cast<std::size_t>(row * columns_ + column)];
}

bool PanelGrid::exists(Index row, Index column) const {
    return row * columns_ + column < static_cast<Index>(items_.size()) && is_there(item(row, column));
}

double PanelGrid::row_shares() const {
    double shares = 0;
    for (Index row = 0; row < rows(); ++row)
        shares += item(row, 0).tall;
    return shares;
}

double PanelGrid::letter_room(const Item& item) const {
    const bool is_outside = figure_.letters_at == LetterPlace::outside && !item.panel->letter.empty();
    return is_outside ? text_width(item.panel->letter, type(style_.panel_title), Face::bold, style_.family) +
                            label_gap * type(style_.label)
                      : 0;
}

double PanelGrid::legend_height(const Item& item, double right) const {
    return HeadLegend(panels_in_place(figure_, *item.panel), cells_height(item) * item.shape + right, style_,
                      unit_)
        .height();
}

double PanelGrid::over_room(Index row) const {
    for (Index column = 0; column < columns_ && exists(row, column); ++column)
        if (!item(row, column).panel->over.empty())
            return 1.6 * type(style_.panel_title);
    return 0;
}

double PanelGrid::operation_room(Index row) const {
    return item(row, 0).operation_above > 0 ? 1.5 * type(style_.operation) : 0;
}

bool PanelGrid::draws_rows(const Item& item, Index column) const {
    return shared_axes_ ? column == 0 || item.after_blank : !(rows_once_ && item.repeats_rows);
}

/// Where room is short neighbours whose rows are called alike say so once.
bool PanelGrid::draws_row_title(const Item& item, Index row, Index column) const {
    const std::string& title = item.panel->row_axis.title;
    return !shared_axes_ && !title.empty() && draws_rows(item, column) &&
           !(titles_.begin_above_labels && column > 0 &&
             this->item(row, column - 1).panel->row_axis.title == title);
}

/// The width of the axis title that stands left of the column labels, above those of the rows; 0 where it
/// has a line of its own.
double PanelGrid::corner_title_width(const Item& item, Index row) const {
    constexpr double longest = 8;  // in its size
    const AxisLabels& axis = item.panel->column_axis;
    if (!is_dense_ || shared_axes_ || !draws_columns(row) || axis.title.empty())
        return 0;
    const double size = type(style_.axis_title),
                 width = TextMeasure(size, Face::regular, style_.family).width(short_axis_title(axis));
    return width <= longest * size ? width + 0.01 * size : 0;
}

/// Between the matrices and the bars below them, in sizes of a label.
double PanelGrid::bar_gap() const { return is_dense_ ? 0.55 : 0.9; }

void PanelGrid::plan(double height) {
    cells_height_ = std::max(height, unit_);
    const bool slanted = items_.size() == 1;
    const Decimals decimals = !figure_.uses_height          ? Decimals::as_many_as_fit
                              : is_for_class(figure_.theme) ? Decimals::usual
                                                            : Decimals::usual_or_all;
    const bool has_differences =
        std::ranges::any_of(items_, [](const Item& item) { return item.panel->is_difference; });
    for (std::size_t i = 0; i < items_.size(); ++i) {
        Item& item = items_[i];
        const double width = cells_height(item) * item.shape;
        const LabelRoom room{
            width / static_cast<double>(std::max<Index>(1, item.panel->columns)),
            cells_height(item) / static_cast<double>(std::max<Index>(1, item.panel->rows)),
            most_row_width_,
            std::min(std::min(scaled(longest_label * style_.label), most_column_height_),
                     more_column_height_ +
                         std::min(scaled(9 * style_.label), std::max(scaled(least_label_room * style_.label),
                                                                     0.6 * cells_height(item)))),
            slanted,
            decimals,
            has_differences};
        item.labels = plan_labels(*item.panel, item.extents, style_, unit_, room);
        plan_titles(i);
    }
    // Panels with the same subtitle all have it, or none has.
    for (const Item& item : items_)
        if (!item.panel->subtitle.empty() && !item.subtitle_beside && item.subtitle_lines == 0)
            for (Item& other : items_)
                if (other.panel->subtitle == item.panel->subtitle)
                    other.subtitle_lines = 0;
    plan_bars();
}

}  // namespace headlight
