#pragma once

#include "tests/reference/scores.h"

namespace headlight::reference {

// Scores of one pair, from the two vectors alone.

/// cos of the angle between q and k (Graves et al. 2014, eq. 6); 0 for a vector of zeros.
Number cosine_score(const Row& q, const Row& k);

/// The sum of the cosines of `groups` parts of both; where the query keeps its length, of products with the
/// directions of the key.
Number cosine_of_groups(const Row& q, const Row& k, std::size_t groups, bool keeps_query);

/// -|q - k|^2 by way of -(q . q - 2 q . k + k . k) (Nadaraya 1964, Watson 1964).
Number negative_squared_distance(const Row& q, const Row& k);

/// -sum_c |q_c - k_c| (Chen et al. 2020, of a filter and a patch).
Number negative_distance_of_features(const Row& q, const Row& k);

/// sum_c q_c softplus(w_c) / ln 2 k_c (Das et al. 2024, the code of TimesFM).
Number rescaled_product(const Row& q, const Row& k, const Row& w);

/// -d(q, k) of the points of the hyperboloid that lie |q| and |k|, at most 300, from its lowest point in the
/// directions of q and k (Gulcehre et al. 2019), by the law of haversines.
Number negative_hyperbolic_distance(const Row& q, const Row& k);

/// sum_a v_a act(q W_1)_a act(k W_2)_a (Kim et al. 2017, the attention of MLB).
Number bilinear_score(const Row& q, const Row& k, const Matrix& W_1, const Matrix& W_2, const Row& v,
                      Activation activation);

/// w . [q; k] + b: an empty b is none.
Number linear_score(const Row& q, const Row& k, const Row& w, const Row& b);

/// x above 0, else slope x.
Number leaky(Number x, Number slope);

/// v . leaky(q W_1 + k W_2 + b) (Brody et al. 2022, eq. 7).
Number dynamic_graph_score(const Row& q, const Row& k, const Matrix& W_1, const Matrix& W_2, const Row& b,
                           const Row& v, Number slope);

/// v / |v| . act(q W_1 + k W_2 + b) (Salimans and Kingma 2016, eq. 2, in the place of v).
Number normalized_additive_score(const Row& q, const Row& k, const Matrix& W_1, const Matrix& W_2,
                                 const Row& b, const Row& v, Activation activation);

/// sum_c v_c act(s (q_c + k_c)); an empty v is ones.
Number elementwise_score(const Row& q, const Row& k, Number s, const Row& v, Activation activation);

/// A network over [q; k; q - k; q * k], or [q; k] alone: `first` [features, d_a], then the layers of `deep`
/// [layers * d_a, d_a] one below another, then v.
Number network_score(const Row& q, const Row& k, bool compares, const Matrix& first, const Row& b,
                     const Matrix& deep, const Row& v, Activation activation);

}  // namespace headlight::reference
