#pragma once

#include "core/model/transformer_model.h"

namespace headlight {

// Encoders whose layers look about in a part of the text alone, beside what their own masks say. Layers
// without a mechanism get one that weighs as the configuration says, with its heads.

/// Makes an encoder one that reads sentences of so many tokens each, in texts of at most `longest` (Yang et
/// al. 2016): its layers keep to a sentence, and a mechanism that pools by sentences is told where they end.
void keep_to_sentences(TransformerConfiguration& configuration, Index sentence, Index longest);

/// Makes an encoder whose text is asked one that reads a question of so many tokens before it, in sources of
/// at most `longest`: its layers keep to the question or to the text, or within it to a sentence of so many
/// tokens, unless that is 0.
void keep_question_apart(TransformerConfiguration& configuration, Index question, Index sentence = 0,
                         Index longest = 0);

}  // namespace headlight
