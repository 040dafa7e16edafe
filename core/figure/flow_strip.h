#pragma once

#include "core/tensor/tensor.h"

#include <optional>
#include <vector>

namespace headlight {

/// A token of a text that stands below one another in a flow.
struct StripToken {
    Index token = 0;
    double line = 0;  ///< its middle
    bool is_named = true;
    bool operator==(const StripToken&) const = default;
};

/// Where there are more tokens none has an arrow of its own, nor a place where its word has no room.
inline constexpr Index most_arrows = 128;

/// Tokens of a text between two lines, in the middle of them. Where they are closer to each other than words
/// `selected` is named, then those with arrows, the thickest first, then every second, fifth, tenth, ...
/// where there is still room. `shares` [token] says how thick arrows are, 0 where there is none; it may be
/// empty.
std::vector<StripToken> strip_of(Index tokens, double top, double bottom, std::optional<Index> selected,
                                 const std::vector<double>& shares = {});

/// How far the two that are closest are from each other, in lines; 1 of a single one.
double least_apart(const std::vector<StripToken>& strip);

/// How many lines so many tokens would like to have.
double lines_of_strip(Index tokens);

}  // namespace headlight
