#pragma once

// Normalisers by themselves: scores of one's own choice go in, weights come out.

#include "core/attention/component.h"
#include "tests/support/attention_runs.h"

namespace headlight::test {

/// Those that the kernels do themselves and those that are components.
inline std::vector<std::string> every_normalizer() {
    std::vector<std::string> words{"softmax", "hard"};
    for (const NormalizerComponent& component : normalizer_components())
        words.push_back(component.word);
    return words;
}

/// Cross attention whose scores are plain products; `options` are JSON members, R"("alpha": 2)".
inline AttentionSpec normalized_by(const std::string& normalizer, const std::string& options = "") {
    return spec(R"({"source": {"type": "cross"}, "score": {"type": "dot"}, "normalizer": {"type": ")" +
                normalizer + (options.empty() ? "\"" : "\", " + options) + "}}");
}

/// One query of 1 over keys that are the scores.
inline Inputs scores_as_keys(const std::vector<double>& scores) {
    const Index keys = std::ssize(scores);
    return {.query = Tensor({1, 1}, 1), .key = Tensor({keys, 1}, scores), .value = identity(keys)};
}

/// The weights of one row of scores.
inline std::vector<double> normalized(const std::string& normalizer, const std::vector<double>& scores,
                                      const std::string& options = "") {
    return run(normalized_by(normalizer, options), scores_as_keys(scores)).weights;
}

/// Queries and keys whose products are a map of moderate scores.
inline Inputs random_map(Index queries, Index keys) {
    RandomEngine random(31);
    return {.query = random_tensor({queries, 4}, random, 0.7),
            .key = random_tensor({keys, 4}, random, 0.7),
            .value = random_tensor({keys, 3}, random, 1)};
}

}  // namespace headlight::test
