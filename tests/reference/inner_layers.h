#pragma once

#include "tests/reference/attention.h"

#include <functional>
#include <optional>
#include <vector>

// A few layers of attention one above the other, where a layer also reads something of those below it.
namespace headlight::reference {

/// Matrices of one layer; none: vectors stay as they are.
struct LayerMatrices {
    std::optional<Linear> to_query, to_key, to_value, to_output;
};

struct InnerLayers {
    std::vector<LayerMatrices> layers;  ///< the first one's are those of the spec
    std::size_t kv_heads = 1;
    bool is_one_sequence = true;
    bool values_are_keys = false;
    Matrix value_tokens;  ///< [m, d] of a second sequence, with the position term
    /// Rotations of one head's queries or keys by their places.
    std::function<Matrix(Matrix vectors, bool is_key, std::size_t head)> turn;
};

enum class LayerLink { none, scores, values, outputs };

struct LayerStack {
    InnerLayers inner;
    LayerLink link = LayerLink::none;
    Matrix value_shares;               ///< [layers - 1, 2]: of the first layer's values and of its own
    std::vector<Linear> value_gates;   ///< [layers - 1], in place of the shares: [d, kv heads]
    Matrix depth_queries;              ///< [layers - 1, d]
    std::vector<LayerMatrices> among;  ///< queries look at each other first; empty: they do not
};
/// Each layer adds what it finds to what it was given. S_l = Q K^T / sqrt(d) + S_(l-1) (He et al. 2021); V_l
/// = a V_1 + b V_l (Zhou et al. 2025); h_l = sum_i softmax_i(w_l . RMSNorm(v_i)) v_i over the tokens and what
/// the layers below have found (Kimi Team 2026). Weights and contexts are those of the last layer.
std::vector<HeadResult> layer_stack(const std::vector<Head>& heads, const LayerStack& setting);

/// The query stream of Yang et al. 2019, equation 4, which begins as `stream` [n, d], beside the content
/// stream, which begins as the tokens. Weights and contexts are those of the last layer.
std::vector<HeadResult> two_stream(const std::vector<Head>& heads, const InnerLayers& setting, Matrix stream);

}  // namespace headlight::reference
