#pragma once

// What the contract tests of mixers share: their specs, and three sequences of random numbers for them.

#include "tests/support/attention_runs.h"

namespace headlight::test::mixers {

inline constexpr Index n = 11, width = 6;

inline Tensor as_tensor(const std::vector<double>& numbers, Index rows) {
    return Tensor({rows, std::ssize(numbers) / rows}, numbers);
}

inline AttentionSpec mixer(const std::string& json,
                           const std::string& more = R"(, "mask": {"type": "causal"})") {
    return spec(R"({"algorithm": )" + json + more + "}");
}

inline Inputs three_sequences(RandomEngine& random, Index queries = n, Index keys = n) {
    return {.query = random_tensor({queries, width}, random),
            .key = random_tensor({keys, width}, random),
            .value = random_tensor({keys, width}, random)};
}

inline AttentionSpec crossed(AttentionSpec made) {
    made.source.type = SourceType::cross;
    return made;
}

}  // namespace headlight::test::mixers
