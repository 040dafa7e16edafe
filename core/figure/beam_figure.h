#pragma once

#include "core/figure/figure.h"
#include "core/model/transcript.h"

namespace headlight {

/// The texts that a beam search came by as a tree: a column for each word, the best text all along the top.
/// The panel's numbers are the log probabilities, [node]. Throws Error where no beam was searched.
Figure beam_figure(const Transcript& transcript, bool with_pruned);

}  // namespace headlight
