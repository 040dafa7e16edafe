#pragma once

#include "core/model/architecture.h"

#include <optional>
#include <string>

namespace headlight {

/// The part of a host that a name chooses.
struct ChosenAttention {
    Score score;
    Normalizer normalizer;
    LocalWindow window{};
    std::optional<AttentionSpec> mechanism{};  ///< in place of all that
};

/// What this name stands for in this host: of a score, of a normaliser, or of a mechanism that is no more
/// than both there; what is usual, of no name. Nothing of any other name.
std::optional<ChosenAttention> attention_named(const std::string& name, HostType host);

/// Its choice is drawn, not a mean.
bool is_drawn(const Normalizer& normalizer);

/// Gradients must find a way through. Recurrent hosts have an estimate of theirs for what is drawn.
bool can_learn(const ChosenAttention& chosen, HostType host);

}  // namespace headlight
