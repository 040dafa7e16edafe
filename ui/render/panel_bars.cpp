// The colour bars below and beside the panels of a grid: one for all, one for neighbours, or one for each.

#include "core/figure/ticks.h"
#include "ui/render/panel_grid.h"
#include "ui/render/panel_shape.h"
#include "ui/render/typeface.h"

#include <algorithm>

namespace headlight {

namespace {

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

/// One bar is that of all panels where a colour means the same in each; else each has room for its numbers.
void PanelGrid::choose_bars() {
    const auto coloured = std::ranges::find_if(
        items_, [this](const Item& item) { return is_there(item) && is_coloured(*item.panel); });
    shared_scale_ = figure_.show_colour_bar && coloured != items_.end() &&
                    std::ranges::all_of(items_, [&](const Item& item) {
                        return !is_there(item) || !is_coloured(*item.panel) ||
                               (item.panel->scale == coloured->panel->scale &&
                                item.panel->bar_title == coloured->panel->bar_title);
                    });
    if (shared_scale_)
        bar_scale_ = coloured->panel->scale;
    for (Item& item : items_)
        if (draws_bar(item) && !item.panel->blank && item.panel->kind != Panel::Kind::text)
            item.bar_numbers = narrowest_numbers(item.panel->scale, type(style_.tick), style_.family);
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

double PanelGrid::bar_room() const {
    if (!shared_scale_)
        return 0;
    const double title = figure_.bar_titled == Figure::BarTitle::none ? 0 : 1.5 * style_.tick;
    return scaled(style_.gap + style_.bar_width + 0.5 * style_.tick + title) +
           widest_tick(bar_scale_, type(style_.tick), style_.family);
}

/// Where the numbers below a bar may stand: below the whole panel, and as far into the gaps as leaves those
/// of its neighbours apart; on a screen also below the sign between it and its right neighbour, whose numbers
/// do not come there.
QRectF PanelGrid::numbers_of_bar(const PanelLayout& place, Index row, Index column) const {
    const double into_gap = std::max(0.0, 0.5 * (scaled(style_.gap) - bar_numbers_apart * type(style_.tick)));
    const auto spare = [&](Index right) {  // left of the panel of that column
        const bool is_between = right > 0 && right < columns_ && exists(row, right);
        return is_between && item(row, right).operation == 0 ? into_gap : 0.0;
    };
    const auto below_sign = [&](Index right) {
        const bool is_between = figure_.uses_height && right < columns_ && exists(row, right);
        return is_between ? std::max(0.0, item(row, right).operation - bar_numbers_apart * type(style_.tick))
                          : 0.0;
    };
    return {QPointF(place.frame.left() - spare(column), place.colour_bar.bottom()),
            QPointF(place.frame.right() + spare(column + 1) + below_sign(column + 1), place.frame.bottom())};
}

/// Neighbours with one scale get one bar, as wide as all of them.
void PanelGrid::join_bars(Index row, FigureLayout& layout) const {
    const Item* first = nullptr;
    for (Index column = 0; column < columns_ && exists(row, column); ++column) {
        const Item& here = item(row, column);
        QRectF& bar = layout.panels[here.index].colour_bar;
        const bool goes_on = first && first->panel->scale == here.panel->scale &&
                             first->panel->bar_title == here.panel->bar_title;
        if (here.panel->blank) {
            bar = QRectF();
        } else if (bar.isEmpty()) {
            first = nullptr;
        } else if (goes_on) {
            PanelLayout& joined = layout.panels[first->index];
            joined.colour_bar.setRight(bar.right());
            joined.bar_numbers.setRight(layout.panels[here.index].bar_numbers.right());
            bar = QRectF();
        } else {
            first = &here;
        }
    }
}

}  // namespace headlight
