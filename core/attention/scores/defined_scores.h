#pragma once

#include "core/attention/composer.h"

#include <cmath>

namespace headlight {

// What definitions of scores are made of, where several are made of the same.

/// What a row of an ordered score is defined from, beside its query and the keys.
struct RowsBefore {
    Index query = 0;
    Expression seen;     ///< [h, 1, m]: the weights of the query before, or the sum of all so far
    std::string suffix;  ///< follows each name of this row: "_3"
};

/// The two halves of an energy, query side [h, n, d_a] with the bias in it, and key side [h, m, d_a].
struct EnergyHalves {
    Expression query, key;
};

inline EnergyHalves energy_halves(Composer& composer, const Expression& for_query, const Expression& for_key,
                                  bool has_bias) {
    const Expression query = product(composer.query, for_query);
    return {composer.let("query_energy", has_bias ? query + composer.parameter("b") : query,
                         "the query’s part of the energy"),
            composer.let("key_energy", product(composer.key, for_key), "the key’s part of the energy")};
}

/// Those of W_1, W_2 and b.
inline EnergyHalves energy_halves(Composer& composer, bool has_bias) {
    return energy_halves(composer, composer.parameter("W_1"), composer.parameter("W_2"), has_bias);
}

/// The energy of each pair, for sum_of_pairs().
inline Expression sum_of_halves(const EnergyHalves& halves) {
    return left_row(halves.query) + right_row(halves.key);
}

/// v · act(energy + more) of one query, [h, 1, m]; `more` [h, m, d_a] is what the rows before add.
inline Expression define_energy_row(Composer& composer, const EnergyHalves& halves, const Expression& v,
                                    const Expression& more, const RowsBefore& before) {
    const Expression own =
        composer.let("query_energy" + before.suffix, some_rows(halves.query, {before.query}));
    return sum_of_pairs(v * activated(composer.plan.spec.score.activation,
                                      left_row(own) + right_row(halves.key) + right_row(more)));
}

/// LeakyReLU: x times `slope` below 0.
inline Expression leaky_relu_of(const Expression& x, double slope) {
    return choose(is_above(x, 0), x, slope * x);
}

/// What w adds for each query [h, n, 1] and for each key [h, 1, m], and b.
inline Expression define_linear_sum(Composer& composer) {
    const Index width = composer.plan.head_query_width();
    const Expression w = composer.parameter("w");
    const Expression of_query =
        composer.let("w_query", some_columns(w, counted(0, width)), "the part of w that meets the query");
    const Expression of_key =
        composer.let("w_key", some_columns(w, counted(width, composer.plan.head_key_width())),
                     "the part of w that meets the key");
    const Expression sum =
        product_transposed(composer.query, of_query) + product_transposed(of_key, composer.key);
    return composer.plan.spec.score.bias ? sum + composer.parameter("b") : sum;
}

/// q · k / (|q| |k|).
inline Expression define_cosines(Composer& composer) {
    return product_transposed(direction_of(composer, "query", composer.query),
                              direction_of(composer, "key", composer.key));
}

/// −|q − k|².
inline Expression define_negative_distances(Composer& composer) {
    const Expression difference = left_row(composer.query) - right_row(composer.key);
    return -sum_of_pairs(difference * difference);
}

/// q · k / √d_k, before a score looks at several pairs.
inline Expression define_scaled_products(const Composer& composer) {
    return product_transposed(composer.query, composer.key) /
           std::sqrt(static_cast<double>(composer.plan.head_key_width()));
}

/// 1 / √d_k.
inline Expression define_root_scale(Composer& composer) {
    const Expression width = static_cast<double>(composer.plan.head_key_width());
    return 1 / root_of(width);
}

/// The parameter g.
inline Expression define_learned_scale(Composer& composer) { return composer.parameter("g"); }

}  // namespace headlight
