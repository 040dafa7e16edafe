// Invariant 31, as far as it is of algorithms that make weights or contexts in a way of their own.

#include "tests/support/self_attention.h"

#include <numeric>

namespace headlight::invariants_contexts_test {

using namespace test;
using namespace test::self_attention;

namespace {

TEST(Invariant31, ParallaxTakesTheCovarianceOffTheMeanAndLeavesTheSumsOfRows) {
    const Inputs inputs = tokens(6, 4, 47);
    const auto plan =
        planned(spec(R"({"mask": {"type": "causal"}, "algorithm": {"type": "parallax"}})"), inputs);
    const Trace trace = record(plan);
    const auto p = stage(trace, "soft_weights"), s = stage(trace, "probe_products"),
               weights = stage(trace, "weights"), output = stage(trace, "output");
    EXPECT_LT(std::ranges::min(weights), 0);
    for (Index query = 0; query < 6; ++query) {
        const auto numbers = head_of(weights, query, 6), shares = head_of(p, query, 6),
                   products = head_of(s, query, 6);
        EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0), 1, exact);
        const double mean = std::inner_product(shares.begin(), shares.end(), products.begin(), 0.0);
        for (Index c = 0; c < 4; ++c) {
            double value = 0, covariance = 0;
            for (Index key = 0; key < 6; ++key)
                value += shares[static_cast<std::size_t>(key)] * inputs.query(key, c);
            for (Index key = 0; key < 6; ++key)
                covariance += shares[static_cast<std::size_t>(key)] *
                              (products[static_cast<std::size_t>(key)] - mean) *
                              (inputs.query(key, c) - value);
            EXPECT_NEAR(output[static_cast<std::size_t>(query * 4 + c)], value - covariance, exact);
        }
    }
}

TEST(Invariant31, ParallaxWithoutAProbeIsSoftmaxAttention) {
    Inputs inputs = tokens(7, 4, 48);
    const Numbers softmax = run(spec("{}"), inputs);
    EXPECT_EQ(run(spec(R"({"algorithm": {"type": "parallax", "strength": 0}})"), inputs).weights,
              softmax.weights);
    inputs.parameters["W_r"] = Tensor({4, 4});
    EXPECT_EQ(run(spec(R"({"algorithm": {"type": "parallax"}})"), inputs).output, softmax.output);
}

TEST(Invariant31, KeysThatAreToldNothingAreThoseOfCausalAttention) {
    Inputs inputs = tokens(7, 4, 49);
    const AttentionSpec lookahead = spec(R"({"algorithm": {"type": "castle"}})");
    const Numbers causal = run(spec(R"({"mask": {"type": "causal"}})"), inputs);
    EXPECT_FALSE(near(run(lookahead, inputs), causal, 1e-3));
    inputs.parameters["W_vu"] = Tensor({4, 4});
    EXPECT_TRUE(near(run(lookahead, inputs), causal, exact));
}

// Query 4 may not see token 2: neither its key nor what it tells the keys before it.
TEST(Invariant31, AHiddenTokenTellsTheKeysNothing) {
    const AttentionSpec hiding =
        spec(R"({"algorithm": {"type": "castle"}, "mask": {"type": "matrix", "allowed":
        [[1,1,1,1,1],[1,1,1,1,1],[1,1,1,1,1],[1,1,1,1,1],[1,1,0,1,1]]}})");
    Inputs inputs = tokens(5, 4, 50);
    const Numbers before = run(hiding, inputs);
    for (double& number : inputs.query.row(2))
        number += 1;
    const Numbers after = run(hiding, inputs);
    EXPECT_TRUE(near(head_of(after.weights, 4, 5), head_of(before.weights, 4, 5), exact));
    EXPECT_FALSE(near(head_of(after.weights, 3, 5), head_of(before.weights, 3, 5), 1e-3));
    EXPECT_EQ(after.weights[4 * 5 + 2], 0);
}

TEST(Invariant31, ValuesThatNothingIsTakenFromAreReadByCausalAttention) {
    Inputs inputs = tokens(7, 4, 51);
    const Numbers causal = run(spec(R"({"mask": {"type": "causal"}})"), inputs);
    for (const std::string similarity : {"keys", "queries"}) {
        const AttentionSpec erasing =
            spec(R"({"algorithm": {"type": "deltaformer", "similarity": ")" + similarity + "\"}}");
        EXPECT_FALSE(near(run(erasing, inputs), causal, 1e-3));
        Inputs without = inputs;
        without.parameters["W_beta"] = Tensor({4, 1});
        without.parameters["b_beta"] = Tensor({1}, -1000.0);
        EXPECT_TRUE(near(run(erasing, without), causal, exact));
    }
}

