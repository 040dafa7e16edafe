#include "ui/views/zoom.h"

#include "core/figure/panel_part.h"

#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

double wheel_factor(const QWheelEvent& event) { return std::pow(1.25, event.angleDelta().y() / 120.0); }

AxisWindow::AxisWindow(Index extent) : extent_(extent), count_(static_cast<double>(extent)) {}

AxisWindow::AxisWindow(const AxisPart& part) : extent_(part.extent), first_(part.first), count_(part.count) {
    keep_inside();
}

Index AxisWindow::count() const {
    return std::clamp<Index>(std::lround(count_), std::min(fewest_cells, extent_), extent_);
}

Index AxisWindow::first() const { return std::clamp<Index>(std::lround(first_), 0, extent_ - count()); }

void AxisWindow::zoom(double factor, double anchor) {
    const double point = first_ + anchor * count_;
    count_ /= factor;
    keep_inside();
    first_ = point - anchor * count_;
    keep_inside();
}

void AxisWindow::pan(double cells) {
    first_ += cells;
    keep_inside();
}

void AxisWindow::reveal(Index cell) {
    if (cell < first())
        first_ = static_cast<double>(cell);
    else if (cell >= first() + count())
        first_ = static_cast<double>(cell - count() + 1);
    keep_inside();
}

void AxisWindow::show_all() { *this = AxisWindow(extent_); }

void AxisWindow::keep_inside() {
    const auto extent = static_cast<double>(extent_);
    count_ = std::clamp(count_, std::min(static_cast<double>(fewest_cells), extent), extent);
    first_ = std::clamp(first_, 0.0, extent - count_);
}

Zoom::Zoom(const std::optional<ZoomedPart>& part) {
    if (part) {
        rows = AxisWindow(part->rows);
        columns = AxisWindow(part->columns);
    }
}

std::optional<ZoomedPart> Zoom::part() const {
    Zoom all = *this;
    all.show_all();
    return all == *this ? std::nullopt : std::optional(ZoomedPart{rows.part(), columns.part()});
}

void Zoom::zoom(double factor, double row_anchor, double column_anchor) {
    rows.zoom(factor, row_anchor);
    columns.zoom(factor, column_anchor);
}

void Zoom::reveal(Index row, Index column) {
    rows.reveal(row);
    columns.reveal(column);
}

void Zoom::show_all() {
    rows.show_all();
    columns.show_all();
}

void Zoom::fit(Index row_extent, Index column_extent) {
    if (rows.extent() == row_extent && columns.extent() == column_extent)
        return;
    rows = AxisWindow(row_extent);
    columns = AxisWindow(column_extent);
}

Panel cropped(Panel panel, const AxisWindow& rows, const AxisWindow& columns) {
    return part_of(std::move(panel), {rows.first(), rows.count()}, {columns.first(), columns.count()});
}

Figure cropped(Figure figure, const Zoom& zoom) {
    for (Panel& panel : figure.panels)
        if (zoom.concerns(panel))
            panel = cropped(std::move(panel), zoom.rows, zoom.columns);
    return figure;
}

}  // namespace headlight
