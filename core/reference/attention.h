#pragma once

#include "core/reference/hard.h"
#include "core/reference/masks.h"
#include "core/reference/projection.h"
#include "core/reference/scores.h"

#include <cstdint>
#include <optional>

namespace headlight::reference {

struct ScoreRule {
    enum class Type { dot, scaled_dot, learned_scale, general, concat, additive, self_similarity };
    Type type = Type::scaled_dot;
    double g = 1;                              ///< learned_scale
    Matrix W;                                  ///< general, concat
    Matrix W_1, W_2;                           ///< additive
    Row b, v;                                  ///< concat, additive; an empty b is none
    Activation activation = Activation::tanh;  ///< concat, additive
};

enum class Choice { soft, argmax, sample };

/// Everything that decides the numbers. The heads share the parameters of the score.
struct Setting {
    Matrix query_tokens;                               ///< [n, d]
    Matrix key_tokens;                                 ///< [m, d]
    Matrix value_tokens;                               ///< [m, d]
    bool sinusoidal_position = false;                  ///< added to all three, each at its own width
    std::optional<Linear> to_query, to_key, to_value;  ///< none: the token vectors themselves
    std::optional<Linear> to_output;                   ///< none: the concatenation itself
    std::size_t heads = 1;
    ScoreRule score;
    Allowed allowed;                   ///< [n][m]
    std::optional<double> mask_value;  ///< added to forbidden scores; absent: their weights are exactly 0
    bool mask_before_scale = false;    ///< (S + M) c instead of S c + M
    double temperature = 1;
    Choice choice = Choice::soft;
    std::uint64_t seed = 0;  ///< of Choice::sample
};

struct Result {
    std::vector<Matrix> weights;  ///< per head [n, m]
    Matrix output;                ///< [n, d_out]
};

/// Attention(Q, K, V) = normalise(mask(scale(score(Q, K)))) V per head, the heads side by side, times W_o:
/// Vaswani et al. 2017, equation 1 and section 3.2.2, with every stage replaceable.
Result attend(const Setting& setting);

}  // namespace headlight::reference
