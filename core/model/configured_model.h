#pragma once

#include "core/model/chosen_attention.h"
#include "core/model/recipe.h"

namespace headlight {

/// What a model can be made of, which is tried: mechanisms take some time, and are made once. Scores that
/// multiply queries and keys need both equally wide: a recurrent encoder then reads in one direction.
/// Throws Error for what no model can be made of.
ModelSpec configured_model(const Task& task, const Recipe& recipe, HostType host,
                           const ChosenAttention& chosen, Index width);

}  // namespace headlight
