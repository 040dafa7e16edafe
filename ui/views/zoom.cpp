#include "ui/views/zoom.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

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

namespace {

AxisLabels cropped(const AxisLabels& axis, const AxisWindow& window) {
    AxisLabels part;
    part.title = axis.title;
    for (Index i = window.first(); i < window.first() + window.count(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        // An axis without labels is numbered by its painter, which would count from the start of the window.
        part.labels.push_back(at < axis.labels.size() ? axis.labels[at] : std::to_string(i + 1));
        if (!axis.marked.empty())
            part.marked.push_back(at < axis.marked.size() && axis.marked[at]);
    }
    return part;
}

/// [row, column] or, with one column, [row].
template <class Values>
auto cropped(const Values& values, Index columns, const AxisWindow& rows, Index first, Index count) {
    std::vector<std::remove_cvref_t<decltype(values[0])>> part;
    if (values.empty())
        return part;
    part.reserve(static_cast<std::size_t>(rows.count() * count));
    for (Index r = rows.first(); r < rows.first() + rows.count(); ++r) {
        const auto begin = values.begin() + r * columns + first;
        part.insert(part.end(), begin, begin + count);
    }
    return part;
}

std::optional<Index> cropped(std::optional<Index> cell, const AxisWindow& window) {
    return cell && window.contains(*cell) ? std::optional(*cell - window.first()) : std::nullopt;
}

}  // namespace

Panel cropped(Panel panel, const AxisWindow& rows, const AxisWindow& columns) {
    const auto cells = [&](const auto& values) {
        return cropped(values, panel.columns, rows, columns.first(), columns.count());
    };
    panel.values = cells(panel.values);
    panel.forbidden = cells(panel.forbidden);
    panel.by_hand = cells(panel.by_hand);
    panel.row_sums = cropped(panel.row_sums, 1, rows, 0, 1);
    panel.flagged_rows = cropped(panel.flagged_rows, 1, rows, 0, 1);
    panel.rows = rows.count();
    panel.columns = columns.count();
    if (panel.large) {
        panel.large->first_row += rows.first();
        panel.large->first_column += columns.first();
    }
    panel.row_axis = cropped(panel.row_axis, rows);
    panel.column_axis = cropped(panel.column_axis, columns);
    // Rows after the newest are not drawn: with the newest above the window, none of its rows is.
    if (panel.newest_row)
        *panel.newest_row -= rows.first();
    panel.selected_row = cropped(panel.selected_row, rows);
    panel.selected_column = cropped(panel.selected_column, columns);
    return panel;
}

Figure cropped(Figure figure, const Zoom& zoom) {
    for (Panel& panel : figure.panels)
        if (zoom.concerns(panel))
            panel = cropped(std::move(panel), zoom.rows, zoom.columns);
    return figure;
}

}  // namespace headlight
