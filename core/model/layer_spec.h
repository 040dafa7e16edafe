#pragma once

#include "core/attention/spec.h"

#include <optional>

namespace headlight {

/// A layer of a Transformer, as data: what tells it from the others of its model.
struct LayerSpec {
    /// A whole mechanism, computed by its program, in place of the model's score and normaliser: in self
    /// attention, and of a decoder also between the two where it can be.
    std::optional<AttentionSpec> mechanism{};
    /// Self attention that cannot have it keeps score and normaliser as well; else it is refused.
    bool where_possible = false;
    /// The layer of its stack, from 0, whose keys and values its self attention attends to; nothing: its own.
    std::optional<Index> shares{};
    /// Whether a list of layers gave it its mechanism: it is neither without one nor has that of the whole
    /// model.
    bool lists_mechanism() const { return mechanism && !where_possible; }
    bool operator==(const LayerSpec&) const = default;
};

}  // namespace headlight
