#pragma once

#include "core/figure/flow_builder.h"
#include "core/figure/model_parts.h"
#include "core/figure/panel_maker.h"

#include <optional>

namespace headlight {

/// The nodes of a stack that arrows lead to.
struct PlacedStack {
    Index first = 0, last = 0;
    std::optional<Index> lit;  ///< the site in view
};

/// Draws the layers of a model below one another, those far from the one in view folded. A layer is a box,
/// or of a decoder that looks at itself and at the source a frame around two.
class StackColumns {
public:
    StackColumns(const PanelMaker& maker, const ModelParts& parts) : maker_(maker), parts_(parts) {}

    /// In lines.
    double height(const ModelStack& stack) const;
    /// Into the newest column, from the line `top` on.
    PlacedStack add(FlowBuilder& builder, const ModelStack& stack, double top) const;
    /// Below the one box of a recurrent model, what it hands to the decoder's state; the box itself where
    /// that was not recorded.
    Index add_context(FlowBuilder& builder, const std::string& site, const PlacedStack& placed) const;

private:
    bool has_context(const ModelStack& stack) const;
    double layer_height(const ModelStack::Layer& layer) const;
    Flow::Node node_of_site(const std::string& site, const std::string& title) const;
    /// What the attention of a layer is, where the layers of the stack have several and the trace says which.
    std::string attention_of(const ModelStack& stack, const std::string& site) const;
    Index add_layer(FlowBuilder& builder, const ModelStack& stack, const ModelStack::Layer& layer, double top,
                    std::optional<Index>& lit) const;

    const PanelMaker& maker_;
    const ModelParts& parts_;
};

}  // namespace headlight
