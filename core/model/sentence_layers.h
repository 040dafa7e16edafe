#pragma once

#include "core/model/transformer_model.h"

namespace headlight {

/// Makes an encoder one that reads sentences of so many tokens each, in texts of at most `longest` (Yang et
/// al. 2016): its layers look about within a sentence alone, beside what their own masks say, and a mechanism
/// that pools by sentences is told where they end. Layers without a mechanism get one that weighs as the
/// configuration says, with its heads.
void keep_to_sentences(TransformerConfiguration& configuration, Index sentence, Index longest);

}  // namespace headlight
