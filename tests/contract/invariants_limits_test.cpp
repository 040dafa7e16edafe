// Invariants 42, 44 and 45: precision, the limits of temperature, and the smallest and largest inputs.

#include "tests/support/attention_runs.h"

namespace headlight::invariants_limits_test {

using namespace test;

namespace {

Inputs sequences(Index n, Index m, Index width, std::uint64_t seed = 1, double scale = 0.7) {
    RandomEngine random(seed);
    return {.query = random_tensor({n, width}, random, scale),
            .key = random_tensor({m, width}, random, scale),
            .value = random_tensor({m, width}, random, 1)};
}

AttentionSpec cross(const std::string& rest) { return spec(R"({"source": {"type": "cross"})" + rest + "}"); }

const std::vector<std::string> every_score{
    R"(, "score": {"type": "dot"})",
    R"(, "score": {"type": "scaled_dot"})",
    R"(, "score": {"type": "general"})",
    R"(, "score": {"type": "concat"})",
    R"(, "score": {"type": "additive", "activation": "sigmoid"})",
    R"(, "score": {"type": "self_similarity"})",
    R"(, "projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 4})",
};

TEST(Invariant42, FloatAgreesWithDouble) {
    for (const std::string& score : every_score)
        for (const Index n : {1, 7, 64, 130}) {
            const auto plan = planned(cross(score), sequences(n, 2 * n, 16));
            EXPECT_TRUE(near(run<float>(plan), run<double>(plan), 1e-5)) << score << " n = " << n;
        }
}

TEST(Invariant44, ColdIsArgmaxAndHotIsUniform) {
    const std::string mask = R"(, "mask": {"type": "padding", "key_lengths": 4})";
    const Inputs inputs = sequences(5, 6, 4);
    const Numbers hard = run(cross(mask + R"(, "normalizer": {"type": "hard"})"), inputs);
    const Numbers cold =
        run(cross(mask + R"(, "normalizer": {"type": "softmax", "temperature": 1e-6})"), inputs);
    EXPECT_TRUE(near(cold, hard, 1e-9));
    const Numbers hot =
        run(cross(mask + R"(, "normalizer": {"type": "softmax", "temperature": 1e9})"), inputs);
    std::vector<double> uniform;
    for (Index cell = 0; cell < 30; ++cell)  // 5 queries, 6 keys
        uniform.push_back(cell % 6 < 4 ? 0.25 : 0);
    EXPECT_TRUE(near(hot.weights, uniform, 1e-8));
}

TEST(Invariant44, EntropyGrowsWithTemperature) {
    const Inputs inputs = sequences(3, 8, 4);
    double before = -1;
    for (const double temperature : {0.01, 0.1, 0.5, 1.0, 2.0, 10.0}) {
        AttentionSpec at = cross("");
        at.normalizer.temperature = temperature;
        double entropy = 0;
        for (const double weight : run(at, inputs).weights)
            entropy -= weight > 0 ? weight * std::log(weight) : 0;
        EXPECT_GT(entropy, before) << temperature;
        before = entropy;
    }
}

TEST(Invariant45, OneKeyGetsEverything) {
    for (const std::string& score : every_score)
        for (const Index n : {1, 4}) {
            const auto plan = planned(cross(score), sequences(n, 1, 8));
            EXPECT_EQ(run(plan).weights, std::vector<double>(static_cast<std::size_t>(plan->heads * n), 1.0))
                << score;
        }
}

TEST(Invariant45, OneNumberPerTokenIsEnough) {
    for (const std::string& score : every_score) {
        AttentionSpec narrow = cross(score);
        narrow.heads.heads = 1;
        const Inputs inputs = sequences(3, 4, 1);
        for (const double weight : run(narrow, inputs).weights)
            EXPECT_GT(weight, 0) << score;
    }
}

TEST(Invariant45, EqualKeysShareEquallyByEachScore) {
    for (const std::string& score : every_score) {
        Inputs inputs = sequences(3, 5, 8);
        inputs.key = rows_of(*inputs.key, {0, 0, 0, 0, 0});
        const auto plan = planned(cross(score), inputs);
        EXPECT_TRUE(near(run(plan).weights,
                         std::vector<double>(static_cast<std::size_t>(plan->heads * 15), 0.2), 1e-12))
            << score;
    }
}

TEST(Invariant45, DuplicateKeysWeighTheSame) {
    for (const std::string& score : every_score) {
        Inputs inputs = sequences(3, 4, 8);
        inputs.key = rows_of(*inputs.key, {0, 1, 2, 1});
        const Numbers numbers = run(cross(score), inputs);
        for (std::size_t row = 0; row < numbers.weights.size(); row += 4)
            EXPECT_EQ(numbers.weights[row + 1], numbers.weights[row + 3]) << score;
    }
}

TEST(Invariant45, FirstOfEqualScoresIsChosen) {
    Inputs inputs = sequences(3, 4, 8);
    inputs.key = rows_of(*inputs.key, {0, 0, 0, 0});
    const Numbers numbers = run(cross(R"(, "normalizer": {"type": "hard"})"), inputs);
    EXPECT_EQ(numbers.weights, (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
}

TEST(Invariant45, NothingAllowedIsZeroNotNaN) {
    for (const std::string& score : every_score) {
        const Numbers numbers =
            run(cross(score + R"(, "mask": {"type": "padding", "key_lengths": 0})"), sequences(3, 4, 8));
        for (const double value : numbers.weights)
            EXPECT_EQ(value, 0) << score;
        for (const double value : numbers.output)
            EXPECT_EQ(value, 0) << score;
    }
}

TEST(Invariant45, HugeScoresUnderAMaskDoNotOverflow) {
    for (const std::string mask : {"none", "causal"}) {
        const AttentionSpec dot = cross(R"(, "score": {"type": "dot"}, "mask": {"type": ")" + mask + R"("})");
        const Inputs inputs = sequences(6, 6, 4, 3, 100);  // scores of some +-10^4
        const auto plan = planned(dot, inputs);
        for (const Numbers& numbers : {run<double>(plan), run<float>(plan)})
            for (std::size_t row = 0; row < 6; ++row) {
                double sum = 0;
                for (std::size_t key = 0; key < 6; ++key)
                    sum += numbers.weights[row * 6 + key];
                EXPECT_NEAR(sum, 1, 1e-6);
            }
    }
}

}  // namespace

}  // namespace headlight::invariants_limits_test