// A = R (I + beta E)^-1: times the system it is the map that reads.
TEST(Invariant31, DeltaFormerIsTheMapOfItsSystem) {
    const Index n = 6;
    const Trace trace = record(planned(spec(R"({"algorithm": {"type": "deltaformer"}})"), tokens(n, 4, 52)));
    const auto weights = stage(trace, "weights"), read = stage(trace, "read_weights"),
               earlier = stage(trace, "earlier_weights"), strengths = stage(trace, "erasing_strengths");
    for (Index query = 0; query < n; ++query)
        for (Index key = 0; key < n; ++key) {
            double sum = weights[static_cast<std::size_t>(query * n + key)];
            for (Index j = key + 1; j < n; ++j)
                sum += weights[static_cast<std::size_t>(query * n + j)] *
                       strengths[static_cast<std::size_t>(j)] *
                       earlier[static_cast<std::size_t>(j * n + key)];
            EXPECT_NEAR(sum, read[static_cast<std::size_t>(query * n + key)], exact);
        }
}

TEST(Invariant31, OverlapsOfKeysAreCosinesToTheRootOfTheWidth) {
    const Index n = 6;
    const Inputs inputs = tokens(n, 4, 53);
    const auto overlaps =
        stage(record(planned(spec(R"({"algorithm": {"type": "lucid"}})"), inputs)), "key_overlaps");
    const auto dot = [&](Index i, Index j) {
        return std::inner_product(inputs.query.row(i).begin(), inputs.query.row(i).end(),
                                  inputs.query.row(j).begin(), 0.0);
    };
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            const double number = overlaps[static_cast<std::size_t>(i * n + j)];
            const double cosine = dot(i, j) / std::sqrt(dot(i, i) * dot(j, j));
            EXPECT_NEAR(number, j > i ? 0 : i == j ? 1 : std::exp(2 * (cosine - 1)), exact);
        }
}

// Keys at right angles overlap by exp(-sqrt d) alone.
TEST(Invariant31, LucidIsCausalAttentionWhereKeysAreFarApart) {
    const Index n = 5, width = 400;
    Inputs inputs{.query = Tensor({n, width})};
    for (Index token = 0; token < n; ++token)
        inputs.query(token, token) = static_cast<double>(token + 1);
    EXPECT_TRUE(near(run(spec(R"({"algorithm": {"type": "lucid"}})"), inputs),
                     run(spec(R"({"mask": {"type": "causal"}})"), inputs), 1e-7));
}

// [[1, 0], [1/2, 1/2]] times the inverse of [[1, 0], [1, 1]].
TEST(Invariant31, TheNewerOfTwoEqualKeysAnswers) {
    Inputs inputs = tokens(2, 4, 54);
    for (Index c = 0; c < 4; ++c)
        inputs.query(1, c) = inputs.query(0, c);
    const Numbers numbers = run(spec(R"({"algorithm": {"type": "lucid"}})"), inputs);
    EXPECT_TRUE(near(numbers.weights, std::vector<double>{1, 0, 0, 0.5}, exact));
}

/// Queries and keys of random numbers, and these values.
Inputs with_values(const Tensor& values, std::uint64_t seed) {
    RandomEngine random(seed);
    return {.query = random_tensor({5, 4}, random),
            .key = random_tensor({values.rows(), 4}, random),
            .value = values};
}

TEST(Invariant31, LaserGivesEqualValuesBack) {
    Tensor values({6, 3});
    for (Index key = 0; key < 6; ++key)
        std::ranges::copy(std::vector<double>{-3, 0, 250}, values.row(key).begin());
    const AttentionSpec laser = spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "laser"}})");
    const Numbers numbers = run(laser, with_values(values, 55));
    for (Index query = 0; query < 5; ++query)
        EXPECT_TRUE(near(head_of(numbers.output, query, 3), std::vector<double>{-3, 0, 250}, exact));
}

// The logarithm of a mean is no less than the mean of logarithms; of small values both are the same.
TEST(Invariant31, LaserIsAtLeastAttentionAndOfSmallValuesIsIt) {
    RandomEngine random(56);
    for (const double size : {1e-9, 1.0, 30.0}) {
        Tensor values = random_tensor({6, 3}, random);
        for (double& value : values.values())
            value *= size;
        const Inputs inputs = with_values(values, 57);
        const Numbers laser =
            run(spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "laser"}})"), inputs);
        const Numbers attention = run(spec(R"({"source": {"type": "cross"}})"), inputs);
        EXPECT_TRUE(near(laser.weights, attention.weights, exact));
        for (std::size_t i = 0; i < laser.output.size(); ++i) {
            EXPECT_GE(laser.output[i], attention.output[i] - exact * size);
            if (size < 1) {
                EXPECT_NEAR(laser.output[i] / size, attention.output[i] / size, 1e-7);
            }
        }
    }
}

