#pragma once

#include "core/map/map_source.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The operation that an Error of this header names, ErrorDetail::what: each file may be fine by itself.
inline constexpr const char* comparing_maps = "compare maps";

/// What AlignedMaps::left_out begins with where it is so.
inline constexpr std::string_view paired_by_places =
    "The two texts have no token in common: tokens are paired by their places.";

/// A token of each of two texts, counted from 0.
struct TokenPair {
    Index first = 0, second = 0;
    bool operator==(const TokenPair&) const = default;
};

/// Which tokens of two texts stand for each other, in their order: the most that are equal, and between two
/// of these what stands in the place of what, from the front. Tokens that one text has more are in no pair.
/// Pairs the tokens of two texts. Where these differ in the middle by more than 4 million pairs, tokens are
/// paired by their places.
std::vector<TokenPair> aligned_tokens(const std::vector<std::string>& first,
                                      const std::vector<std::string>& second);

/// Some rows and some columns of maps, each list in ascending order. Rows are not normalised again. Throws
/// Error where there are no such tokens.
std::shared_ptr<const MapSource> part_of(std::shared_ptr<const MapSource> maps, std::vector<Index> queries,
                                         std::vector<Index> keys);

/// Two lots of maps of as many layers and heads on the tokens that both have, so that they can be compared
/// cell by cell.
struct AlignedMaps {
    std::vector<LabelledMaps> first, second;
    /// "2 tokens of the first text and 1 token of the second text have no partner and are left out."; empty
    /// where all have one. Of texts without a token in common also that all are paired by their places.
    std::string left_out;
};

/// Puts the names of the tokens behind those that are there.
void add_names(const TokenLabels& tokens, TokenLabels& to);

/// Whether two texts have a token in common, as far as anybody knows: false where all tokens have names, none
/// of which is in both.
bool have_common_token(const TokenLabels& first, const TokenLabels& second);

/// Kinds are matched by their names; each lot keeps its own tokens. Texts without names are aligned by their
/// places, and so are texts without a token in common. Throws Error where there is nothing to compare: other
/// layers or heads, no kind in common.
AlignedMaps aligned(const std::vector<LabelledMaps>& first, const std::vector<LabelledMaps>& second);

/// Maps of another text in the places of a text's own tokens, so that the own ones stay whole.
struct SpreadMaps {
    /// The maps of the kinds that both have: extents and sites of the first, numbers of the second. A token
    /// without a partner is called "–" and has NaN for its row and its column.
    std::vector<LabelledMaps> maps;
    /// "2 tokens of the first text and 1 token of the second text have no partner."; empty where all have
    /// one.
    std::string without_partner;
    bool is_whole = false;  ///< all tokens have one, and both have the same kinds
};

/// Kinds and tokens are matched as aligned() does. Throws Error where there is nothing to compare.
SpreadMaps spread(const std::vector<LabelledMaps>& first, const std::vector<LabelledMaps>& second);

}  // namespace headlight
