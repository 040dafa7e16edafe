#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace headlight {
namespace {

constexpr Index most_nodes = 4096;

const Options& graphormer_options(const Plan& plan) { return plan.spec.position.options; }
const std::vector<Index>& given_edges(const Plan& plan) {
    return option<std::vector<Index>>(graphormer_options(plan), "edges");
}
const std::string& graph_of_tokens(const Plan& plan) {
    return option<std::string>(graphormer_options(plan), "graph");
}
Index longest_path(const Plan& plan) { return option<Index>(graphormer_options(plan), "distance"); }

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

/// Returns the lengths of the shortest paths, [n, n]: from each token to its neighbours, from those to
/// theirs, and so on, as long as a path counts.
std::vector<std::uint16_t> path_lengths(const Plan& plan) {
    const auto n = static_cast<std::size_t>(plan.queries);
    const auto farthest = static_cast<std::uint16_t>(longest_path(plan) + 1);
    const Neighbours next = neighbours(plan);
    std::vector<std::uint16_t> lengths(n * n, farthest);
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
    }
    return lengths;
}

/// The length of the shortest path from one token to another; `farthest` where none is as short as counts.
std::function<Index(Index from, Index to)> length_of_path(const Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, farthest = longest_path(plan) + 1;
    if (!given_edges(plan).empty()) {
        if (composer.program.is_outline)
            return [](Index, Index) { return Index(0); };
        const auto lengths = std::make_shared<const std::vector<std::uint16_t>>(path_lengths(plan));
        return [=](Index from, Index to) {
            return static_cast<Index>((*lengths)[static_cast<std::size_t>(from * n + to)]);
        };
    }
    const std::string graph = graph_of_tokens(plan);
    return [=](Index from, Index to) {
        const Index steps = std::abs(from - to);
        if (graph == "none")
            return steps == 0 ? 0 : farthest;
        return std::min(graph == "ring" ? std::min(steps, n - steps) : steps, farthest);
    };
}

Expression define_graphormer(Composer& composer, const Expression&) {
    const Index n = composer.plan.queries;
    const Expression table = composer.let(
        "bias_of_paths", split_rows(transposed(composer.parameter("spatial_bias")), composer.heads),
        "a number for each length of a path, head by head");
    return pick(table, {1, 1, {0}}, places_of(n, n, length_of_path(composer)));
}

void check_graphormer(const Plan& plan) {
    require_one_sequence(plan, "graphormer positions", "tokens are the nodes of one graph");
    const std::vector<Index>& edges = given_edges(plan);
    if (edges.size() % 2 != 0)
        throw Error({"graphormer positions", "position.edges", "two numbers for each edge",
                     std::to_string(edges.size()) + " numbers"});
    if (!edges.empty() && plan.queries > most_nodes)
        throw Error({"graphormer positions", "tokens",
                     "at most " + std::to_string(most_nodes) + " where edges are given",
                     std::to_string(plan.queries)});
}

}  // namespace

PositionComponent declare_positions_graphormer() {
    PositionComponent component;
    component.type = PositionType::graphormer;
    component.word = "graphormer";
    component.meaning =
        "s + b_h[φ(i, j)], φ the length of the shortest path between two nodes of a graph: every node sees "
        "every other, and how far apart they are in the graph has a learned number (Graphormer, Ying et al. "
        "2021)";
    component.options = {
        {.name = "graph",
         .label = "Graph",
         .standard = std::string("line"),
         .choices = {"line", "ring", "none"},
         .help = "Which tokens are neighbours beside those that the list of edges joins: each and the next; "
                 "in a ring the last and the first as well; or no others."},
        {.name = "edges",
         .label = "Edges",
         .standard = std::vector<Index>{},
         .minimum = 0,
         .maximum = most_nodes - 1,
         .help = "Numbers of tokens, counted from 0, two for each edge: 0, 1, 1, 2 joins the first three. "
                 "Edges to tokens that the text has not are passed over."},
        {.name = "distance",
         .label = "Longest path",
         .standard = Index(4),
         .minimum = 1,
         .maximum = 512,
         .logarithmic = true,
         .help = "Longer paths, and none at all, share one number more."}};
    component.known_parameters = {
        {"spatial_bias",
         {},
         "[distance + 2, h]: what is added for a path of 0, 1, ... steps, and last for a longer one or none "
         "(graphormer)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("spatial_bias", {longest_path(plan) + 2, plan.heads},
                 "is added to the scores, by the length of the path");
    };
    component.check = check_graphormer;
    component.has_bias = true;
    component.define_bias = define_graphormer;
    return component;
}

}  // namespace headlight
