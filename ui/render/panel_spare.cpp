// What takes the room that the panels of a grid leave: longer labels, higher or wider cells, what is elastic.

#include "ui/render/panel_grid.h"
#include "ui/render/panel_shape.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace headlight {

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
    constexpr double widest = 2;  // of a cell, in its height
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

/// Makes cells wider than high, as little as their numbers need and at most twice, where square ones have no
/// room for these and the width is there. As it was where they would still have none, or the cells become
/// lower.
void PanelGrid::use_width_for_numbers(double width, double height) {
    constexpr double widest = 2;  // of a cell, in its height
    constexpr double step = 1.05, as_high = 0.97;
    constexpr double line = 1.35;  // of a number, in its size: see plan_values()
    const auto lacks_numbers = [](const Item& item) {
        return item.panel->values_in_cells && !item.panel->large && !item.panel->blank &&
               item.panel->rows > 0 && item.panel->columns > 0 && !item.labels.values;
    };
    const std::vector<Item> before = items_;
    const double cells = cells_height_;
    // Those that are above one another in a product stay equally wide.
    const auto is_concerned = [&](const Item& item) {
        return std::ranges::any_of(before, [&](const Item& other) {
            return lacks_numbers(other) && other.panel->columns == item.panel->columns;
        });
    };
    double most = std::numeric_limits<double>::infinity();
    bool has_height = true, lacks_any = false;
    for (const Item& item : before) {
        if (!is_concerned(item))
            continue;
        lacks_any = true;
        const double cell = cells_height(item) / static_cast<double>(std::max<Index>(1, item.panel->rows)),
                     wide = cells_height(item) * item.shape /
                            static_cast<double>(std::max<Index>(1, item.panel->columns));
        most = std::min(most, widest * cell / wide);
        has_height &= cell >= line * type(style_.least_label);
    }
    if (!lacks_any || !has_height)
        return;
    const auto have_room = [&](double wider) {
        items_ = before;
        for (Item& item : items_)
            item.shape *= is_concerned(item) ? wider : 1;
        settle(width, height);
        return this->width() <= width && cells_height_ >= as_high * cells &&
               std::ranges::none_of(items_, lacks_numbers);
    };
    if (most >= step && have_room(most)) {
        for (double wider = step; wider < most; wider *= step)
            if (have_room(wider))
                return;
        if (have_room(most))
            return;
    }
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
            natural += item(row, column).words_shape;
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

}  // namespace headlight
