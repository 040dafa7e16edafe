#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/error.h"

namespace headlight {

// What mechanisms share in which no token looks at another: all look at one vector, a mean of tokens by a
// softmax over all of them, and are multiplied by it feature by feature.

/// Returns the softmax over the tokens that are no padding of `vectors` [h, n, d] times a learned vector of
/// each head, over `divisor` where there is one, as NAME_shares [h, 1, n].
inline Expression write_token_shares(Composer& composer, const std::string& name,
                                     const std::string& parameter, const Expression& vectors,
                                     const std::optional<Expression>& divisor = {}) {
    const Expression products = product_transposed(composer.parameter_of_heads(parameter), vectors);
    const Expression scores =
        composer.let(name + "_numbers", divisor ? products / *divisor : products, "a number of each token");
    return softmax_of(composer, name + "_shares", scores_of_real_keys(composer, scores));
}

/// The shares [h, 1, n] as `weights` of every query: what the vector that all look at is made of.
inline void write_weights_of_all(Composer& composer, const Expression& shares) {
    const std::vector<Index> first(static_cast<std::size_t>(composer.plan.queries), 0);
    composer.let("weights", composer.where_open(some_rows(shares, first), 0), "the same for every query");
}

/// Refuses a second sequence, and values of another width than keys have.
inline void check_global_vectors(const Plan& plan, const std::string& algorithm) {
    require_one_sequence(plan, algorithm, "each output is made of one token’s query, key and value");
    if (plan.head_query_width() != plan.head_value_width())
        throw Error({algorithm, "values",
                     "vectors of " + std::to_string(plan.head_query_width()) +
                         " features, which are multiplied by those of the keys",
                     std::to_string(plan.head_value_width())});
}

inline DeclaredStage declared_weights_of_all(const std::string& shares, const std::string& of) {
    return declared_weights_stage(
        {"the shares in " + of + ", the same for every query", {{shares}}, "for every\nquery\n→"},
        {.is_share = true});
}

}  // namespace headlight
