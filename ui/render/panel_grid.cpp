#include "ui/render/panel_grid.h"

#include "core/figure/ticks.h"
#include "ui/render/figure_in_width.h"
#include "ui/render/head_lines.h"
#include "ui/render/panel_shape.h"
#include "ui/render/text_flow.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double least_label_room = 3.4;  // of upright column labels, in their size: a word of six letters
constexpr double longest_label = 18;      // in its size: what is longer is cut, whatever room there is

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

double widest_tick(const ColourScale& scale, double size, const QString& family) {
    const TextMeasure text(size, Face::regular, family);
    double width = 0;
    for (const Tick& tick : bar_ticks(scale))
        width = std::max(width, text.width(QString::fromStdString(tick.label)));
    return width;
}

/// Returns the width of the numbers below a bar that says no more than where it ends.
double narrowest_numbers(const ColourScale& scale, double size, const QString& family) {
    const TextMeasure text(size, Face::regular, family);
    double width = bar_number_gap * size;
    for (const Tick& tick : bar_ticks(scale, 2))
        width += text.width(QString::fromStdString(tick.label));
    return width;
}

}  // namespace

PanelGrid::PanelGrid(const Figure& figure, const FigureStyle& style, double unit)
    : figure_(figure), style_(style), unit_(unit), columns_(std::max<Index>(1, figure.columns)) {
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        if (panel.thumbnail || panel.lies_over)
            continue;
        Item item{.index = i, .panel = &panel, .extents = {}, .shape = shape_of(panel), .labels = {}};
        const bool known = !items_.empty() && names_same_rows(*items_.back().panel, panel) &&
                           names_same_columns(*items_.back().panel, panel);
        item.extents = known ? items_.back().extents : LabelExtents(panel, style.family);
        if (!panel.operator_before.empty())
            item.operation = widest_line(panel.operator_before, type(style.operation), style.family) +
                             type(style.operation);
        const Index column = std::ssize(items_) % columns_;
        item.repeats_rows = figure.is_composed
                                ? column > 0 && names_same_rows(*items_.back().panel, panel)
                                : std::any_of(items_.end() - column, items_.end(), [&](const Item& other) {
                                      return names_same_rows(*other.panel, panel);
                                  });
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
    const auto coloured = std::ranges::find_if(
        items_, [this](const Item& item) { return is_there(item) && is_coloured(*item.panel); });
    shared_scale_ =
        figure.show_colour_bar && coloured != items_.end() && all([&](const Item& item) {
            return !is_coloured(*item.panel) || (item.panel->scale == coloured->panel->scale &&
                                                 item.panel->bar_title == coloured->panel->bar_title);
        });
    if (shared_scale_)
        bar_scale_ = coloured->panel->scale;
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
    for (Item& item : items_)
        if (draws_bar(item) && !item.panel->blank && item.panel->kind != Panel::Kind::text)
            item.bar_numbers = narrowest_numbers(item.panel->scale, type(style.tick), style.family);
    // The keys of a product are as wide as the scores, so that key j lies level with column j of the scores.
    for (Item& item : items_)
        if (item.panel->transposed)
            item.shape = items_.back().shape;
}

double PanelGrid::type(double points) const { return type_size(points, unit_); }

Index PanelGrid::rows() const { return (static_cast<Index>(items_.size()) + columns_ - 1) / columns_; }

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

bool PanelGrid::draws_bar(const Item& item) const {
    return !shared_scale_ && figure_.show_colour_bar && is_coloured(*item.panel) && item.panel->has_bar;
}

bool PanelGrid::joins_bars(Index row, Index column) const {
    if (!aligned_ && !figure_.is_composed)
        return false;
    const Item& here = item(row, column);
    const auto joins = [&](Index other) {
        if (other < 0 || other >= columns_ || !exists(row, other) || !draws_bar(item(row, other)))
            return false;
        const Panel& panel = *item(row, other).panel;
        return !panel.blank && panel.scale == here.panel->scale && panel.bar_title == here.panel->bar_title;
    };
    return joins(column - 1) || joins(column + 1);
}

