#pragma once

#include "core/attention/composer.h"

#include <optional>
#include <string>

namespace headlight {

// How a composed attention is put together of what its components define, in the order of the formula.

/// Queries, keys and values, with the norms and rotations of queries and keys.
void write_vectors(Composer& composer);
/// Scores [h, n, m] before their scale; of scores that are written row by row nothing.
std::optional<Expression> write_scores(Composer& composer);
/// What scores are multiplied by.
Expression scale_of_scores(Composer& composer);
/// From raw scores of the queries `first`, `first` + 1, ... to those that are normalised.
Expression write_final_scores(Composer& composer, const Expression& raw, Index first,
                              const std::string& suffix = {});
/// Weights of the final scores, a forbidden one of which is minus infinity. `suffix` follows each name, and
/// `name` is that of the result.
Expression write_weights(Composer& composer, const Expression& scores, const std::string& name,
                         const std::string& suffix = {});
/// Weights of scores that depend on the weights of the queries before.
Expression write_weights_row_by_row(Composer& composer);

/// The contexts [h, n, d_v] side by side, [n, h d_v], behind the gate where heads have one.
Expression write_joined_contexts(Composer& composer, const Expression& attended);

}  // namespace headlight
