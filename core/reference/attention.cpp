#include "core/reference/attention.h"

#include "core/reference/position.h"
#include "core/reference/softmax.h"

#include <cmath>

namespace headlight::reference {
namespace {

double raw_score(const ScoreRule& rule, const Row& q, const Row& k) {
    using Type = ScoreRule::Type;
    switch (rule.type) {
    case Type::dot:
    case Type::scaled_dot:
    case Type::learned_scale:
    case Type::self_similarity:
        return dot_score(q, k);
    case Type::general:
        return general_score(q, k, rule.W);
    case Type::concat:
        return concat_score(q, k, rule.W, rule.b, rule.v, rule.activation);
    case Type::additive:
        return additive_score(q, k, rule.W_1, rule.W_2, rule.b, rule.v, rule.activation);
    }
    return 0;
}

double scale_of(const ScoreRule& rule, std::size_t head_key_width) {
    if (rule.type == ScoreRule::Type::scaled_dot)
        return 1 / std::sqrt(static_cast<double>(head_key_width));
    if (rule.type == ScoreRule::Type::learned_scale)
        return rule.g;
    return 1;
}

/// One row of weights [m] of one head.
Row attend_row(const Setting& setting, std::size_t head, std::size_t query, const Row& q,
               const Matrix& keys) {
    const double scale = scale_of(setting.score, keys.cols);
    Row scores(keys.rows, 0.0);
    std::vector<bool> reachable(keys.rows, false);
    for (std::size_t j = 0; j < keys.rows; ++j) {
        const bool allowed = setting.allowed[query][j];
        reachable[j] = allowed || setting.mask_value.has_value();
        if (!reachable[j])
            continue;  // padding may hold anything, NaN included: it is not looked at
        const double score = raw_score(setting.score, q, keys.row(j));
        const double mask = allowed ? 0.0 : *setting.mask_value;
        scores[j] = setting.mask_before_scale ? (score + mask) * scale : score * scale + mask;
    }
    if (setting.choice == Choice::argmax)
        return hard_argmax(scores, reachable);
    const Row weights = softmax(scores, reachable, setting.temperature);
    if (setting.choice == Choice::soft)
        return weights;
    return hard_sample(weights, uniform(setting.seed, head, query, 0));
}

}  // namespace

Result attend(const Setting& setting) {
    const auto positioned = [&](const Matrix& tokens) {
        return setting.sinusoidal_position ? add_sinusoidal_position(tokens) : tokens;
    };
    const auto projected = [](const Matrix& x, const std::optional<Linear>& linear) {
        return linear ? project(x, *linear) : x;
    };
    const Matrix queries = projected(positioned(setting.query_tokens), setting.to_query);
    const Matrix keys = projected(positioned(setting.key_tokens), setting.to_key);
    const Matrix values = projected(positioned(setting.value_tokens), setting.to_value);

    const std::size_t n = queries.rows;
    const std::size_t m = keys.rows;
    Result result;
    Matrix concatenation(n, values.cols);
    for (std::size_t head = 0; head < setting.heads; ++head) {
        const Matrix q = columns_of_head(queries, head, setting.heads);
        const Matrix k = columns_of_head(keys, head, setting.heads);
        const Matrix v = columns_of_head(values, head, setting.heads);
        Matrix weights(n, m);
        for (std::size_t i = 0; i < n; ++i) {
            const Row row = attend_row(setting, head, i, q.row(i), k);
            for (std::size_t j = 0; j < m; ++j) {
                weights(i, j) = row[j];
                if (row[j] == 0)
                    continue;  // 0 times a NaN of the padding would be NaN
                for (std::size_t c = 0; c < v.cols; ++c)
                    concatenation(i, head * v.cols + c) += row[j] * v(j, c);
            }
        }
        result.weights.push_back(weights);
    }
    result.output = projected(concatenation, setting.to_output);
    return result;
}

}  // namespace headlight::reference