/// Makes room for the numbers at both ends of each bar where a matrix is narrower than they are.
void PanelGrid::plan_bars() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
        Item& here = items_[i];
        const auto row = static_cast<Index>(i) / columns_, column = static_cast<Index>(i) % columns_;
        here.bar_right = 0;
        if (here.bar_numbers > 0 && exists(row, column) && !joins_bars(row, column))
            here.bar_right = std::max(0.0, here.bar_numbers - sides(here, row, column).left -
                                               cells_height(here) * here.shape);
    }
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

bool PanelGrid::draws_rows(const Item& item, Index column) const {
    return shared_axes_ ? column == 0 || item.after_blank : !(rows_once_ && item.repeats_rows);
}

/// Where room is short neighbours whose rows are called alike say so once.
bool PanelGrid::draws_row_title(const Item& item, Index row, Index column) const {
    const std::string& title = item.panel->row_axis.title;
    return !shared_axes_ && !title.empty() && draws_rows(item, column) &&
           !(is_narrow_ && column > 0 && this->item(row, column - 1).panel->row_axis.title == title);
}

/// How far a title may reach into the gap on its right: the next one begins behind it.
double PanelGrid::title_spare(std::size_t number) const {
    const std::size_t next = number + 1;
    const bool has_neighbour =
        next < items_.size() && static_cast<Index>(next) % columns_ != 0 && items_[next].operation == 0;
    return has_neighbour ? 0.5 * scaled(style_.gap) : 0;
}

/// How far left of the matrix its title begins: above its labels, where else it would be cut.
double PanelGrid::left_of_title(const Item& item, std::size_t number) const {
    const auto place = static_cast<Index>(number);
    return is_narrow_ ? sides(item, place / columns_, place % columns_).left : 0;
}

void PanelGrid::plan(double height) {
    cells_height_ = std::max(height, unit_);
    const bool slanted = items_.size() == 1;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        Item& item = items_[i];
        const double width = cells_height(item) * item.shape;
        const LabelRoom room{
            width / static_cast<double>(std::max<Index>(1, item.panel->columns)),
            cells_height(item) / static_cast<double>(std::max<Index>(1, item.panel->rows)), most_row_width_,
            std::min(scaled(longest_label * style_.label),
                     more_column_height_ +
                         std::min(scaled(9 * style_.label), std::max(scaled(least_label_room * style_.label),
                                                                     0.6 * cells_height(item)))),
            slanted};
        item.labels = plan_labels(*item.panel, item.extents, style_, unit_, room);
        const double title =
            std::max(text_width(item.panel->title, type(style_.panel_title), Face::bold, style_.family),
                     text_width(item.panel->subtitle, type(style_.subtitle), Face::regular, style_.family));
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
        item.title_lines = title_lines(*item.panel, room_for_title + item.title_rest, style_, unit_).size();
        item.subtitle_lines =
            subtitle_lines(*item.panel, room_for_title + item.title_rest, style_, unit_).size();
    }
    plan_bars();
}

