#pragma once

#include "core/figure/view_settings.h"

namespace headlight {

/// Returns, of an axis of so many tokens, the page of at most `most` that one of them is on: pages follow one
/// another from the first token on. It is what a view of tokens draws of maps that are too large for it.
AxisSlice page_of(Index token, Index extent, Index most);

/// "Tokens 2049 to 4096 of 32768, the page of the selected one"; `what` is "Tokens" or "Keys".
std::string page_in_words(const std::string& what, const AxisSlice& page, Index extent);

}  // namespace headlight