// exp(0 - 2000) is no number of the processor's, and the first query sees nothing else.
TEST(Invariant31, LaserSeesValuesFarBelowTheLargest) {
    Tensor values({2, 1});
    values[1] = 2000;
    Inputs inputs = with_values(values, 58);
    inputs.query = Tensor({2, 4});
    const Numbers numbers = run(spec(R"({"source": {"type": "cross"}, "mask": {"type": "causal"},
                                          "algorithm": {"type": "laser"}})"),
                                inputs);
    EXPECT_TRUE(near(numbers.output, std::vector<double>{0, 2000 - std::log(2)}, exact));
}

const std::string pointwise = R"({"type": "hstu", "activated": false})";

TEST(Invariant31, PointwiseWeightsOfZeroScoresAreZero) {
    Inputs inputs = tokens(6, 4, 51);
    inputs.parameters["W_q"] = Tensor({4, 4});
    const Numbers numbers =
        run(spec(R"({"projections": {"type": "learned"}, "algorithm": {"type": "hstu"}})"), inputs);
    for (const double weight : numbers.weights)
        EXPECT_EQ(weight, 0);
    for (const double number : numbers.output)
        EXPECT_EQ(number, 0);
}

// SiLU has its smallest value, -0.2785, at -1.2785.
TEST(Invariant31, NoPointwiseWeightIsFarBelowZero) {
    const auto weights = run(spec(R"({"algorithm": )" + pointwise + "}"), tokens(6, 4, 52)).weights;
    EXPECT_LT(std::ranges::min(weights), 0);
    EXPECT_GE(std::ranges::min(weights), -0.2784646 / 6);
}

TEST(Invariant31, WithoutAKeyPointwiseWeightsChangeByTheirLengthAlone) {
    Inputs inputs = tokens(5, 4, 53);
    inputs.key = inputs.value = tokens(6, 4, 54).query;
    Inputs fewer = inputs;
    const std::vector<Index> kept{0, 1, 3, 4, 5};
    fewer.key = fewer.value = rows_of(*inputs.key, kept);
    const std::string cross = R"({"source": {"type": "cross"}, "algorithm": {"type": "hstu")";
    const auto all = run(spec(cross + "}}"), inputs).weights, rest = run(spec(cross + "}}"), fewer).weights;
    const auto fixed = run(spec(cross + R"(, "length": 9}})"), inputs).weights,
               fixed_rest = run(spec(cross + R"(, "length": 9}})"), fewer).weights;
    for (std::size_t query = 0; query < 5; ++query)
        for (std::size_t key = 0; key < 5; ++key) {
            const auto before = query * 6 + static_cast<std::size_t>(kept[key]);
            EXPECT_NEAR(5 * rest[query * 5 + key], 6 * all[before], exact);
            EXPECT_NEAR(fixed_rest[query * 5 + key], fixed[before], exact);
        }
}

const std::string shaped_heads = R"({"projections": {"type": "learned"}, "algorithm": {"type": "shaped"},
                                     "heads": {"type": "multi", "heads": 2}, "mask": {"type": "causal"}})";

TEST(Invariant31, ShapedAttentionOfTheSoftmaxAloneIsThatOfManyHeads) {
    Inputs inputs = tokens(6, 4, 55);
    inputs.parameters["alpha_shaped"] = inputs.parameters["gamma_shaped"] = Tensor({2});
    inputs.parameters["beta_shaped"] = Tensor({2}, 1.0);
    EXPECT_TRUE(near(run(spec(shaped_heads), inputs),
                     run(spec(R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
                                  "heads": {"type": "multi", "heads": 2}})"),
                         inputs),
                     exact));
}

TEST(Invariant31, OfEqualScoresShapedAttentionKeepsEachToken) {
    Inputs inputs = tokens(6, 4, 56);
    inputs.parameters["W_q"] = Tensor({4, 4});
    const auto weights = run(spec(shaped_heads), inputs).weights;
    for (std::size_t cell = 0; cell < weights.size(); ++cell)
        EXPECT_NEAR(weights[cell], cell / 6 % 6 == cell % 6 ? 1 : 0, exact);
}

TEST(Invariant31, RowsOfShapedAttentionSumToItsThreeNumbers) {
    Inputs inputs = tokens(6, 4, 57);
    inputs.parameters["alpha_shaped"] = Tensor({2}, 0.3);
    inputs.parameters["beta_shaped"] = Tensor({2}, 2.0);
    inputs.parameters["gamma_shaped"] = Tensor({2}, 0.7);
    const auto weights = run(spec(shaped_heads), inputs).weights;
    for (Index row = 0; row < 12; ++row) {
        const auto numbers = head_of(weights, row, 6);
        EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0), 0.3 + 2.0 - 0.7, exact);
        for (Index key = row % 6 + 1; key < 6; ++key)
            EXPECT_EQ(numbers[static_cast<std::size_t>(key)], 0) << "a key that the mask hides";
    }
}

