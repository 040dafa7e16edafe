#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace headlight {
namespace {

constexpr Index most_nodes = 4096;

const std::vector<Index>& given_edges(const Plan& plan) { return plan.position().list("edges"); }
const std::string& graph_of_tokens(const Plan& plan) { return plan.position().word("graph"); }
Index longest_path(const Plan& plan) { return plan.position().count("distance"); }
const std::vector<Index>& kinds_of_edges(const Plan& plan) { return plan.position().list("edge_kinds"); }
/// How many kinds of edges there are; 0: edges hold nothing.
Index count_of_kinds(const Plan& plan) {
    const std::vector<Index>& kinds = kinds_of_edges(plan);
    return kinds.empty() ? 0 : *std::ranges::max_element(kinds) + 1;
}
/// Paths are looked for, and do not follow from two places alone.
bool has_drawn_graph(const Plan& plan) { return !given_edges(plan).empty() || !kinds_of_edges(plan).empty(); }

using Neighbours = std::vector<std::vector<Index>>;

/// Those of a line or a ring, and those that the list of edges joins. Edges to tokens that a text has not say
/// nothing.
Neighbours neighbours(const Plan& plan) {
    const Index n = plan.queries;
    Neighbours all(static_cast<std::size_t>(n));
    const auto join = [&](Index a, Index b) {
        if (std::max(a, b) >= n)
            return;
        all[static_cast<std::size_t>(a)].push_back(b);
        all[static_cast<std::size_t>(b)].push_back(a);
    };
    const std::string& graph = graph_of_tokens(plan);
    for (Index token = 0; graph != "none" && token + 1 < n; ++token)
        join(token, token + 1);
    if (graph == "ring")
        join(n - 1, 0);
    const std::vector<Index>& edges = given_edges(plan);
    for (std::size_t edge = 0; edge + 1 < edges.size(); edge += 2)
        join(edges[edge], edges[edge + 1]);
    return all;
}

/// The shortest paths from each token to each, [n, n].
struct ShortestPaths {
    std::vector<std::uint16_t> lengths;
    std::vector<std::uint16_t> before;  ///< the last token before the end, of several the first in the text
};

/// From each token to its neighbours, from those to theirs, and so on, as long as a path counts.
ShortestPaths shortest_paths(const Plan& plan) {
    const auto n = static_cast<std::size_t>(plan.queries);
    const auto farthest = static_cast<std::uint16_t>(longest_path(plan) + 1);
    const Neighbours next = neighbours(plan);
    std::vector<std::uint16_t> lengths(n * n, farthest), before(n * n);
    for (std::size_t start = 0; start < n; ++start) {
        Interruption::check();
        const auto length = std::span(lengths).subspan(start * n, n);
        length[start] = 0;
        std::vector<std::size_t> reached{start};
        for (std::size_t at = 0; at < reached.size(); ++at) {
            const int steps = length[reached[at]] + 1;
            for (const Index token : next[reached[at]])
                if (const auto other = static_cast<std::size_t>(token); steps < length[other]) {
                    length[other] = static_cast<std::uint16_t>(steps);
                    reached.push_back(other);
                }
        }
        for (std::size_t end = 0; end < n; ++end) {
            auto first = static_cast<std::uint16_t>(n);
            for (const Index token : next[end])
                if (length[static_cast<std::size_t>(token)] + 1 == length[end])
                    first = std::min(first, static_cast<std::uint16_t>(token));
            before[start * n + end] = first;
        }
    }
    return {std::move(lengths), std::move(before)};
}

/// The kind of the last edge between two tokens in the list; that of a line or a ring is 0.
std::map<std::pair<Index, Index>, Index> kinds_between(const Plan& plan) {
    const std::vector<Index>&edges = given_edges(plan), &kinds = kinds_of_edges(plan);
    std::map<std::pair<Index, Index>, Index> between;
    for (std::size_t edge = 0; 2 * edge + 1 < edges.size(); ++edge) {
        const Index a = edges[2 * edge], b = edges[2 * edge + 1];
        between[{a, b}] = between[{b, a}] = edge < kinds.size() ? kinds[edge] : 0;
    }
    return between;
}

/// Null in an outline, which has no numbers.
using PathsOfRun = std::shared_ptr<const ShortestPaths>;

/// The length of the shortest path from one token to another; `farthest` where none is as short as counts.
std::function<Index(Index from, Index to)> length_of_path(const Composer& composer, PathsOfRun paths) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, farthest = longest_path(plan) + 1;
    if (has_drawn_graph(plan))
        return [paths = std::move(paths), n](Index from, Index to) {
            return paths ? static_cast<Index>(paths->lengths[static_cast<std::size_t>(from * n + to)]) : 0;
        };
    const std::string graph = graph_of_tokens(plan);
    return [=](Index from, Index to) {
        const Index steps = std::abs(from - to);
        if (graph == "none")
            return steps == 0 ? 0 : farthest;
        return std::min(graph == "ring" ? std::min(steps, n - steps) : steps, farthest);
    };
}

