#pragma once

#include "app/cli/arguments.h"
#include "core/analysis/token_units.h"
#include "core/io/session_words.h"
#include "core/map/weight_lens.h"

#include <optional>
#include <string>

namespace headlight {

// How maps are read: what `analyse` and `render` have in common.

inline const Flag other_option{
    "--with", "FILE",
    "what changes from it to FILE, on the tokens that both have: another capture or trace, or, of a model, "
    "another model"};
inline const Flag other_text_option{"--with-text", "TEXT",
                                    "of a mechanism or a model: what changes when it reads TEXT"};
inline const Flag units_option{
    "--units",
    "UNIT",
    "rows and columns of a capture: tokens (as they are), words, sentences, lines or "
    "turns",
    {},
    false,
    spellings<TokenUnit>};

inline const Flag weights_option{
    "--weights",
    "WHAT",
    "raw (the default), or value_norms: the norm of each weight times its value times W_o, where values "
    "are known",
    {},
    false,
    spellings<DrawnWeights>};

struct AskedMaps {
    std::optional<std::string> other, other_text;  ///< what they are compared with: one of the two
    TokenUnit unit = TokenUnit::token;
    std::optional<DrawnWeights> weights;  ///< what stands for the weights, where something is asked for

    bool are_compared() const { return other || other_text; }
    bool are_plain() const { return !are_compared() && unit == TokenUnit::token; }
};

/// What the options above say.
AskedMaps asked_maps(const Arguments& arguments);

}  // namespace headlight
