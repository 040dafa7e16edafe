#include "core/figure/flow.h"

#include "core/figure/ticks.h"
#include "core/tensor/csv.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headlight {
namespace {

std::string_view word_of_kind(Flow::Node::Kind kind) {
    switch (kind) {
    case Flow::Node::Kind::box:
        return "box";
    case Flow::Node::Kind::frame:
        return "frame";
    case Flow::Node::Kind::word:
        return "token";
    case Flow::Node::Kind::mark:
        return "state";
    case Flow::Node::Kind::gap:
        break;
    }
    return "folded";
}

}  // namespace

std::optional<Index> lit_node(const Flow& flow) {
    for (Index node = std::ssize(flow.nodes) - 1; node >= 0; --node)
        if (const Flow::Node& each = flow_node(flow, node);
            each.light == Flow::Light::lit && each.kind == Flow::Node::Kind::box)
            return node;
    return std::nullopt;
}

bool is_selectable(const Flow::Node& node) { return !node.place.stage.empty() && !node.title.empty(); }

std::string node_in_words(const Flow& flow, Index node) {
    const Flow::Node& each = flow_node(flow, node);
    std::string words = each.title;
    const auto add = [&words](const std::string& more) {
        words += (words.empty() || more.empty() ? "" : ", ") + more;
    };
    add(each.words.empty() ? each.shape : each.words);
    if (each.light == Flow::Light::lit)
        add(each.kind == Flow::Node::Kind::box ? "in view" : "selected");
    // The thickest of many arrows are said by the picture's own words.
    constexpr std::ptrdiff_t most = 4;
    const auto comes_here = [node](const Flow::Edge& edge) {
        const bool is_only_before = edge.is_dashed && !edge.weight;
        return edge.to == node && !is_only_before;
    };
    const auto count = std::ranges::count_if(flow.edges, comes_here);
    std::string sources;
    for (const Flow::Edge& edge : flow.edges)
        if (const std::string& from = flow_node(flow, edge.from).title;
            comes_here(edge) && count <= most && !from.empty())
            sources += (sources.empty() ? "from " : " and ") + from;
    add(sources);
    if (each.kind != Flow::Node::Kind::box && !std::isnan(each.number))
        add(format_fixed(each.number, 2));
    return each.meaning.empty() ? words : words + (words.empty() ? "" : ". ") + each.meaning;
}

std::vector<std::vector<std::string>> lines_of(const Flow& flow) {
    std::vector<std::vector<std::string>> lines{{"what", "name", "to", "site", "stage", "shape", "number"}};
    for (const Flow::Node& node : flow.nodes)
        lines.push_back({std::string(word_of_kind(node.kind)), node.title, "", node.place.site,
                         node.place.stage, node.shape,
                         std::isnan(node.number) ? std::string() : csv_number(node.number)});
    for (const Flow::Edge& edge : flow.edges)
        lines.push_back({"arrow", flow_node(flow, edge.from).title, flow_node(flow, edge.to).title, "", "",
                         "", edge.weight ? csv_number(*edge.weight) : std::string()});
    return lines;
}

}  // namespace headlight
