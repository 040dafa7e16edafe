#pragma once

#include "tests/reference/attention.h"

// Linear attention by features that a layer of each head makes, or that stand out by a power; and the short
// filter along the values that some put beside a map.
namespace headlight::reference {

struct LearnedFeatures {
    enum class Map { softmax, relu, focused } map = Map::softmax;
    Matrix W_q, W_k;  ///< [d, d]: of this head
    Row b_q, b_k;
    Number power = 3;  ///< of the focused map
    Row filter;        ///< one number for each place that it reaches, the token's own in the middle; or none
};
/// phi(q) . phi(k) over the sum of the row (Zhang et al. 2024, Kasai et al. 2021, Han et al. 2023), and what
/// the filter makes of the values that the query sees.
HeadResult learned_features(const Head& head, const LearnedFeatures& features);

/// Adds sum_t filter[t] v[i + t - size / 2] of the values that query i sees to each context.
void add_filtered_values(const Head& head, const Row& filter, Matrix& context);

}  // namespace headlight::reference