PanelGrid::Sides PanelGrid::sides(const Item& item, Index row, Index column) const {
    const Panel& panel = *item.panel;
    const double label = item.labels.size, axis = type(style_.axis_title);
    Sides sides;
    const bool has_title = figure_.has_panel_titles && (!panel.title.empty() || !panel.marks);
    sides.top =
        (has_title ? static_cast<double>(item.title_lines) * title_line * type(style_.panel_title) : 0) +
        0.35 * label;
    sides.top += static_cast<double>(item.subtitle_lines) * title_line * type(style_.subtitle);
    sides.left = letter_room(item);
    if (is_lines(panel)) {
        sides.top += panel.row_axis.title.empty() ? 0 : 1.5 * axis;
        sides.left = std::max(sides.left, item.labels.row_width + label_gap * label);
        sides.right = std::max(std::min(item.extents.columns() * label, most_row_width_) + label_gap * label,
                               item.title_rest);
        sides.top += legend_height(item, sides.right);
        return sides;
    }
    if (draws_bar(item))
        sides.bottom = 0.9 * label + 0.8 * scaled(style_.bar_width) + 1.5 * type(style_.tick) +
                       (panel.bar_title.empty() ? 0 : 1.3 * type(style_.tick));
    if (panel.kind == Panel::Kind::text)
        sides.bottom = text_legend(panel, cells_height(item) * item.shape, style_, unit_).height;
    if (!has_labels(panel)) {
        sides.right = right_side(item);
        return sides;
    }
    double labels = 0;
    if (draws_rows(item, column) && !(shared_axes_ && item.after_blank))
        labels = item.labels.row_width + label_gap * label;
    if (draws_columns(row))
        sides.top += item.labels.column_height + label_gap * label;
    if (!shared_axes_) {
        labels += draws_row_title(item, row, column) ? 1.45 * axis : 0;
        sides.top += panel.column_axis.title.empty() || !draws_columns(row) ? 0 : 1.45 * axis;
    }
    sides.left = std::max(sides.left, labels);
    sides.right = right_side(item);
    for (Index other = 0; (aligned_ || is_stacked_) && other < rows(); ++other)
        if (exists(other, column))
            sides.right = std::max(sides.right, right_side(this->item(other, column)));
    // A part may begin with a round number, which is wider than a 1.
    if (item.labels.column_angle == 0 && panel.column_axis.labels.empty() && panel.column_axis.first > 0) {
        const double cell = cells_height(item) * item.shape / static_cast<double>(panel.columns);
        sides.left = std::max(sides.left, 0.5 * (item.extents.columns() * label - cell));
    }
    if (item.labels.column_angle == 45) {
        const double overhang = item.labels.column_height -
                                0.5 * cells_height(item) * item.shape / static_cast<double>(panel.columns);
        sides.right = std::max(sides.right, overhang - bar_room());
    }
    return sides;
}

/// What hangs over on the right of a matrix: its row sums, the rest of its title, of the numbers of its bar.
double PanelGrid::right_side(const Item& item) const {
    const std::vector<double>& sums = item.panel->row_sums;
    if (sums.empty())
        return std::max(item.bar_right, item.title_rest);
    const TextMeasure text(type(style_.value), Face::regular, style_.family);
    double width = text.width(QStringLiteral("0.00"));
    const auto [low, high] = std::ranges::minmax(sums);
    for (const double sum : {low, high}) {  // one of the two is the longest
        std::string widest = format_fixed(sum, 2);
        std::ranges::replace_if(
            widest, [](char c) { return c >= '1' && c <= '9'; }, '0');
        width = std::max(width, text.width(QString::fromStdString(widest)));
    }
    return std::max({0.8 * item.labels.size + width, item.title_rest, item.bar_right});
}

double PanelGrid::row_top(Index row) const {
    double top = 0;
    for (Index column = 0; column < columns_ && exists(row, column); ++column)
        top = std::max(top, sides(item(row, column), row, column).top);
    return top + over_room(row);
}

double PanelGrid::row_bottom(Index row) const {
    double bottom = 0;
    for (Index column = 0; column < columns_ && exists(row, column); ++column)
        bottom = std::max(bottom, sides(item(row, column), row, column).bottom);
    return bottom;
}

double PanelGrid::fixed_width(Index row) const {
    double width = shared_left() + bar_room();
    for (Index column = 0; column < columns_ && exists(row, column); ++column) {
        const Item& here = item(row, column);
        const Sides around = sides(here, row, column);
        width += around.left + around.right + here.operation;
        if (column > 0 && here.operation == 0)
            width += scaled(style_.gap);
    }
    return width;
}

double PanelGrid::width_per_height(Index row) const {
    double width = 0;
    for (Index column = 0; column < columns_ && exists(row, column); ++column)
        width += item(row, column).shape * item(row, column).tall;
    return width;
}

