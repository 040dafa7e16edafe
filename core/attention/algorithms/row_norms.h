#pragma once

#include "core/attention/composer.h"

namespace headlight {

// Norms of each row, without gain and shift: a matrix behind one has them in itself.

/// x over the root of the mean of its squares and `added_square`, row by row, as the tensor `name`.
inline Expression over_root_mean_square(Composer& composer, const std::string& name, const Expression& x,
                                        double added_square, const std::string& note) {
    // Squares of large numbers overflow; of parts of the largest they do not.
    const Expression largest = composer.let(name + "_largest", larger_of(largest_amount(x), 1),
                                            "the largest of each row, 1 at least");
    const Expression parts = composer.let(name + "_parts", x / largest);
    return composer.let(
        name, parts / root_of(mean_of_columns(parts * parts) + added_square / largest / largest), note);
}

/// Layer normalisation of each row.
inline Expression layer_normalized(Composer& composer, const std::string& name, const Expression& x) {
    constexpr double added_variance = 1e-5;  // as PyTorch adds it
    const Expression centred =
        composer.let(name + "_centred", x - mean_of_columns(x), "each row without its mean");
    return over_root_mean_square(composer, name, centred, added_variance,
                                 "over the standard deviation of its row");
}

}  // namespace headlight
