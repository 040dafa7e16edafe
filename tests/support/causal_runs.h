#pragma once

// Runs of algorithms behind a causal mask on a few drawn tokens, with gates and rates that no token changes.

#include "tests/support/attention_runs.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headlight::test {

/// Numbers that no token changes, and gates before their sigmoid: W_name is 0, and b_name `raw` everywhere.
inline void set_number(Inputs& inputs, const std::string& name, double raw, Index columns = 1) {
    inputs.parameters["W_" + name] = Tensor({inputs.query.cols(), columns});
    inputs.parameters["b_" + name] = Tensor({columns}, raw);
}

/// With the parameters that a run of the spec draws, for another one to have them too.
inline Inputs with_drawn(const AttentionSpec& spec, Inputs inputs) {
    inputs.parameters = planned(spec, inputs)->inputs.parameters;
    return inputs;
}

/// Eight tokens of six features.
class CausalRuns : public testing::Test {
protected:
    static constexpr Index tokens = 8, width = 6;

    explicit CausalRuns(std::uint64_t seed)
        : random(seed), inputs{.query = random_tensor({tokens, width}, random)} {}

    /// The algorithm with a causal mask.
    static AttentionSpec of(Json options, Json rest = {{"mask", {{"type", "causal"}}}}) {
        rest["algorithm"] = std::move(options);
        return spec(rest.dump());
    }
    static double at(const std::vector<double>& map, Index query, Index key) {
        return map[static_cast<std::size_t>(query * tokens + key)];
    }
    /// Token `to` as token `from`.
    void repeat(Index from, Index to) {
        std::ranges::copy(inputs.query.row(from), inputs.query.row(to).begin());
    }

    RandomEngine random;
    Inputs inputs;
};

}  // namespace headlight::test
