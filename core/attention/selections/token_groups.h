#pragma once

#include "core/attention/composer.h"
#include "core/attention/selected_keys.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace headlight {

// What selections share that choose groups of keys for groups of queries: blocks of a text, regions of an
// image.

/// Tokens in groups. Those that are padding count in none.
struct TokenGroups {
    Index count = 0;
    std::vector<Index> of_token;
    std::vector<std::uint8_t> real;  ///< [token]

    Index tokens() const { return std::ssize(of_token); }
    bool is_real(Index token) const { return real[static_cast<std::size_t>(token)] != 0; }
    bool has_padding() const { return std::ranges::find(real, 0) != real.end(); }
    Index group(Index token) const { return of_token[static_cast<std::size_t>(token)]; }
    /// One past the last group that is not padding alone.
    Index end() const {
        Index end = 0;
        for (Index token = 0; token < tokens(); ++token)
            if (is_real(token))
                end = std::max(end, group(token) + 1);
        return end;
    }
    /// The tokens of each group that are no padding.
    std::vector<std::vector<Index>> members() const {
        std::vector<std::vector<Index>> result(static_cast<std::size_t>(count));
        for (Index token = 0; token < tokens(); ++token)
            if (is_real(token))
                result[static_cast<std::size_t>(group(token))].push_back(token);
        return result;
    }
};
using SharedGroups = std::shared_ptr<const TokenGroups>;

/// The groups that `group` says, which counts them from 0 and leaves out none.
inline SharedGroups grouped_tokens(std::vector<std::uint8_t> real,
                                   const std::function<Index(Index token)>& group) {
    TokenGroups groups;
    groups.real = std::move(real);
    for (Index token = 0; token < std::ssize(groups.real); ++token) {
        groups.of_token.push_back(group(token));
        groups.count = std::max(groups.count, groups.of_token.back() + 1);
    }
    return std::make_shared<const TokenGroups>(std::move(groups));
}

/// `vectors` [.., tokens, d] with 0 in the rows of padding, which may hold anything.
inline Expression of_real_tokens(Composer& composer, const std::string& name, const Expression& vectors,
                                 const SharedGroups& groups) {
    if (!groups->has_padding())
        return vectors;
    return choose(composer.truth(name + "_counted", {0, groups->tokens(), 1}, "tokens that are no padding",
                                 [groups](Index row, Index) { return groups->is_real(row); }),
                  vectors, 0);
}

/// Means [.., groups, d] of the rows of `vectors` [.., tokens, d]; 0 where a group is padding alone.
inline Expression write_group_means(Composer& composer, const std::string& name, const Expression& vectors,
                                    const SharedGroups& groups, const std::string& note) {
    std::vector<double> shares;
    for (const std::vector<Index>& members : groups->members())
        shares.push_back(members.empty() ? 0 : 1 / static_cast<double>(members.size()));
    const Expression means =
        composer.of_places(name + "_shares", {0, groups->count, groups->tokens()}, "means of each group",
                           [groups, shares](Place at) {
                               const bool is_in =
                                   groups->group(at.column) == at.row && groups->is_real(at.column);
                               return is_in ? shares[static_cast<std::size_t>(at.row)] : 0.0;
                           });
    return composer.let(name, product(means, of_real_tokens(composer, name, vectors, groups)), note);
}

/// Pairs of groups [groups, groups] of which the mask lets some query of the one see some key of the other.
inline Expression groups_that_meet(Composer& composer, const std::string& name, const SharedGroups& asking,
                                   const SharedGroups& known) {
    return composer.truth(name, {0, asking->count, known->count},
                          "some query of the one sees some key of the other",
                          [queries = asking->members(), keys = known->members(), may_meet = composer.may_meet,
                           excludes = composer.mask_excludes()](Index row, Index column) {
                              const auto& mine = queries[static_cast<std::size_t>(row)];
                              const auto& theirs = keys[static_cast<std::size_t>(column)];
                              for (const Index query : mine)
                                  for (const Index key : theirs)
                                      if (!excludes || may_meet(query, key))
                                          return true;
                              return !excludes;
                          });
}

/// A number of each pair of groups [.., groups, groups], for each pair of their tokens.
inline Expression of_token_pairs(const Expression& of_groups, const SharedGroups& asking,
                                 const SharedGroups& known) {
    const Index n = asking->tokens(), m = known->tokens();
    return pick(of_groups, {n, 1, {n, [asking](Index query) { return asking->group(query); }}},
                {1, m, {m, [known](Index key) { return known->group(key); }}});
}

}  // namespace headlight
