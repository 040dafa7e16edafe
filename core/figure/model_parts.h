#pragma once

#include "core/attention/trace.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// The layers of one side of a model, by the sites that its trace has.
struct ModelStack {
    struct Layer {
        std::optional<Index> number;  ///< from 0; nothing where the sites have none
        /// Sites; empty where the layer has none. Of two streams `self` is that of the contents.
        std::string self, query, cross;
        /// Those that there are, in the order in which they are passed.
        std::vector<std::string> sites() const;
        bool has(const std::string& site) const { return std::ranges::count(sites(), site) > 0; }
    };
    std::string kind;  ///< "encoder", "decoder"; empty of "layer.0"
    std::vector<Layer> layers;

    std::optional<std::size_t> layer_of(const std::string& site) const;
};

/// A model as its trace shows it.
struct ModelParts {
    std::vector<ModelStack> stacks;  ///< that of a decoder is the last
    std::string output;              ///< the site that says words, or a label; may be empty

    /// The stack that looks at a source; null where none does.
    const ModelStack* decoder() const;
    /// Cells that read a token at a time and ask once a step: nothing attends but the decoder, to the source,
    /// and its site has no layer.
    bool is_recurrent() const;
};

ModelParts model_parts(const Trace& trace);

/// Which of so many layers are drawn, nothing for those that are folded between two: all where they are few,
/// else the first, the one in view, and the last.
std::vector<std::optional<std::size_t>> unfolded(std::size_t layers, std::optional<std::size_t> in_view);
/// The same of a stack, and nothing, too, between two layers that are no neighbours in the model: those
/// between them attend without maps, or nobody recorded them.
std::vector<std::optional<std::size_t>> unfolded(const ModelStack& stack, std::optional<std::size_t> in_view);

}  // namespace headlight
