#include "core/figure/layered_graph.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

/// A node, or the place of an edge in a column that it passes.
struct Stop {
    Index node = -1, edge = -1;
    double wanted = 0;                        ///< the mean of its neighbours
    std::vector<std::size_t> before, behind;  ///< its neighbours, by their number among all stops
};

std::vector<Index> columns_of(Index nodes, std::span<const GraphEdge> edges) {
    std::vector<Index> columns(static_cast<std::size_t>(nodes), 0);
    std::vector<bool> is_reached(columns.size(), false);
    for (Index node = 0; node < nodes; ++node)
        for (const GraphEdge& edge : edges)
            if (edge.to == node) {
                const auto at = static_cast<std::size_t>(node);
                columns[at] = std::max(columns[at], columns[static_cast<std::size_t>(edge.from)] + 1);
                is_reached[at] = true;
            }
    for (Index node = 1; node < nodes; ++node) {
        const auto at = static_cast<std::size_t>(node);
        Index first = -1;
        for (const GraphEdge& edge : edges)
            if (edge.from == node) {
                const Index column = columns[static_cast<std::size_t>(edge.to)];
                first = first < 0 ? column : std::min(first, column);
            }
        if (!is_reached[at] && first > 0)
            columns[at] = first - 1;
    }
    return columns;
}

/// Columns of stops, in which the ways of edges are chains of neighbours.
class StopColumns {
public:
    StopColumns(std::span<const GraphEdge> edges, const std::vector<Index>& columns) {
        Index last = 0;
        for (const Index column : columns)
            last = std::max(last, column);
        order_.resize(static_cast<std::size_t>(last) + 1);
        for (std::size_t node = 0; node < columns.size(); ++node)
            add({.node = static_cast<Index>(node), .before = {}, .behind = {}}, columns[node]);
        for (std::size_t edge = 0; edge < edges.size(); ++edge) {
            auto from = static_cast<std::size_t>(edges[edge].from);
            const auto to = static_cast<std::size_t>(edges[edge].to);
            for (Index column = columns[from] + 1, end = columns[to]; column < end; ++column) {
                const std::size_t stop =
                    add({.edge = static_cast<Index>(edge), .before = {}, .behind = {}}, column);
                join(from, stop);
                from = stop;
            }
            join(from, to);
        }
    }

    /// Columns one after another to the mean of those before them, then back: each time with fewer crossings,
    /// mostly.
    void uncross() {
        constexpr int rounds = 4;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t column = 1; column < order_.size(); ++column)
                sort(column, &Stop::before);
            for (std::size_t column = order_.size() - 1; column-- > 0;)
                sort(column, &Stop::behind);
        }
    }

    LayeredGraph placed(std::size_t nodes, std::size_t edges) const {
        LayeredGraph graph;
        graph.nodes.resize(nodes);
        graph.via.resize(edges);
        graph.columns = std::ssize(order_);
        for (const auto& column : order_)
            graph.lanes = std::max<Index>(graph.lanes, std::ssize(column));
        for (std::size_t column = 0; column < order_.size(); ++column)
            for (std::size_t at = 0; at < order_[column].size(); ++at) {
                const double lane = static_cast<double>(at) + margin(column, graph.lanes);
                const Stop& stop = stops_[order_[column][at]];
                if (stop.node >= 0)
                    graph.nodes[static_cast<std::size_t>(stop.node)] = {static_cast<Index>(column), lane};
                else
                    graph.via[static_cast<std::size_t>(stop.edge)].push_back(lane);
            }
        return graph;
    }

private:
    std::size_t add(Stop stop, Index column) {
        order_[static_cast<std::size_t>(column)].push_back(stops_.size());
        stops_.push_back(std::move(stop));
        return stops_.size() - 1;
    }

    void join(std::size_t from, std::size_t to) {
        stops_[from].behind.push_back(to);
        stops_[to].before.push_back(from);
    }

    double margin(std::size_t column, Index lanes) const {
        return 0.5 * static_cast<double>(lanes - std::ssize(order_[column]));
    }

    void sort(std::size_t column, std::vector<std::size_t> Stop::*neighbours) {
        std::vector<double> places(stops_.size(), 0);
        for (const auto& each : order_)
            for (std::size_t at = 0; at < each.size(); ++at)
                places[each[at]] = static_cast<double>(at) - 0.5 * static_cast<double>(each.size());
        for (const std::size_t stop : order_[column]) {
            const std::vector<std::size_t>& near = stops_[stop].*neighbours;
            double sum = 0;
            for (const std::size_t other : near)
                sum += places[other];
            stops_[stop].wanted = near.empty() ? places[stop] : sum / static_cast<double>(near.size());
        }
        std::ranges::stable_sort(order_[column], {},
                                 [this](std::size_t stop) { return stops_[stop].wanted; });
    }

    std::vector<Stop> stops_;
    std::vector<std::vector<std::size_t>> order_;  ///< [column]: from the top
};

}  // namespace

LayeredGraph layered(Index nodes, std::span<const GraphEdge> edges) {
    if (nodes == 0)
        return {};
    StopColumns columns(edges, columns_of(nodes, edges));
    columns.uncross();
    return columns.placed(static_cast<std::size_t>(nodes), edges.size());
}

}  // namespace headlight
