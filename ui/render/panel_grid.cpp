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

double widest_word(const std::string& text, double size, const QString& family) {
    double width = 0;
    for (const QString& word : QString::fromStdString(text).split(u' '))
        width = std::max(width, TextMeasure(size, Face::bold, family).width(word));
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
           !(is_narrow_ && column > 0 && this->item(row, column - 1).panel->row_axis.title == title);
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

/// How far a title may reach into the gap on its right: the next one begins behind it. That of a number among
/// others reaches further before it is on two lines beside others on one.
double PanelGrid::title_spare(std::size_t number) const {
    constexpr double apart = 0.4;  // of two titles, in their size
    const std::size_t next = number + 1;
    const double gap = scaled(style_.gap);
    const bool is_number = is_short_and_numbered(items_[number].panel->title);
    // Over the bar, which begins where the matrix begins, below its title and its labels.
    if (items_.size() == 1 && shared_scale_ && has_labels(*items_[number].panel))
        return bar_room();
    if (next >= items_.size() || static_cast<Index>(next) % columns_ == 0)
        return is_number && shared_scale_ ? 0.5 * gap : 0;  // left of the bar
    if (items_[next].operation != 0)
        return 0;
    return is_number ? std::max(0.5 * gap, gap - apart * type(style_.panel_title)) : 0.5 * gap;
}

/// How far left of the matrix its title begins: above its labels, where else it would be cut.
double PanelGrid::left_of_title(const Item& item, std::size_t number) const {
    const auto place = static_cast<Index>(number);
    return is_narrow_ ? sides(item, place / columns_, place % columns_).left : 0;
}

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
        const double subtitle =
            text_width(item.panel->subtitle, type(style_.subtitle), Face::regular, style_.family);
        const double beside =
            text_width(item.panel->title, type(style_.panel_title), Face::bold, style_.family) +
            subtitle_gap * type(style_.panel_title) + subtitle;
        constexpr double short_enough = 8;  // beside a narrow matrix, in sizes of the title
        const bool may_be_beside = is_dense_ && subtitle > 0 && !item.panel->title.empty() &&
                                   beside <= std::max(width, short_enough * type(style_.panel_title));
        const double title =
            may_be_beside
                ? beside
                : std::max(text_width(item.panel->title, type(style_.panel_title), Face::bold, style_.family),
                           subtitle);
        const double room_for_title = width + title_spare(i) + left_of_title(item, i);
        // However narrow, a word is not cut, nor a title that a person reads at a glance broken for little.
        constexpr double little = 1.3;
        const double whole =
            text_width(item.panel->title, type(style_.panel_title), Face::bold, style_.family);
        double least =
            keeps_words_ ? widest_word(item.panel->title, type(style_.panel_title), style_.family) : 0;
        if (figure_.is_composed && whole < little * width)
            least = std::max(least, whole);
        item.title_rest = std::max(0.0, std::max(least, std::min(title, most_title_width_)) - room_for_title);
        const auto place = static_cast<Index>(i);
        if (item.title_rest > 0 && place % columns_ + 1 < columns_ &&
            exists(place / columns_, place % columns_ + 1)) {
            constexpr double gap = 0.6;  // or two titles would be read as one
            item.title_rest += gap * type(style_.panel_title);
        }
        // Over the row sums, too.
        const double across = room_for_title + std::max(item.title_rest, room_of_row_sums(item));
        item.title_lines = title_lines(*item.panel, across, style_, unit_).size();
        item.subtitle_beside = may_be_beside && beside <= room_for_title + item.title_rest + 0.01 * unit_;
        item.subtitle_lines =
            item.subtitle_beside ? 0 : lines_of_subtitle(*item.panel, across, style_, unit_);
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