/// The mean of what the edges of a path hold, a number for each kind at each step of it (equation 7).
Expression write_edge_terms(Composer& composer, const PathsOfRun& paths) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, longest = longest_path(plan);
    const auto kinds = std::make_shared<const std::map<std::pair<Index, Index>, Index>>(kinds_between(plan));
    const Expression table = composer.let(
        "numbers_of_edges", split_rows(transposed(composer.parameter("edge_bias")), composer.heads),
        "a number for each kind of edge at each step, head by head");
    const auto length = [=](Index from, Index to) {
        return paths ? static_cast<Index>(paths->lengths[static_cast<std::size_t>(from * n + to)]) : Index(0);
    };
    const auto before = [=](Index from, Index to) {
        return static_cast<Index>(paths->before[static_cast<std::size_t>(from * n + to)]);
    };
    Expression sum = 0;
    for (Index step = 0; step < std::min(longest, std::max<Index>(n - 1, 1)); ++step) {
        const Expression shares = composer.of_places(
            numbered("edge_shares_", step + 1), {0, n, n},
            "one over the steps of each path that goes so far, else 0", [=](Place at) {
                const Index steps = length(at.row, at.column);
                return step < steps && steps <= longest ? 1 / static_cast<double>(steps) : 0.0;
            });
        const auto number = [=](Index from, Index to) {
            const Index steps = length(from, to);
            if (step >= steps || steps > longest)
                return step;
            Index end = to;
            for (Index left = steps; left > step + 1; --left)
                end = before(from, end);
            const auto kind = kinds->find({before(from, end), end});
            return (kind == kinds->end() ? 0 : kind->second) * longest + step;
        };
        const Expression term = shares * from_row(table, n, n, number);
        sum = step == 0 ? term : sum + term;
    }
    return composer.let("edge_terms", sum, "the mean of the numbers of the edges of each path");
}

Expression define_graphormer(Composer& composer, const Expression&) {
    const Index n = composer.plan.queries;
    PathsOfRun paths;
    if (has_drawn_graph(composer.plan) && !composer.program.is_outline)
        paths = std::make_shared<const ShortestPaths>(shortest_paths(composer.plan));
    const Expression table = composer.let(
        "bias_of_paths", split_rows(transposed(composer.parameter("spatial_bias")), composer.heads),
        "a number for each length of a path, head by head");
    const Expression of_lengths = from_row(table, n, n, length_of_path(composer, paths));
    return count_of_kinds(composer.plan) > 0 ? of_lengths + write_edge_terms(composer, paths) : of_lengths;
}

void check_graphormer(const Plan& plan) {
    require_one_sequence(plan, "graphormer positions", "tokens are the nodes of one graph");
    const std::vector<Index>& edges = given_edges(plan);
    if (edges.size() % 2 != 0)
        throw Error({"graphormer positions", "position.edges", "two numbers for each edge",
                     std::to_string(edges.size()) + " numbers"});
    if (2 * kinds_of_edges(plan).size() > edges.size())
        throw Error({"graphormer positions", "position.edge_kinds",
                     "one kind for each edge of the list, " + std::to_string(edges.size() / 2) + " at most",
                     std::to_string(kinds_of_edges(plan).size())});
    if (has_drawn_graph(plan) && plan.queries > most_nodes)
        throw Error({"graphormer positions", "tokens",
                     "at most " + std::to_string(most_nodes) + " where edges are given",
                     std::to_string(plan.queries)});
}

}  // namespace

PositionComponent declare_positions_graphormer() {
    PositionComponent component;
    component.meaning =
        "s + b_h[φ(i, j)], φ the length of the shortest path between two nodes of a graph: every node sees "
        "every other, and how far apart they are in the graph has a learned number; where edges have kinds, "
        "c_h the mean of a number for each edge of the path, by its kind and its step, is added (Graphormer, "
        "Ying et al. 2021)";
    component.options = {
        word_option("graph", "Graph", {"line", "ring", "none"},
                    "Which tokens are neighbours beside those that the list of edges joins: each and the "
                    "next; in a ring the last and the first as well; or no others."),
        list_option("edges", "Edges", {}, {0, most_nodes - 1},
                    "Numbers of tokens, counted from 0, two for each edge: 0, 1, 1, 2 joins the first three. "
                    "Edges to tokens that the text has not are passed over."),
        count_option("distance", "Longest path", 4, logarithmic_range(1, 512),
                     "Longer paths, and none at all, share one number more."),
        list_option(
            "edge_kinds", "Kinds of the edges", {}, {0, 255},
            "What each edge of the list holds, as a number of its kind, counted from 0; other edges are of "
            "kind 0. The mean of what the edges of a path hold is added as well. Empty: they hold nothing.")};
    component.known_parameters = {
        {"spatial_bias", "[distance + 2, h]",
         "what is added for a path of 0, 1, ... steps, and last for a longer one or none"},
        {"edge_bias", "[kinds distance, h]",
         "what an edge of each kind adds as the 1st, 2nd, ... of a path, kind below kind"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("spatial_bias", {longest_path(plan) + 2, plan.heads});
        if (const Index kinds = count_of_kinds(plan); kinds > 0)
            list.add("edge_bias", {kinds * longest_path(plan), plan.heads});
    };
    component.check = check_graphormer;
    component.has_bias = true;
    component.define_bias = define_graphormer;
    return component;
}

}  // namespace headlight
