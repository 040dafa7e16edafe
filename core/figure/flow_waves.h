#pragma once

#include "core/figure/flow.h"

#include <string>
#include <vector>

namespace headlight {

/// What flows in a map of a model at one decoding step, one wave after another: along the arrows of the
/// weights into the part in view; then, as the context, along those that lead on from there, as far as what
/// is in view goes: in a recurrent model into the decoder's state and the word that it says. Each wave is the
/// places of its arrows in Flow::edges; none where no weights are drawn.
std::vector<std::vector<Index>> flow_waves(const Flow& flow);

/// "The context is mixed from “cat” (weight 0.6200) and “the” (weight 0.2000)": what happens in a wave.
std::string wave_in_words(const Flow& flow, const std::vector<Index>& wave);

}  // namespace headlight
