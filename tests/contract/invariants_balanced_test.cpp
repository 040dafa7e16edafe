// Invariants of linear attention whose rows come to 1 without a division.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <cmath>
#include <numeric>

namespace headlight::invariants_balanced_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index tokens = 7;

AttentionSpec balanced(const std::string& options, const std::string& rest = "") {
    return spec("{" + rest + R"("algorithm": {"type": "balanced_linear")" + options + "}}");
}

const std::string magnitude = R"(, "rule": "magnitude", "map": "elu")",
                  causal = R"("mask": {"type": "causal"}, )";

struct BalancedRows : testing::Test {
    RandomEngine random{160};
    Inputs inputs{.query = random_tensor({tokens, 6}, random)};
};

TEST_F(BalancedRows, RowsSumToOne) {
    for (const std::string& options :
         {std::string(), magnitude, std::string(R"(, "map": "relu", "scaled": false)")})
        for (const std::string& mask : {std::string(), causal}) {
            const auto weights = run(balanced(options, mask), inputs).weights;
            for (Index row = 0; row < tokens; ++row) {
                const auto first = weights.begin() + row * tokens;
                EXPECT_NEAR(std::accumulate(first, first + tokens, 0.0), 1, exact) << options << mask;
            }
        }
}

// Without features a query twice as long has twice what sets its row apart.
TEST_F(BalancedRows, ALongerQueryHasASharperRow) {
    Inputs pairs{.query = inputs.query, .key = random_tensor({tokens, 6}, random)};
    pairs.value = pairs.key;
    const AttentionSpec cross = balanced("", R"("source": {"type": "cross"}, )");
    const auto once = run(cross, pairs).weights;
    for (double& number : pairs.query.values())
        number *= 2;
    const auto twice = run(cross, pairs).weights;
    for (std::size_t cell = 0; cell < once.size(); ++cell)
        EXPECT_NEAR(twice[cell] - 1.0 / tokens, 2 * (once[cell] - 1.0 / tokens), exact);
}

// Less what was taken off, and over 1 + Σ, it is the row of linear attention.
TEST_F(BalancedRows, StretchedRowsAreThoseOfLinearAttention) {
    const auto plan = planned(balanced(magnitude, causal), inputs);
    const Trace trace = record(plan);
    const auto weights = stage(trace, "weights"), products = stage(trace, "similarities");
    const auto linear = run(spec("{" + causal + R"("algorithm": {"type": "linear"}})"), inputs).weights;
    for (Index row = 0; row < tokens; ++row) {
        const auto first = products.begin() + row * tokens;
        const double sum = std::accumulate(first, first + tokens, 0.0);
        for (Index key = 0; key <= row; ++key) {
            const auto cell = static_cast<std::size_t>(row * tokens + key);
            EXPECT_NEAR((weights[cell] + sum / static_cast<double>(row + 1)) / (1 + sum), linear[cell], exact)
                << row << ", " << key;
        }
    }
}

// With one power for all features and no negative number the map of like signs is all, and each half of a
// value has the weights that it shows.
TEST_F(BalancedRows, VectorsWithoutSignsHaveNoUnlikeMap) {
    for (double& number : inputs.query.values())
        number = std::abs(number);
    const Trace trace =
        record(planned(spec(R"({"algorithm": {"type": "polarity", "gate": false, "reach": 0}})"), inputs));
    const auto like = stage(trace, "like_weights"), unlike = stage(trace, "unlike_weights"),
               context = stage(trace, "context"), products = stage(trace, "weights");
    for (std::size_t cell = 0; cell < like.size(); ++cell) {
        EXPECT_EQ(unlike[cell], 0);
        EXPECT_NEAR(products[cell], like[cell] / 2, exact);
    }
    for (Index row = 0; row < tokens; ++row) {
        const auto first = like.begin() + row * tokens;
        EXPECT_NEAR(std::accumulate(first, first + tokens, 0.0), 1, 1e-4);
        for (Index feature = 3; feature < 6; ++feature)
            EXPECT_EQ(context[static_cast<std::size_t>(row * 6 + feature)], 0);
    }
}

TEST_F(BalancedRows, HalvesOfValuesAskForAnEvenWidth) {
    EXPECT_THROW(
        planned(spec(R"({"algorithm": {"type": "polarity"}})"), {.query = random_tensor({3, 5}, random)}),
        Error);
}

TEST_F(BalancedRows, TheSecondRuleAsksForFeaturesAboveZero) {
    EXPECT_THROW(planned(balanced(R"(, "rule": "magnitude", "map": "relu")"), inputs), Error);
}

}  // namespace

}  // namespace headlight::invariants_balanced_test
