#pragma once

#include "app/cli/arguments.h"
#include "core/io/figure_source.h"
#include "core/io/session_words.h"
#include "core/map/weight_lens.h"

namespace headlight {

// How maps are read: what `analyse` and `render` have in common.

inline const Flag other_option{
    "--with",
    "FILE",
    "what the first file has more or less than this one, on the tokens that both have: another capture or "
    "trace, or, of a model, another model",
    {},
    false,
    nullptr,
    Flag::Reads::file};
inline const Flag other_text_option{
    "--with-text",
    "TEXT",
    "of a mechanism or a model: what its own text has more or less than this one",
    {},
    false,
    nullptr,
    Flag::Reads::text};
inline const Flag units_option{
    "--units",
    "UNIT",
    "rows and columns of a capture: tokens (as they are), words, sentences, lines or "
    "turns",
    {},
    false,
    spellings<TokenUnit>};

inline const Flag spelling_option{"--tokens",
                                  "SPELLING",
                                  "how the tokens of a capture are written: text (the default, what they "
                                  "mean), plain (without their spaces "
                                  "and ##) or stored (as the vocabulary has them: Ġthe, ▁the, <0xE4>)",
                                  {},
                                  false,
                                  spellings<TokenSpelling>};

inline const Flag weights_option{
    "--weights",
    "WHAT",
    "raw (the default), or value_norms: the norm of each weight times its value times W_o, where values "
    "are known",
    {},
    false,
    spellings<DrawnWeights>};

/// What the options above say.
AskedMaps asked_maps(const Arguments& arguments);

}  // namespace headlight
