#pragma once

#include "tests/reference/hard.h"
#include "tests/reference/masks.h"
#include "tests/reference/projection.h"
#include "tests/reference/scores.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace headlight::reference {

struct ScoreRule {
    enum class Type { dot, scaled_dot, learned_scale, general, concat, additive, self_similarity };
    Type type = Type::scaled_dot;
    Number g = 1;                              ///< learned_scale
    Matrix W;                                  ///< general, concat
    Matrix W_1, W_2;                           ///< additive
    Row b, v;                                  ///< concat, additive; an empty b is none
    Activation activation = Activation::tanh;  ///< concat, additive
};

enum class Choice { soft, argmax, sample };

/// What one head works on.
struct Head {
    std::size_t number = 0;
    Matrix q;             ///< [n, d_k], after norms and rotations
    Matrix k;             ///< [m, d_k]
    Matrix v;             ///< [m, d_v]
    Matrix x;             ///< [n, d]: token vectors of the queries, with the position term
    Matrix y;             ///< [m, d]
    Allowed allowed;      ///< [n][m]
    std::size_t map = 0;  ///< of an algorithm with several, which draw each for itself
};

struct HeadResult {
    Matrix weights;  ///< [n, m]
    Matrix context;  ///< [n, d_v]
};

/// Everything that decides the numbers. The heads share the parameters of the score. A function that is empty
/// leaves its place in the formula as it is.
struct Setting {
    Matrix query_tokens;                               ///< [n, d]
    Matrix key_tokens;                                 ///< [m, d]
    Matrix value_tokens;                               ///< [m, d]
    bool sinusoidal_position = false;                  ///< added to all three, each at its own width
    std::optional<Linear> to_query, to_key, to_value;  ///< none: the token vectors themselves
    std::optional<Linear> to_output;                   ///< none: the concatenation itself
    bool values_are_keys = false;                      ///< v = k, before norms and rotations
    std::size_t heads = 1;
    std::size_t kv_heads = 1;  ///< query head i reads kv head i / (heads / kv_heads)
    ScoreRule score;
    std::optional<Number> scale;       ///< in place of the score rule's own
    std::vector<Number> head_scales;   ///< [h], times the scale; empty: 1
    std::optional<Number> softcap;     ///< c tanh(s / c) on the scaled scores
    Allowed allowed;                   ///< [n][m]
    std::optional<Number> mask_value;  ///< added to forbidden scores; absent: their weights are exactly 0
    bool mask_before_scale = false;    ///< (S + M) c instead of S c + M
    Number temperature = 1;
    Choice choice = Choice::soft;
    std::uint64_t seed = 0;  ///< of Choice::sample

    /// Token vectors [tokens, d] of queries or keys with what is added to them.
    std::function<Matrix(const Matrix& tokens, bool is_key)> place_tokens;
    /// One head's query or key of one token, in order: norms, rotations.
    std::vector<std::function<Row(const Row& vector, bool is_key, std::size_t head, std::size_t token)>>
        change_vector;
    /// All scores [n, m] of a head, in place of the score rule.
    std::function<Matrix(const Head&)> scores;
    /// Weights of a head whose scores of one query depend on the weights of those before: calls finish(query,
    /// raw scores) for query 0, 1, ... and gets its weights.
    std::function<Matrix(const Head&, const std::function<Row(std::size_t query, const Row& raw)>& finish)>
        one_by_one;
    std::function<Matrix(const Head&)> bias;  ///< added to the scaled scores
    /// Keys that stay, of the allowed ones, from the biased scores.
    std::function<Allowed(const Head&, const Matrix& scores)> select;
    bool select_reads_forbidden = false;  ///< `select` looks at the scores of forbidden pairs, too
    /// The same for all heads at once, from the scores of each.
    std::function<Allowed(const Head&, const std::vector<Matrix>& scores)> select_together;
    /// The same for every head, from what all of them ask and hold; in place of `select`.
    std::function<Allowed(const std::vector<Head>&)> select_for_all;
    /// Weights [n, m] from the masked scores; forbidden ones are to be 0.
    std::function<Matrix(const Head&, const Matrix& scores, const Allowed& allowed)> normalize;
    std::function<Matrix(const Head&, const Matrix& weights)> change_weights;
    std::function<Matrix(const Head&, const Matrix& weights)> add_to_context;  ///< [n, d_v]
    std::function<Matrix(const Matrix& context)> change_context;               ///< of a head [n, d_v]
    /// Those of all heads at once, [h][n, d_v].
    std::function<void(const std::vector<Head>&, std::vector<HeadResult>&)> change_contexts;
    /// In place of everything from the scores to the context.
    std::function<HeadResult(const Head&)> algorithm;
    /// The same for all heads at once, where one head looks at what others found.
    std::function<std::vector<HeadResult>(const std::vector<Head>&)> algorithm_of_all_heads;

    Matrix mix_scores, mix_weights;  ///< [h, h], talking heads: row i makes head i; empty is none
    std::optional<Linear> gate;      ///< [d, h d_v] or [d, h]: context times its sigmoid

    /// The output [n, d_out], given the queries' token vectors x [n, d].
    std::function<Matrix(const Matrix& x, const Matrix& output)> change_output;
};

struct Result {
    std::vector<Matrix> weights;  ///< per head [n, m]
    Matrix output;                ///< [n, d_out]
};

/// Scores of one head [n, m], before the scale: what `scores` or else the score rule gives. Forbidden ones
/// are 0 unless the selection reads them.
Matrix raw_scores(const Setting& setting, const Head& head);

/// Final scores [n, m] to weights, as the setting has it: of the keys that may be reached those that it
/// selects, and its normaliser. For algorithms that take these parts.
using WeighScores = std::function<Matrix(const Head& head, const Matrix& scores, const Allowed& reachable)>;
WeighScores weighing_of(const Setting& setting);

/// Attention(Q, K, V) = normalise(mask(scale(score(Q, K)))) V per head, the heads side by side, times W_o:
/// Vaswani et al. 2017, equation 1 and section 3.2.2, with every stage replaceable.
Result attend(const Setting& setting);

}  // namespace headlight::reference
