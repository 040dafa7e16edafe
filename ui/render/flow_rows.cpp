#include "ui/render/flow_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace headlight {
namespace {

/// The first column of each row: of all ways to part them the one whose widest row is the narrowest.
std::vector<std::size_t> firsts_of_rows(std::size_t rows, const std::vector<double>& widths,
                                        const std::vector<double>& gaps) {
    const std::size_t columns = widths.size();
    constexpr double never = std::numeric_limits<double>::infinity();
    // least[row][end]: how wide the widest of the first rows is that have the columns before `end`.
    std::vector least(rows + 1, std::vector<double>(columns + 1, never));
    std::vector begins(rows + 1, std::vector<std::size_t>(columns + 1, 0));
    least[0][0] = 0;
    for (std::size_t row = 1; row <= rows; ++row)
        for (std::size_t end = 1; end <= columns; ++end) {
            double width = 0;
            for (std::size_t begin = end; begin-- > 0;) {
                width += widths[begin] + (begin + 1 < end ? gaps[begin + 1] : 0);
                if (const double widest = std::max(width, least[row - 1][begin]); widest < least[row][end]) {
                    least[row][end] = widest;
                    begins[row][end] = begin;
                }
            }
        }
    std::vector<std::size_t> firsts(rows);
    for (std::size_t row = rows, end = columns; row > 0; --row)
        end = firsts[row - 1] = begins[row][end];
    return firsts;
}

}  // namespace

double line_in_column(const Flow& flow, const Flow::Edge& edge, Index column) {
    const Flow::Node &from = flow_node(flow, edge.from), &to = flow_node(flow, edge.to);
    if (column <= from.column)
        return from.line;
    return column >= to.column ? to.line : edge.via[static_cast<std::size_t>(column - from.column - 1)];
}

FlowRows::FlowRows(const Flow& flow)
    : rows_{{0, 0, flow.lines, {}}}, row_of_(std::max<std::size_t>(1, flow.gaps.size()), 0) {}

FlowRows::FlowRows(const Flow& flow, Index rows, const std::vector<double>& widths,
                   const std::vector<double>& gaps) {
    for (const std::size_t first : firsts_of_rows(static_cast<std::size_t>(rows), widths, gaps)) {
        row_of_.resize(first, std::ssize(rows_) - 1);
        rows_.push_back({static_cast<Index>(first), flow.lines, 0, {}});
    }
    row_of_.resize(widths.size(), std::ssize(rows_) - 1);
    for (Index number = 0; number < std::ssize(flow.edges); ++number) {
        const Flow::Edge& edge = flow.edges[static_cast<std::size_t>(number)];
        const Index from = flow_node(flow, edge.from).column, to = flow_node(flow, edge.to).column;
        for (Index row = row_of(from); row < row_of(to); ++row)
            rows_[static_cast<std::size_t>(row)].crossing.push_back(number);
    }
    for (Index row = 0; row + 1 < count(); ++row) {
        const auto lines = [&](Index number) {
            const Flow::Edge& edge = flow.edges[static_cast<std::size_t>(number)];
            return std::pair(line_in_column(flow, edge, last(row)),
                             line_in_column(flow, edge, last(row) + 1));
        };
        std::ranges::stable_sort(rows_[static_cast<std::size_t>(row)].crossing, {}, lines);
    }
    const auto take = [this](Index column, double top, double bottom) {
        Row& row = rows_[static_cast<std::size_t>(row_of(column))];
        row.top = std::min(row.top, top);
        row.bottom = std::max(row.bottom, bottom);
    };
    for (const Flow::Node& node : flow.nodes)
        take(node.column, node.line - 0.5 * node.height, node.line + 0.5 * node.height);
    for (const Flow::Edge& edge : flow.edges) {
        const Index from = flow_node(flow, edge.from).column, to = flow_node(flow, edge.to).column;
        for (Index column = from; column <= to; column = next_column(flow, edge, column)) {
            const double line = line_in_column(flow, edge, column);
            take(column, line, line);
        }
    }
}

Index FlowRows::last(Index row) const {
    return (row + 1 < count() ? first(row + 1) : std::ssize(row_of_)) - 1;
}

Index FlowRows::next_column(const Flow& flow, const Flow::Edge& edge, Index column) const {
    const Index to = flow_node(flow, edge.to).column;
    if (to <= column || column != last(row_of(column)))
        return column + 1;
    // The outermost at the left in each of so many: no other crosses it there.
    const std::size_t most = crossing(row_of(column)).size();
    for (Index row = row_of(column); row < row_of(to); ++row) {
        const Flow::Edge& outermost = flow.edges[static_cast<std::size_t>(crossing(row).back())];
        if (crossing(row).size() != most || outermost.from != edge.from || outermost.to != edge.to)
            return column + 1;
    }
    return first(row_of(to));
}

Index FlowRows::most_columns() const {
    Index most = 0;
    for (Index row = 0; row < count(); ++row)
        most = std::max<Index>(most, last(row) - first(row) + 1);
    return most;
}

Index FlowRows::most_crossing() const {
    Index most = 0;
    for (const Row& row : rows_)
        most = std::max<Index>(most, std::ssize(row.crossing));
    return most;
}

}  // namespace headlight