// Whatever all tokens have in common is gone.
TEST(Invariant31, ADifferenceFromWhatATokenGetsKnowsNoCommonPart) {
    const AttentionSpec difference =
        spec(R"({"algorithm": {"type": "shaped", "form": "difference"}, "mask": {"type": "causal"},
                 "score": {"type": "cosine", "beta": 0}})");
    const Inputs inputs = tokens(6, 4, 59);
    Inputs moved = inputs;
    for (double& number : moved.query.values())
        number += 3;
    const Numbers here = run(difference, inputs);
    EXPECT_TRUE(near(run(difference, moved).output, here.output, exact));
    for (Index row = 0; row < 6; ++row) {
        const auto numbers = head_of(here.weights, row, 6);
        EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0), 0, exact);
        EXPECT_NEAR(numbers[static_cast<std::size_t>(row)], 1.0 / static_cast<double>(row + 1) - 1, exact);
    }
}

TEST(Invariant31, ExclusiveContextsAreAtRightAnglesToTheirOwnValues) {
    const Trace trace =
        record(planned(spec(R"({"projections": {"type": "learned"}, "algorithm": {"type": "exclusive"},
                                "heads": {"type": "multi", "heads": 2}, "mask": {"type": "causal"}})"),
                       tokens(6, 8, 58)));
    const auto values = stage(trace, "value"), contexts = stage(trace, "context");
    for (Index row = 0; row < 12; ++row) {
        const auto value = head_of(values, row, 4), context = head_of(contexts, row, 4);
        EXPECT_NEAR(std::inner_product(value.begin(), value.end(), context.begin(), 0.0), 0, exact);
    }
}

TEST(Invariant31, OfAValueOfZerosNothingIsTakenOut) {
    Inputs inputs = tokens(5, 4, 59);
    std::ranges::fill(inputs.query.row(2), 0.0);
    const Trace trace = record(planned(spec(R"({"algorithm": {"type": "exclusive"}})"), inputs));
    const auto attended = stage(trace, "attended"), contexts = stage(trace, "context");
    EXPECT_TRUE(near(head_of(contexts, 2, 4), head_of(attended, 2, 4), 0));
    EXPECT_FALSE(near(head_of(contexts, 1, 4), head_of(attended, 1, 4), 1e-3));
    for (const double number : contexts)
        EXPECT_TRUE(std::isfinite(number));
}

// As one map, exclusive attention is that of the softmax with another diagonal.
TEST(Invariant31, OnlyTheDiagonalOfAnExclusiveMapIsAnother) {
    const Inputs inputs = tokens(6, 4, 60);
    const Numbers exclusive = run(spec(R"({"algorithm": {"type": "exclusive"}})"), inputs);
    EXPECT_TRUE(near(exclusive.weights, run(spec("{}"), inputs).weights, exact));
    Tensor map({6, 6}, exclusive.weights);
    const Tensor products = product(inputs.query, transposed(inputs.query));
    for (Index token = 0; token < 6; ++token) {
        double along = 0;
        for (Index other = 0; other < 6; ++other)
            along += exclusive.weights[static_cast<std::size_t>(token * 6 + other)] * products(other, token);
        map(token, token) -= along / products(token, token);
    }
    EXPECT_TRUE(near(exclusive.output, product(map, inputs.query).values(), exact));
}

// Applied twice, the real part of the transform gives what a sequence and its reversal share.
TEST(Invariant31, TheTransformOfATransformIsTheSequenceAndItsReversal) {
    const Index n = 6, d = 4;
    const Inputs inputs = tokens(n, d, 61);
    const AttentionSpec fourier = spec(R"({"algorithm": {"type": "fourier"}})");
    const Numbers once = run(fourier, inputs);
    const auto twice = run(fourier, {.query = Tensor({n, d}, once.output)}).output;
    for (Index token = 0; token < n; ++token)
        for (Index c = 0; c < d; ++c)
            EXPECT_NEAR(twice[static_cast<std::size_t>(token * d + c)],
                        static_cast<double>(n * d) / 2 *
                            (inputs.query(token, c) + inputs.query((n - token) % n, (d - c) % d)),
                        exact);
    EXPECT_TRUE(near(once.weights, run(fourier, tokens(n, d, 62)).weights, 0)) << "no token has a say";
}

}  // namespace

}  // namespace headlight::invariants_contexts_test
