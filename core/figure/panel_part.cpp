#include "core/figure/panel_part.h"

#include "core/figure/allowed_cells.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace headlight {
namespace {

/// [row, column] or, with one column, [row].
template <class Values>
auto cells_of_part(const Values& values, Index columns, const AxisSlice& rows, const AxisSlice& across) {
    std::vector<std::remove_cvref_t<decltype(values[0])>> part;
    if (values.empty())
        return part;
    part.reserve(static_cast<std::size_t>(rows.count * across.count));
    for (Index r = rows.first; r < rows.first + rows.count; ++r) {
        const auto begin = values.begin() + r * columns + across.first;
        part.insert(part.end(), begin, begin + across.count);
    }
    return part;
}

/// Empty where nothing of it is there.
AxisSlice slice_of_part(const AxisSlice& whole, const AxisSlice& part) {
    const Index first = std::max(whole.first, part.first);
    const Index end = std::min(whole.first + whole.count, part.first + part.count);
    return {first - part.first, std::max<Index>(end - first, 0)};
}

}  // namespace

AxisLabels part_of(const AxisLabels& axis, const AxisSlice& slice) {
    AxisLabels part;
    part.title = axis.title;
    part.meaning = axis.meaning;
    part.first = axis.first + slice.first;
    const auto take = [&](const auto& whole, auto& some) {
        const Index count = std::ssize(whole);
        some.assign(whole.begin() + std::min(slice.first, count),
                    whole.begin() + std::min(slice.first + slice.count, count));
    };
    take(axis.labels, part.labels);
    take(axis.marked, part.marked);
    take(axis.hidden, part.hidden);
    return part;
}

std::optional<Index> cell_of_part(std::optional<Index> cell, const AxisSlice& part) {
    const bool is_there = cell && *cell >= part.first && *cell < part.first + part.count;
    return is_there ? std::optional(*cell - part.first) : std::nullopt;
}

Panel part_of(Panel panel, const AxisSlice& rows, const AxisSlice& columns) {
    const auto cells = [&](const auto& values) {
        return cells_of_part(values, panel.columns, rows, columns);
    };
    panel.values = cells(panel.values);
    panel.forbidden = cells(panel.forbidden);
    panel.by_hand = cells(panel.by_hand);
    panel.row_sums = cells_of_part(panel.row_sums, 1, rows, {0, 1});
    panel.flagged_rows = cells_of_part(panel.flagged_rows, 1, rows, {0, 1});
    panel.rows = rows.count;
    panel.columns = columns.count;
    if (panel.large) {
        panel.large->first_row += rows.first;
        panel.large->first_column += columns.first;
    }
    panel.row_axis = part_of(panel.row_axis, rows);
    panel.column_axis = part_of(panel.column_axis, columns);
    // Rows after the newest are not drawn: with the newest above the part, none of its rows is.
    if (panel.newest_row)
        *panel.newest_row -= rows.first;
    panel.selected_row = cell_of_part(panel.selected_row, rows);
    panel.selected_column = cell_of_part(panel.selected_column, columns);
    std::vector<MarkedCells> outlined;
    for (const MarkedCells& each : panel.outlined) {
        const MarkedCells left{slice_of_part(each.rows, rows), slice_of_part(each.columns, columns)};
        if (left.rows.count > 0 && left.columns.count > 0)
            outlined.push_back(left);
    }
    panel.outlined = std::move(outlined);
    const auto moved = [&](const NotedCell& cell) -> std::optional<NotedCell> {
        const auto row = cell_of_part(cell.row, rows), column = cell_of_part(cell.column, columns);
        return row && column ? std::optional(NotedCell{*row, *column}) : std::nullopt;
    };
    std::vector<CellNote> notes;
    for (CellNote& note : panel.notes) {
        const auto cell = moved(note.cell), from = note.from ? moved(*note.from) : std::nullopt;
        if (cell && from.has_value() == note.from.has_value())
            notes.push_back({*cell, from, std::move(note.text)});
    }
    panel.notes = std::move(notes);
    return panel;
}

void take_numbers(Panel& panel) {
    constexpr Index most_cells = 20'000;
    if (!panel.large || panel.rows * panel.columns > most_cells)
        return;
    const SeenMap seen = seen_map(*panel.large, panel.rows, panel.columns, panel.rows, panel.columns);
    // Thousands of rows with a few columns are seen in fewer cells than there are.
    if (!seen.is_complete || seen.rows != panel.rows || seen.columns != panel.columns)
        return;
    panel.values = std::vector<double>(seen.furthest.begin(), seen.furthest.end());
    panel.forbidden = forbidden_pairs(*panel.large, panel.rows, panel.columns);
    panel.large.reset();
}

Figure with_all_numbers(Figure figure, const std::string& operation) {
    for (Panel& panel : figure.panels) {
        if (!panel.large)
            continue;
        const LargeMap& map = *panel.large;
        const MapBlock block{map.first_row, panel.rows, map.first_column, panel.columns};
        require_memory(operation, panel.title, sizeof(double) * static_cast<double>(block.size()));
        std::vector<double> numbers(block.size());
        map.tiles->maps()->read_block(map.place, block, numbers);
        panel.values = std::move(numbers);
        panel.large.reset();
    }
    return figure;
}

}  // namespace headlight
