#pragma once

#include "core/tensor/tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// The tokens, counted from 0 and rising, that a person means by what they type: those that are written or
/// drawn exactly so first, and those whose text is without its space, as "it" is of "Ġit". A
/// number means no token but one that is written exactly so: tokens are counted by numbers, too.
struct CalledTokens {
    std::vector<Index> exact, bare;
};
CalledTokens tokens_called(const std::string& typed, const std::vector<std::string>& names);

/// What was typed as a number, where it is nothing else.
std::optional<Index> whole_number(const std::string& typed);

/// The one token that is meant: the first that is exactly so, else the only one that is without marks, else
/// the one of this number from 1. Nothing where there is none of `count`, or where several are meant.
std::optional<Index> token_called(const std::string& typed, const std::vector<std::string>& names,
                                  Index count);
/// What is wrong with `typed` then: what was expected, and what it is instead.
struct TokenMismatch {
    std::string expected, got;
};
TokenMismatch token_mismatch(const std::string& typed, const std::vector<std::string>& names, Index count);

}  // namespace headlight
