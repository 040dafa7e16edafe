// How large the panels of a grid become in a given room.

#include "ui/render/figure_in_width.h"
#include "ui/render/flow_plan.h"
#include "ui/render/panel_grid.h"
#include "ui/render/panel_shape.h"
#include "ui/render/tree_plan.h"

#include <algorithm>

namespace headlight {

double PanelGrid::most_height(double width) const {
    constexpr double usual = 2, of_a_row = 0.65;  // of the width
    constexpr double page = 240 * points_per_mm;
    if (figure_.wrapped_rows == 0 || figure_.columns_are_asked)
        return has_largest_cells() ? std::min(usual * width, std::max(width, scaled(page))) : usual * width;
    const double most =
        std::max(usual * width, std::min(of_a_row * static_cast<double>(rows()) * width, scaled(page)));
    return has_largest_cells() ? std::min(most, std::max(width, scaled(page))) : most;
}

/// Whether every matrix has a size beyond which its cells say no more.
bool PanelGrid::has_largest_cells() const {
    return !items_.empty() && std::ranges::all_of(items_, [this](const Item& item) {
        return !is_there(item) || item.panel->largest_cell > 0;
    });
}

/// Returns the height of matrices, as cells_height_ has it, at which the cells of all are that large.
double PanelGrid::height_of_largest_cells() const {
    double most = 0;
    for (const Item& item : items_) {
        if (!is_there(item))
            continue;
        const Panel& panel = *item.panel;
        const bool is_mosaic = panel.kind == Panel::Kind::mosaic;
        const Index down = panel.rows * (is_mosaic ? std::max<Index>(1, panel.marks->map_rows) : 1),
                    across = panel.columns * (is_mosaic ? std::max<Index>(1, panel.marks->map_columns) : 1);
        const double cells =
            std::max(static_cast<double>(down), static_cast<double>(across) / std::max(item.shape, 1e-3));
        most = std::max(most, cells * panel.largest_cell * type(style_.label) / std::max(item.tall, 1e-3));
    }
    return most;
}

void PanelGrid::fit_width(double width) {
    if (has_largest_cells())
        most_cells_ = height_of_largest_cells();
    fit(width, most_height(width));
}

/// A tree that is alone in its row is as high as its steps need on as many lines as they have room on.
/// Returns whether one has several.
bool PanelGrid::shape_trees(double width, double height) {
    bool have_lines = false;
    for (std::size_t at = 0; at < items_.size(); ++at) {
        Item& here = items_[at];
        const Index row = static_cast<Index>(at) / columns_;
        const bool is_alone = columns_ == 1 || !exists(row, 1);
        if (here.panel->kind != Panel::Kind::tree || !is_alone || !exists(row, 0))
            continue;
        // The room that is left for it is not known to the last unit.
        constexpr double rounding = 0.97;
        const QSizeF room =
            rounding * QSizeF(width - letter_room(here), (height - fixed_height()) / row_shares());
        const TreePlan plan = tree_in_room(*here.panel->tree, room, style_, unit_);
        if (plan.lines() == 1)
            continue;
        have_lines = true;
        here.shape = here.words_shape = std::max(plan.shape(), plan.width() / std::max(unit_, room.height()));
    }
    return have_lines;
}

/// A flow that is alone in its row has the shape of the form in which it has room there, and is no higher
/// than its type needs. Returns whether one is.
bool PanelGrid::shape_flows(double width, double height) {
    bool have_flows = false;
    for (std::size_t at = 0; at < items_.size(); ++at) {
        Item& here = items_[at];
        const Index row = static_cast<Index>(at) / columns_;
        const bool is_alone = columns_ == 1 || !exists(row, 1);
        if (here.panel->kind != Panel::Kind::flow || !is_alone || !exists(row, 0))
            continue;
        constexpr double rounding = 0.97;  // as of trees
        const QSizeF room =
            rounding * QSizeF(width - letter_room(here), (height - fixed_height()) / row_shares());
        if (room.isEmpty())
            continue;
        have_flows = true;
        const FlowPlan plan = flow_in_room(*here.panel->flow, room, style_, unit_, here.flow_form);
        here.shape = here.words_shape = std::max(plan.shape(), room.width() / plan.height());
    }
    return have_flows;
}

std::optional<FlowForm> PanelGrid::form_of_flow(const Item& item) const {
    if (item.panel->kind != Panel::Kind::flow)
        return std::nullopt;
    const double height = cells_height(item);
    return flow_in_room(*item.panel->flow, {height * item.shape, height}, style_, unit_, item.flow_form)
        .form();
}

/// Curves below one another are higher by the names that have no room beside them. Returns whether some are.
bool PanelGrid::shape_curves(double width) {
    double names = 0;
    for (Item& here : items_)
        if (here.panel->kind == Panel::Kind::curves && columns_ == 1)
            names = std::max(names, height_of_names(*here.panel, width - letter_room(here), style_, unit_));
    constexpr double widest = 1.25;  // of curves, in the height that they have without the names
    if (names > 0)
        for (Item& here : items_)
            if (here.panel->kind == Panel::Kind::curves)
                here.shape = width / (width / std::min(here.shape, widest) + names);
    return names > 0;
}

/// What stands left of points: less than is comfortable where little would be left for them.
double PanelGrid::left_of_points(double width) const {
    constexpr double usual = 4.2, least = 2.6, enough = 14;  // in sizes of a number
    const double tick = type(style_.tick), axis = 1.45 * type(style_.axis_title);
    return axis + std::clamp(width - axis - enough * tick, least * tick, usual * tick);
}

double PanelGrid::below_points() const { return 2 * type(style_.tick) + 1.45 * type(style_.axis_title); }

/// Points that alone are narrow are drawn in a square, or higher than wide: lower they would leave no room
/// for what names their axes and their colours. Returns whether some are.
bool PanelGrid::shape_points(double width) {
    if (items_.size() != 1 || items_.front().panel->kind != Panel::Kind::points)
        return false;
    Item& here = items_.front();
    const double cells = width - bar_room() - letter_room(here);
    const double plot = cells - left_of_points(cells), usual = cells / here.shape - below_points();
    constexpr double least = 7, enough = 12;  // high, in sizes of a number
    const double tick = type(style_.tick), wanted = std::clamp(plot, least * tick, enough * tick);
    if (usual >= wanted)
        return false;
    here.shape = cells / (wanted + below_points());
    return true;
}

double PanelGrid::panels_across() const {
    return static_cast<double>(std::min<Index>(columns_, static_cast<Index>(items_.size())));
}

/// Whether it has no room in that width. What nobody sees, in points, does not count: a grid that fills its
/// room exactly would, by rounding, be too wide in one format and not in another.
bool PanelGrid::is_wider_than(double width, double unseen) const {
    return this->width() > width + unseen * unit_;
}

/// How much of the width labels of rows may take, and of the height those of columns.
void PanelGrid::limit_labels(double width) {
    // Labels that stand once, left of the whole row of matrices, may take more than those of each; and those
    // of layers, which are told apart by a number in their middle, where what is too long is cut.
    const bool names_layers = items_.front().panel->kind == Panel::Kind::mosaic;
    const double share = shared_axes_ ? 0.6 : names_layers ? 0.45 : 0.3;
    most_row_width_ = std::max(scaled(2.5 * style_.label),
                               std::min(scaled(12 * style_.label), share * width / panels_across()));
    constexpr double of_width = 0.35;  // a single long word makes no figure of labels
    most_column_height_ = std::max(scaled(least_label_room * style_.label), of_width * width);
}

/// Plans matrices as large as about the room that labels leave, from which they settle.
void PanelGrid::plan_roughly(double width, double height) {
    double widest_row = 0;
    for (Index row = 0; row < rows(); ++row)
        widest_row = std::max(widest_row, width_per_height(row));
    plan(std::min(0.7 * width / widest_row, height / row_shares()));
}

bool PanelGrid::have_titles_rest() const {
    return std::ranges::any_of(items_, [](const Item& item) { return item.title_rest > 0; });
}

/// Gives titles what the rest of the figure leaves of its width, on several lines.
void PanelGrid::wrap_titles(double width, double height) {
    titles_.most_width = 0;
    plan_roughly(width, height);
    settle(width, height);
    double taken = 0;
    for (Index row = 0; row < rows(); ++row)
        taken = std::max(taken, fixed_width(row));
    titles_.most_width = std::max(0.0, std::min(0.8 * width, width - taken) / panels_across());
    plan_roughly(width, height);
    settle(width, height);
}

/// Where room is short, labels that repeat those of a matrix further left make way for larger cells.
void PanelGrid::drop_repeated_rows(double width, double height) {
    rows_once_ = std::ranges::any_of(items_, [&](const Item& item) {
        const double cell = cells_height(item) / static_cast<double>(std::max<Index>(1, item.panel->rows));
        return item.repeats_rows && (figure_.is_composed || item.labels.size < 0.95 * type(style_.label) ||
                                     cell < scaled(style_.cramped_cell));
    });
    if (!rows_once_)
        return;
    most_row_width_ = std::max(most_row_width_, std::min(scaled(12 * style_.label), 0.2 * width));
    plan_roughly(width, height);
    settle(width, height);
}

/// A title is read best on one line that begins where its matrix begins. Where that leaves the matrices too
/// little it is on several lines, then these begin above the labels, and only then are its words cut.
void PanelGrid::choose_titles(double width, double height) {
    constexpr double unseen = 0.1;
    const auto wrap = [&](bool above_labels, bool keeps_words) {
        titles_.begin_above_labels = above_labels;
        titles_.keeps_words = keeps_words;
        wrap_titles(width, height);
    };
    if (!is_wider_than(width, unseen)) {
        constexpr double much = 0.92;  // of the matrices' size, which titles may leave them
        // Matrices that a person put together keep their titles, unless there is no room at all.
        for (const bool above_labels : {false, true}) {
            if (!have_titles_rest() || (above_labels && figure_.is_composed))
                return;
            const TitleWay before = titles_;
            const double cells_before = cells_height_;
            wrap(above_labels, true);
            if (cells_before < much * cells_height_)
                continue;
            titles_ = before;
            plan_roughly(width, height);
            settle(width, height);
        }
        return;
    }
    if (!figure_.is_composed) {
        wrap(true, true);
        return;
    }
    constexpr double of_words = 0.65;  // "Win…" is no title: what matrices leave to whole words
    wrap(false, false);
    const double with_cut_words = cells_height_;
    for (const bool above_labels : {false, true}) {
        wrap(above_labels, true);
        if (!is_wider_than(width, unseen) && cells_height_ >= of_words * with_cut_words)
            return;
    }
    wrap(true, false);
}

void PanelGrid::fit(double width, double height, const std::optional<DecidedGrid>& decided) {
    if (items_.empty())
        return;
    limit_labels(width);
    if (decided) {
        titles_.begin_above_labels = decided->begin_above_labels;
        written_ = decided->titles;
        for (std::size_t number = 0; number < items_.size(); ++number)
            items_[number].flow_form = decided->flows[number];
    }
    plan_roughly(width, height);
    const bool has_trees = shape_trees(width, height), has_flows = shape_flows(width, height),
               has_curves = shape_curves(width), has_points = shape_points(width);
    if (has_trees || has_flows || has_curves || has_points)
        plan_roughly(width, height);
    settle(width, height);
    widen_texts(width, height);
    if (!decided)
        choose_titles(width, height);
    drop_repeated_rows(width, height);
    if (lower_rows_of_words())
        settle(width, height);
    lengthen_labels(width, height);
    if (may_use_height()) {
        use_height(width, height);
        use_width(width, height);
        use_width_for_numbers(width, height);
    }
    stretch();
    give_texts_room(height - this->height());
}

void PanelGrid::settle(double width, double height) {
    // What the labels need depends on the cells' size and the other way round; three rounds settle it. More
    // follow only where smaller cells draw other labels, which need more room.
    constexpr int usual = 3, most = 8;
    const auto is_too_large = [&] {
        return is_wider_than(width, 0.01) || this->height() > height + 0.01 * unit_;
    };
    const double below = is_dense_ && !shared_scale_ ? 0 : 0.5 * type(style_.tick);
    const auto room_for_cells = [&] {
        double cells = std::min(most_cells_, (height - fixed_height() - below) / row_shares());
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
        cells = std::max(cells, natural_cells(*item.panel, style_));
    const double share = items_.size() == 1 ? 1 : shared_axes_ ? 0.45 : 0.75;
    for (int round = 0; round < 2; ++round)
        plan(share * cells * scaled(style_.natural_cell));
    if (lower_rows_of_words())
        plan(cells_height_);
    stretch();
}

}  // namespace headlight