double PanelGrid::fixed_height() const {
    double height = shared_top() + scaled(style_.gap) * static_cast<double>(std::max<Index>(0, rows() - 1));
    for (Index row = 0; row < rows(); ++row)
        height += row_top(row) + row_bottom(row);
    return height;
}

double PanelGrid::shared_left() const {
    return shared_axes_ && !items_.front().panel->row_axis.title.empty() ? 1.45 * type(style_.axis_title) : 0;
}

double PanelGrid::shared_top() const {
    return shared_axes_ && !items_.front().panel->column_axis.title.empty() ? 1.45 * type(style_.axis_title)
                                                                            : 0;
}

double PanelGrid::bar_room() const {
    if (!shared_scale_)
        return 0;
    const double title = figure_.bar_titled == Figure::BarTitle::none ? 0 : 1.5 * style_.tick;
    return scaled(style_.gap + style_.bar_width + 0.5 * style_.tick + title) +
           widest_tick(bar_scale_, type(style_.tick), style_.family);
}

double PanelGrid::most_height(double width) const {
    constexpr double usual = 2, of_a_row = 0.65;  // of the width
    constexpr double page = 240 * points_per_mm;
    if (figure_.wrapped_rows == 0 || figure_.columns_are_asked)
        return usual * width;
    return std::max(usual * width, std::min(of_a_row * static_cast<double>(rows()) * width, scaled(page)));
}

void PanelGrid::fit(double width, double height) {
    if (items_.empty())
        return;
    const auto across = static_cast<double>(std::min<Index>(columns_, static_cast<Index>(items_.size())));
    // Labels that stand once, left of the whole row of matrices, may take more than those of each; and those
    // of layers, which are told apart by a number in their middle, where what is too long is cut.
    const bool names_layers = items_.front().panel->kind == Panel::Kind::mosaic;
    const double share = shared_axes_ ? 0.6 : names_layers ? 0.45 : 0.3;
    most_row_width_ =
        std::max(scaled(2.5 * style_.label), std::min(scaled(12 * style_.label), share * width / across));
    double widest_row = 0;
    for (Index row = 0; row < rows(); ++row)
        widest_row = std::max(widest_row, width_per_height(row));
    const auto start = [&] { plan(std::min(0.7 * width / widest_row, height / row_shares())); };
    const auto wrap_titles = [&] {
        most_title_width_ = 0;
        start();
        settle(width, height);
        double taken = 0;
        for (Index row = 0; row < rows(); ++row)
            taken = std::max(taken, fixed_width(row));
        most_title_width_ = std::max(0.0, std::min(0.8 * width, width - taken) / across);
        start();
        settle(width, height);
    };
    start();
    settle(width, height);
    // Titles are cut before a figure is wider than its room: to what labels and colour bar leave, so that no
    // matrix makes way for one.
    if (this->width() > width) {
        is_narrow_ = keeps_words_ = !figure_.is_composed;
        wrap_titles();
    } else if (std::ranges::any_of(items_, [](const Item& item) { return item.title_rest > 0; })) {
        // They are on more lines before they take much of the room that matrices would have.
        constexpr double much = 0.8;
        const double with_whole_titles = cells_height_;
        keeps_words_ = true;
        wrap_titles();
        if (with_whole_titles >= much * cells_height_) {
            keeps_words_ = false;
            most_title_width_ = std::numeric_limits<double>::infinity();
            start();
            settle(width, height);
        }
    }
    // Where room is short, labels that repeat those of a matrix further left make way for larger cells.
    rows_once_ = std::ranges::any_of(items_, [&](const Item& item) {
        const double cell = cells_height(item) / static_cast<double>(std::max<Index>(1, item.panel->rows));
        return item.repeats_rows && (figure_.is_composed || item.labels.size < 0.95 * type(style_.label) ||
                                     cell < scaled(style_.cramped_cell));
    });
    if (rows_once_) {
        most_row_width_ = std::max(most_row_width_, std::min(scaled(12 * style_.label), 0.2 * width));
        start();
        settle(width, height);
    }
    if (lower_rows_of_words())
        settle(width, height);
    lengthen_labels(width, height);
    if (may_use_height()) {
        use_height(width, height);
        use_width(width, height);
    }
    stretch();
    give_texts_room(height - this->height());
}

