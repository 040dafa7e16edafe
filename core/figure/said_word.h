#pragma once

#include "core/attention/trace.h"

#include <optional>
#include <string>

namespace headlight {

/// What a model says at a step.
struct SaidWord {
    std::string word, stage;
    Index step = 0;
    std::optional<double> probability;
    bool is_written = true;  ///< false where a text ends before it, and the word is empty

    std::string probability_text() const;  ///< "0.97"; empty where nobody knows it
};

/// The stages at the site where words, or a label, are said; at the last step where there are fewer.
/// Nothing where nothing is said there.
std::optional<SaidWord> said_word(const Trace& trace, const std::string& site, Index step);

/// Where a site reads a text, the word behind that step; none is written where the text ends.
SaidWord word_behind(const Trace& trace, const std::string& site, Index step);

}  // namespace headlight
