#pragma once

#include "core/attention/trace.h"
#include "core/figure/flow.h"

#include <vector>

namespace headlight {

/// Puts a flow together column by column.
class FlowBuilder {
public:
    Flow flow;

    /// What is added from now on stands in one more column, so many lines right of the one before it.
    void begin_column(double gap);
    /// Returns its number.
    Index add(Flow::Node node);
    Flow::Node& node(Index node) { return flow.nodes[static_cast<std::size_t>(node)]; }
    /// A thin arrow.
    void join(Index from, Index to, Flow::Light light = Flow::Light::quiet);
    /// Thin arrows from each to the next.
    void chain(const std::vector<Index>& nodes);
};

/// A box with the size of a stage, that a click selects.
Flow::Node node_of_tensor(const Stage& stage);

}  // namespace headlight
