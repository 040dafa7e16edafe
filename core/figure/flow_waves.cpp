#include "core/figure/flow_waves.h"

#include "core/figure/ticks.h"
#include "core/figure/words.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight {
namespace {

const Flow::Edge& arrow_at(const Flow& flow, Index arrow) {
    return flow.edges[static_cast<std::size_t>(arrow)];
}

/// The arrows from there that what is in view leads along, else the one to a word.
std::vector<Index> arrows_on(const Flow& flow, Index from) {
    std::vector<Index> firm, to_words;
    for (Index at = 0; at < std::ssize(flow.edges); ++at) {
        const Flow::Edge& edge = arrow_at(flow, at);
        if (edge.from != from || edge.weight)
            continue;
        if (edge.light != Flow::Light::quiet)
            firm.push_back(at);
        else if (flow_node(flow, edge.to).kind == Flow::Node::Kind::word)
            to_words.push_back(at);
    }
    return firm.empty() ? to_words : firm;
}

std::string part_in_words(const Flow::Node& node) {
    switch (node.kind) {
    case Flow::Node::Kind::word:
        return in_quotes(node.title);
    case Flow::Node::Kind::mark:
        return "the state of " + in_quotes(node.title);
    default:
        return node.title;
    }
}

/// Whether weighted arrows lead to where this one begins.
bool takes_weights(const Flow& flow, Index arrow) {
    const Index part = arrow_at(flow, arrow).from;
    return std::ranges::any_of(
        flow.edges, [part](const Flow::Edge& edge) { return edge.to == part && edge.weight.has_value(); });
}

}  // namespace

std::vector<std::vector<Index>> flow_waves(const Flow& flow) {
    std::vector<Index> weighted;
    for (Index at = 0; at < std::ssize(flow.edges); ++at)
        if (arrow_at(flow, at).weight && arrow_at(flow, at).share > 0)
            weighted.push_back(at);
    if (weighted.empty())
        return {};
    std::vector<std::vector<Index>> waves{std::move(weighted)};
    std::vector<Index> met{arrow_at(flow, waves.front().front()).to};
    while (true) {
        std::vector<Index> next = arrows_on(flow, met.back());
        if (next.empty())
            return waves;
        const Index to = arrow_at(flow, next.front()).to;
        if (std::ranges::count(met, to) > 0)
            return waves;
        met.push_back(to);
        waves.push_back(std::move(next));
    }
}

std::string wave_in_words(const Flow& flow, const std::vector<Index>& wave) {
    const std::string to = part_in_words(flow_node(flow, arrow_at(flow, wave.front()).to));
    if (!arrow_at(flow, wave.front()).weight) {
        const Flow::Node& from = flow_node(flow, arrow_at(flow, wave.front()).from);
        if (flow_node(flow, arrow_at(flow, wave.front()).to).kind == Flow::Node::Kind::word)
            return to + " is said";
        return (takes_weights(flow, wave.front()) ? "What was mixed" : capitalized(part_in_words(from))) +
               " goes into " + to;
    }
    constexpr std::size_t most_named = 3;
    constexpr int decimals = 4;  // as in the cells of the weights
    std::vector<Index> heaviest = wave;
    std::ranges::stable_sort(heaviest, std::greater(),
                             [&](Index arrow) { return std::abs(*arrow_at(flow, arrow).weight); });
    std::vector<std::string> named;
    for (std::size_t at = 0; at < std::min(most_named, heaviest.size()); ++at) {
        const Flow::Edge& edge = arrow_at(flow, heaviest[at]);
        named.push_back(part_in_words(flow_node(flow, edge.from)) + " (weight " +
                        format_fixed(*edge.weight, decimals) + ")");
    }
    if (named.size() == 1) {  // what has no arrow is so little that it may not show in the number
        const bool is_all = named.front().ends_with("(weight " + format_fixed(1, decimals) + ")");
        return (is_all ? "All of the context comes from " : "The context comes from ") + named.front();
    }
    if (heaviest.size() > most_named)
        named.push_back(std::to_string(heaviest.size() - most_named) + " more");
    std::string all = named.front();
    for (std::size_t at = 1; at < named.size(); ++at)
        all += (at + 1 < named.size() ? ", " : " and ") + named[at];
    return "The context is mixed from " + all;
}

}  // namespace headlight
