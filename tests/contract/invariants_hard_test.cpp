// Invariant 19: hard attention's draws have the soft weights as their probabilities, and REINFORCE's estimate
// of the gradient has the soft gradient as its mean. Seeds are fixed, bounds are five standard deviations.

#include "tests/support/attention_runs.h"

namespace headlight::invariants_hard_test {

using namespace test;

namespace {

constexpr Index draws = 20000;

/// Five standard deviations of the mean of `count` draws of probability p.
double bound(double p, Index count) {
    return 5 * std::sqrt(p * (1 - p) / static_cast<double>(count)) + 1e-12;
}

const Inputs& inputs() {
    static const Inputs fixed = [] {
        RandomEngine random(19);
        return Inputs{.query = random_tensor({3, 4}, random, 1),
                      .key = random_tensor({5, 4}, random, 1),
                      .value = random_tensor({5, 1}, random, 1)};
    }();
    return fixed;
}

AttentionSpec sampled(Index count) {
    AttentionSpec spec = test::spec(R"({"source": {"type": "cross"},
        "normalizer": {"type": "hard", "mode": "sample", "temperature": 0.8}})");
    spec.normalizer.draws = count;
    return spec;
}

Numbers soft() {
    return run(
        spec(R"({"source": {"type": "cross"}, "normalizer": {"type": "softmax", "temperature": 0.8}})"),
        inputs());
}

TEST(Invariant19, FrequenciesOfDrawsMeetTheSoftRow) {
    const Trace trace = record(planned(sampled(draws), inputs()));
    const std::vector<double> frequencies = stage(trace, "frequencies");
    const std::vector<double> weights = soft().weights;
    EXPECT_TRUE(near(stage(trace, "soft_weights"), weights, 1e-12));
    for (std::size_t cell = 0; cell < weights.size(); ++cell)
        EXPECT_NEAR(frequencies[cell], weights[cell], bound(weights[cell], draws)) << cell;
}

// The weights are draw 0; over many seeds it is distributed as the soft row too.
TEST(Invariant19, DrawsOfManySeedsMeetTheSoftRow) {
    constexpr Index seeds = 4000;
    const std::vector<double> weights = soft().weights;
    std::vector<double> mean(weights.size(), 0.0);
    for (Index seed = 0; seed < seeds; ++seed) {
        const Numbers numbers = run(sampled(1), inputs(), static_cast<std::uint64_t>(seed));
        for (std::size_t cell = 0; cell < mean.size(); ++cell)
            mean[cell] += numbers.weights[cell] / static_cast<double>(seeds);
    }
    for (std::size_t cell = 0; cell < weights.size(); ++cell)
        EXPECT_NEAR(mean[cell], weights[cell], bound(weights[cell], seeds)) << cell;
}

// argmax(s + g) with Gumbel noise g = -ln(-ln u) draws from softmax(s) (Gumbel 1954; Maddison et al. 2014):
// the same distribution by another road than the inverse of its cumulative sum.
TEST(Invariant19, GumbelMaxMeetsTheSoftRow) {
    const std::vector<double> weights = soft().weights;
    RandomEngine random(1919);
    std::uniform_real_distribution<double> uniform(std::nextafter(0.0, 1.0), 1.0);
    for (std::size_t query = 0; query < 3; ++query) {
        const auto row = std::span(weights).subspan(query * 5, 5);
        std::vector<double> frequency(5, 0.0);
        for (Index draw = 0; draw < draws; ++draw) {
            std::vector<double> noisy;
            for (const double weight : row)
                noisy.push_back(std::log(weight) - std::log(-std::log(uniform(random))));
            frequency[static_cast<std::size_t>(std::ranges::max_element(noisy) - noisy.begin())] +=
                1.0 / draws;
        }
        for (std::size_t key = 0; key < 5; ++key)
            EXPECT_NEAR(frequency[key], row[key], bound(row[key], draws));
    }
}

// For a reward f_j = v_j that is the value drawn, the mean of (f_j - b) d log A_j / d s_k is A_k (f_k - sum A
// f), the gradient of the soft output, whatever the baseline b (Williams 1992; Xu et al. 2015, section 4.1).
TEST(Invariant19, ReinforceMeetsTheSoftGradient) {
    const Trace trace = record(planned(sampled(draws), inputs()));
    const std::vector<double> drawn = stage(trace, "frequencies");
    const Numbers expected = soft();
    for (std::size_t query = 0; query < 3; ++query) {
        const auto A = std::span(expected.weights).subspan(query * 5, 5);
        const double mean_reward = expected.output[query];
        for (const double baseline : {0.0, mean_reward})
            for (std::size_t k = 0; k < 5; ++k) {
                double estimate = 0;
                double square = 0;
                for (std::size_t j = 0; j < 5; ++j) {
                    const double term =
                        ((*inputs().value)[static_cast<Index>(j)] - baseline) * ((j == k) - A[k]);
                    estimate += drawn[query * 5 + j] * term;
                    square += A[j] * term * term;
                }
                const double gradient = A[k] * ((*inputs().value)[static_cast<Index>(k)] - mean_reward);
                EXPECT_NEAR(estimate, gradient, 5 * std::sqrt(square / draws))
                    << "query " << query << ", key " << k;
            }
    }
}

TEST(Invariant19, SoftGradientIsThatOfTheSoftOutput) {
    constexpr double step = 1e-6;
    const AttentionSpec dot = spec(R"({"source": {"type": "cross"}, "score": {"type": "dot"}})");
    // One query of ones over keys that are one-hot times their score: moving a key's number moves that score
    // alone.
    Inputs scores{.query = Tensor({1, 4}, 1), .key = Tensor({4, 4}), .value = inputs().value};
    scores.value = Tensor({4, 1}, {0.3, -1.2, 2.0, 0.7});
    for (Index j = 0; j < 4; ++j)
        (*scores.key)(j, j) = 0.5 * static_cast<double>(j);
    const Numbers here = run(dot, scores);
    for (Index k = 0; k < 4; ++k) {
        Inputs up = scores;
        Inputs down = scores;
        (*up.key)(k, k) += step;
        (*down.key)(k, k) -= step;
        const double slope = (run(dot, up).output[0] - run(dot, down).output[0]) / (2 * step);
        EXPECT_NEAR(slope, here.weights[static_cast<std::size_t>(k)] * ((*scores.value)[k] - here.output[0]),
                    1e-8);
    }
}

}  // namespace

}  // namespace headlight::invariants_hard_test
