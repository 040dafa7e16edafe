#include "core/figure/flow_builder.h"

#include "core/figure/stage_flow.h"

#include <utility>

namespace headlight {

void FlowBuilder::begin_column(double gap) { flow.gaps.push_back(gap); }

Index FlowBuilder::add(Flow::Node node) {
    node.column = std::ssize(flow.gaps) - 1;
    flow.nodes.push_back(std::move(node));
    return std::ssize(flow.nodes) - 1;
}

void FlowBuilder::join(Index from, Index to, Flow::Light light) {
    Flow::Edge edge{from, to};
    edge.light = light;
    flow.edges.push_back(std::move(edge));
}

void FlowBuilder::chain(const std::vector<Index>& nodes) {
    for (std::size_t at = 1; at < nodes.size(); ++at)
        join(nodes[at - 1], nodes[at]);
}

Flow::Node node_of_tensor(const Stage& stage) {
    Flow::Node node;
    node.shape = shape_of_stage(stage);
    node.words = shape_in_words(stage);
    const std::size_t rank = stage.shape.size();
    node.rows = rank > 1 ? stage.shape[rank - 2] : rank > 0 ? stage.shape.back() : 1;
    node.columns = rank > 1 ? stage.shape.back() : 1;
    node.place = {stage.site, stage.name, 0, {}, {}};
    return node;
}

}  // namespace headlight