/// Gives labels that would be cut what the matrices leave of the room: first those of rows, then of columns.
void PanelGrid::lengthen_labels(double width, double height) {
    const auto fits = [&] {
        const double rounding = 0.01 * unit_;
        return this->width() <= width + rounding && this->height() <= height + rounding;
    };
    const auto lengthen = [&](double& most, double rest, double spare) {
        if (rest <= 0 || !fits())
            return;
        constexpr double nearly = 0.97;  // of the matrices' size: whole words are worth what is missing
        const double before = most, cells = cells_height_;
        most = before + rest;
        plan(cells);
        if (!fits())
            settle(width, height);
        if (fits() && cells_height_ >= nearly * cells)
            return;
        most = before + std::clamp(spare, 0.0, rest);
        plan(cells);
        if (fits())
            return;
        most = before;
        plan(cells);
    };
    const auto longest = [this](double LabelPlan::*rest) {
        double most = 0;
        for (const Item& item : items_)
            most = std::max(most, item.labels.*rest);
        return most;
    };
    const auto across = static_cast<double>(std::min<Index>(columns_, std::ssize(items_)));
    const double most_wider = std::max(0.0, scaled(longest_label * style_.label) - most_row_width_);
    lengthen(most_row_width_, std::min(longest(&LabelPlan::row_rest), most_wider),
             (width - this->width()) / across);
    lengthen(more_column_height_, longest(&LabelPlan::column_rest),
             (height - this->height()) / static_cast<double>(rows()));
}

bool PanelGrid::may_use_height() const {
    return figure_.uses_height && rows() == 1 && std::ranges::all_of(items_, [](const Item& item) {
               return item.panel->kind == Panel::Kind::heatmap && !item.panel->overlay;
           });
}

/// Makes cells higher than wide as far as the height allows, so that there is room for the labels of rows;
/// not so high that a diagonal is no longer seen as one.
void PanelGrid::use_height(double width, double height) {
    constexpr double highest = 1.5;  // of a cell, in its width
    const double spare = height - this->height();
    const double taller = std::min(highest, 1 + spare / cells_height(items_.front()));
    constexpr double noticeable = 1.02;
    if (taller < noticeable)
        return;
    for (Item& item : items_)
        item.shape /= taller;
    plan(taller * cells_height_);
    settle(width, height);
}

/// Makes cells of matrices side by side wider than high as far as the width allows, where some columns have
/// no room for their word. As it was where no more words have room then, or the matrices become much lower
/// for longer ones.
void PanelGrid::use_width(double width, double height) {
    constexpr double widest = 1.6;  // of a cell, in its height
    constexpr double noticeable = 1.02, much_lower = 0.85;
    const auto lacks_words = [](const Item& item) {
        return item.labels.column_stride > 1 && !item.labels.columns_by_place &&
               !item.panel->column_axis.labels.empty();
    };
    const auto strides = [this] {
        int sum = 0;
        for (const Item& item : items_)
            sum += item.labels.column_stride;
        return sum;
    };
    double narrow = 0;
    for (const Item& item : items_)
        narrow += lacks_words(item) ? cells_height(item) * item.shape : 0;
    if (narrow == 0 || items_.size() == 1)
        return;
    const double wider = std::min(widest, 1 + (width - this->width()) / narrow);
    if (wider < noticeable)
        return;
    const std::vector<Item> before = items_;
    const int strides_before = strides();
    const double cells = cells_height_;
    for (Item& item : items_)
        item.shape *= lacks_words(item) ? wider : 1;
    settle(width, height);
    if (strides() < strides_before && cells_height_ >= much_lower * cells && this->width() <= width)
        return;
    items_ = before;
    cells_height_ = cells;
}

/// Rows of nothing but words beside rows of matrices are as high as the words need. Whether there are any.
bool PanelGrid::lower_rows_of_words() {
    bool has_lowered = false;
    for (Index row = 0; figure_.is_composed && row < rows(); ++row) {
        double natural = 0;
        bool are_words = true;
        for (Index column = 0; column < columns_ && exists(row, column); ++column) {
            are_words &= is_of_words(*item(row, column).panel);
            natural += shape_of(*item(row, column).panel);
        }
        const double needed = (width() - fixed_width(row)) / std::max(natural, 0.1),
                     has = cells_height(item(row, 0));
        if (!are_words || rows() == 1 || needed >= has)
            continue;
        has_lowered = true;
        for (Index column = 0; column < columns_ && exists(row, column); ++column)
            items_[static_cast<std::size_t>(row * columns_ + column)].tall *= needed / has;
    }
    return has_lowered;
}

/// What may be as wide as one likes takes the room that the widest row leaves it.
void PanelGrid::stretch() {
    if (!figure_.is_composed)
        return;
    const double widest = width();
    for (Index row = 0; row < rows(); ++row) {
        std::vector<Item*> elastic;
        double weights = 0;
        for (Index column = 0; column < columns_ && exists(row, column); ++column)
            if (Item& here = items_[static_cast<std::size_t>(row * columns_ + column)];
                is_elastic(*here.panel)) {
                elastic.push_back(&here);
                weights += here.panel->weight;
            }
        const double rest = widest - fixed_width(row) - width_per_height(row) * cells_height_;
        for (Item* here : elastic)
            here->shape += std::max(0.0, rest) * here->panel->weight / weights / cells_height(*here);
    }
}

void PanelGrid::settle(double width, double height) {
    // What the labels need depends on the cells' size and the other way round; three rounds settle it. More
    // follow only where smaller cells draw other labels, which need more room.
    constexpr int usual = 3, most = 8;
    const auto is_too_large = [&] { return this->width() > width || this->height() > height + 0.01 * unit_; };
    const auto room_for_cells = [&] {
        double cells = (height - fixed_height() - 0.5 * type(style_.tick)) / row_shares();
        for (Index row = 0; row < rows(); ++row)
            cells = std::min(cells, (width - fixed_width(row)) / width_per_height(row));
        return cells;
    };
    for (int round = 0; round < usual || (round < most && is_too_large()); ++round)
        plan(room_for_cells());
    // Labels of large cells may have taken so much that the cells became small, although a size between the
    // two has room as well.
    constexpr double noticeable = 1.1;
    constexpr int halvings = 5;
    double enough = cells_height_, too_much = room_for_cells();
    if (is_too_large() || too_much < noticeable * enough)
        return;
    for (int tried = 0; tried < halvings; ++tried) {
        const double between = 0.5 * (enough + too_much);
        plan(between);
        (is_too_large() ? too_much : enough) = between;
    }
    plan(enough);
}

void PanelGrid::take_natural_size() {
    if (items_.empty())
        return;
    most_row_width_ = scaled(12 * style_.label);
    double cells = 0;
    for (const Item& item : items_)
        cells = std::max(cells, natural_cells(*item.panel));
    const double share = items_.size() == 1 ? 1 : shared_axes_ ? 0.45 : 0.75;
    for (int round = 0; round < 2; ++round)
        plan(share * cells * scaled(style_.natural_cell));
    if (lower_rows_of_words())
        plan(cells_height_);
    stretch();
}

double PanelGrid::width() const {
    double width = 0;
    for (Index row = 0; row < rows(); ++row)
        width = std::max(width, fixed_width(row) + width_per_height(row) * cells_height_);
    return width;
}

double PanelGrid::height() const {
    const double lowest_tick =
        shared_scale_ ? 0.5 * type(style_.tick) : 0;  // its lower half is below the bar
    return items_.empty() ? 0 : fixed_height() + row_shares() * cells_height_ + lowest_tick;
}

}  // namespace headlight
