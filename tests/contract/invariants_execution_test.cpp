// Invariants 20, 22 to 25, and the parts of 31, 32 and 36 that are heads', executions' and memories'.

#include "tests/support/attention_runs.h"

#include <numeric>

namespace headlight::invariants_execution_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;

Inputs tokens(Index count, Index width, std::uint64_t seed) {
    RandomEngine random(seed);
    return {.query = random_tensor({count, width}, random)};
}

std::span<const double> head_of(const std::vector<double>& maps, Index head, Index size) {
    return std::span(maps).subspan(static_cast<std::size_t>(head * size), static_cast<std::size_t>(size));
}

TEST(Invariant20, OnlineSoftmaxIsTheSoftmaxForEveryTile) {
    const Inputs inputs = tokens(11, 6, 20);
    for (const std::string mask : {R"({"type": "none"})", R"({"type": "causal"})",
                                   R"({"type": "window", "size": 3})", R"({"not": {"type": "causal"}})"}) {
        const Numbers whole = run(spec(R"({"mask": )" + mask + "}"), inputs);
        for (Index tile = 1; tile <= 13; ++tile)
            EXPECT_TRUE(near(
                run(spec(R"({"mask": )" + mask + R"(, "algorithm": {"type": "online_softmax", "tile": )" +
                         std::to_string(tile) + "}}"),
                    inputs),
                whole, exact))
                << mask << tile;
    }
}

TEST(Invariant20, OnlineSoftmaxBearsHugeScores) {
    Inputs inputs = tokens(9, 4, 21);
    for (double& number : inputs.query.values())
        number *= 1e3;
    EXPECT_TRUE(near(run(spec(R"({"algorithm": {"type": "online_softmax", "tile": 2}})"), inputs),
                     run(spec("{}"), inputs), exact));
}

// What two halves of the keys give, merged by the logs of their sums.
TEST(Invariant20, HalvesMergeByTheirLogSums) {
    const Inputs inputs = tokens(8, 4, 22);
    const Trace whole = record(planned(spec("{}"), inputs));
    const Trace left = record(planned(spec(R"({"mask": {"type": "padding", "key_lengths": 3}})"), inputs));
    const Trace right =
        record(planned(spec(R"({"mask": {"not": {"type": "padding", "key_lengths": 3}}})"), inputs));
    const auto log_sum = [](const Trace& trace, Index i) {
        return stage(trace, "row_maximum")[static_cast<std::size_t>(i)] +
               std::log(stage(trace, "row_sum")[static_cast<std::size_t>(i)]);
    };
    for (Index i = 0; i < 8; ++i) {
        const double l = log_sum(left, i), r = log_sum(right, i), both = std::log(std::exp(l) + std::exp(r));
        EXPECT_NEAR(log_sum(whole, i), both, exact);
        for (Index c = 0; c < 4; ++c) {
            const auto at = static_cast<std::size_t>(i * 4 + c);
            EXPECT_NEAR(stage(whole, "output")[at],
                        std::exp(l - both) * stage(left, "output")[at] +
                            std::exp(r - both) * stage(right, "output")[at],
                        exact);
        }
    }
}

// Of the running stages: the last tile has the numbers of the whole row.
TEST(Invariant20, TheLastTileHasTheMaximumAndTheSumOfTheRow) {
    const Inputs inputs = tokens(7, 4, 23);
    const Trace whole = record(planned(spec("{}"), inputs));
    const Trace tiles =
        record(planned(spec(R"({"algorithm": {"type": "online_softmax", "tile": 2}})"), inputs));
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_NEAR(stage(tiles, "running_maximum")[4 * i + 3], stage(whole, "row_maximum")[i], exact);
        EXPECT_NEAR(stage(tiles, "running_sum")[4 * i + 3], stage(whole, "row_sum")[i], exact);
    }
}

struct Grouped : testing::Test {
    Inputs inputs = tokens(6, 8, 24);
    Grouped() {
        RandomEngine random(25);
        for (const std::string name : {"W_q", "W_o"})
            inputs.parameters[name] = random_tensor({8, 8}, random);
        for (const std::string name : {"W_k", "W_v"})
            inputs.parameters[name] = random_tensor({8, 4}, random);
    }
    static AttentionSpec heads(const std::string& kind) {
        return spec(R"({"projections": {"type": "learned"}, "mask": {"type": "causal"}, "heads": {)" + kind +
                    "}}");
    }
    /// Each head of keys or values of width 2, once for each of the query heads that share it.
    Inputs tied(Index kv_heads) const {
        Inputs tied = inputs;
        for (const std::string name : {"W_k", "W_v"}) {
            Tensor wide({8, 8});
            for (Index row = 0; row < 8; ++row)
                for (Index column = 0; column < 8; ++column)
                    wide(row, column) =
                        inputs.parameters.at(name)(row, column / 2 / (4 / kv_heads) * 2 + column % 2);
            tied.parameters[name] = wide;
        }
        return tied;
    }
};

using Invariant22 = Grouped;

TEST_F(Invariant22, GroupedQueriesAreHeadsWithTiedKeysAndValues) {
    EXPECT_TRUE(near(run(heads(R"("type": "grouped_query", "heads": 4, "kv_heads": 2)"), inputs),
                     run(heads(R"("type": "multi", "heads": 4)"), tied(2)), exact));
}

TEST_F(Invariant22, OneGroupIsMultiQuery) {
    for (const std::string name : {"W_k", "W_v"})
        inputs.parameters[name] = columns_of(inputs.parameters.at(name), 0, 2);
    const Numbers shared = run(heads(R"("type": "multi_query", "heads": 4)"), inputs);
    EXPECT_TRUE(
        near(run(heads(R"("type": "grouped_query", "heads": 4, "kv_heads": 1)"), inputs), shared, exact));
    EXPECT_TRUE(near(run(heads(R"("type": "multi", "heads": 4)"), tied(1)), shared, exact));
}

TEST_F(Invariant22, AsManyGroupsAsHeadsIsMultiHead) {
    const Inputs all = tied(2);
    EXPECT_TRUE(near(run(heads(R"("type": "grouped_query", "heads": 4, "kv_heads": 4)"), all),
                     run(heads(R"("type": "multi", "heads": 4)"), all), exact));
}

TEST_F(Invariant22, AGateThatIsOpenChangesNothing) {
    Inputs open = tied(2);
    for (const auto& [kind, width] : {std::pair<std::string, Index>{"elementwise", 8}, {"headwise", 4}}) {
        open.parameters["W_gate"] = Tensor({8, width});
        open.parameters["b_gate"] = Tensor({width}, 40.0);
        EXPECT_TRUE(near(run(heads(R"("type": "multi", "heads": 4, "gate": ")" + kind + "\""), open),
                         run(heads(R"("type": "multi", "heads": 4)"), open), exact));
    }
}

TEST(Invariant23, AbsorbedLatentsGiveTheSame) {
    const Inputs inputs = tokens(7, 16, 26);
    const auto latent = [&](const std::string& options, Index heads) {
        return run(spec(R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
                            "heads": {"type": "multi", "heads": )" +
                        std::to_string(heads) + R"(}, "algorithm": {"type": "latent")" + options + "}}"),
                   inputs);
    };
    for (const Index heads : {1, 2, 4, 8, 16})
        for (const std::string options : {"", R"(, "latent_width": 1)", R"(, "latent_width": 24)",
                                          R"(, "rotary_pairs": 1)", R"(, "base": 3)"})
            EXPECT_TRUE(near(latent(options + R"(, "absorbed": true)", heads), latent(options, heads), exact))
                << heads << options;
}

// A latent as wide as the tokens that keeps them, and no rotary part: plain multi-head attention.
TEST(Invariant23, ALatentThatKeepsTheTokensIsMultiHead) {
    Inputs inputs = tokens(5, 6, 27);
    for (Index row = 0; row < 5; ++row) {  // so that the norm of the latent leaves them alone
        double squares = 0;
        for (const double x : inputs.query.row(row))
            squares += x * x;
        for (double& x : inputs.query.row(row))
            x *= std::sqrt(6 * (1 - 1e-6) / squares);
    }
    RandomEngine random(28);
    for (const std::string name : {"W_q", "W_k", "W_v", "W_o"})
        inputs.parameters[name] = random_tensor({6, 6}, random);
    inputs.parameters["W_latent"] = identity(6);
    inputs.parameters["W_latent_key"] = inputs.parameters.at("W_k");
    inputs.parameters["W_latent_value"] = inputs.parameters.at("W_v");
    const std::string heads = R"("projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2})";
    EXPECT_TRUE(
        near(run(spec("{" + heads + R"(, "algorithm": {"type": "latent", "latent_width": 6}})"), inputs),
             run(spec("{" + heads + "}"), inputs), exact));
}

TEST(Invariant24, ACacheGivesTheNumbersOfCausalAttention) {
    const Inputs inputs = tokens(9, 8, 29);
    for (const std::string heads : {R"("type": "single")", R"("type": "multi", "heads": 4)",
                                    R"("type": "grouped_query", "heads": 4, "kv_heads": 2)"}) {
        const std::string rest = R"("projections": {"type": "learned"}, "heads": {)" + heads + "}, ";
        EXPECT_TRUE(
            near(run(spec("{" + rest + R"("mask": {"type": "causal"}, "algorithm": {"type": "kv_cache"}})"),
                     inputs),
                 run(spec("{" + rest + R"("mask": {"type": "causal"}})"), inputs), exact));
    }
}

TEST(Invariant24, ARollingCacheIsAWindow) {
    const Inputs inputs = tokens(9, 8, 30);
    for (const Index size : {1, 2, 5, 9})
        EXPECT_TRUE(
            near(run(spec(R"({"mask": {"type": "causal"}, "algorithm": {"type": "kv_cache", "capacity": )" +
                          std::to_string(size) + "}}"),
                     inputs),
                 run(spec(R"({"mask": {"type": "window", "size": )" + std::to_string(size) + "}}"), inputs),
                 exact));
}

TEST(Invariant24, ACacheGrowsByTheHeadsOfKeysAndValues) {
    const auto bytes = [](const std::string& heads) {
        const Trace trace = record(
            planned(spec(R"({"projections": {"type": "learned"}, "mask": {"type": "causal"}, "heads": {)" +
                         heads + R"(}, "algorithm": {"type": "kv_cache"}})"),
                    tokens(5, 8, 31)));
        EXPECT_EQ(stage(trace, "cached_rows"), (std::vector<double>{1, 2, 3, 4, 5}));
        EXPECT_EQ(stage(trace, "appended_rows"), (std::vector<double>{1, 1, 1, 1, 1}));
        return stage(trace, "cache_bytes").back();
    };
    EXPECT_EQ(bytes(R"("type": "multi", "heads": 4)"), 5 * 16 * 2);
    EXPECT_EQ(bytes(R"("type": "grouped_query", "heads": 4, "kv_heads": 2)"), 5 * 8 * 2);
    EXPECT_EQ(bytes(R"("type": "multi_query", "heads": 4)"), 5 * 4 * 2);
}

TEST(Invariant25, RowsOfDifferentialAttentionSumToOneLessLambda) {
    for (const Index layer : {0, 3, 20}) {
        const auto plan = planned(
            spec(
                R"({"projections": {"type": "learned"}, "mask": {"type": "causal"}, "heads": {"type": "multi", "heads": 2},
                     "algorithm": {"type": "differential", "layer": )" +
                std::to_string(layer) + "}}"),
            tokens(6, 8, 32));
        const Trace trace = record(plan);
        const auto weights = stage(trace, "weights");
        for (Index row = 0; row < 12; ++row) {
            const auto numbers = head_of(weights, row, 6);
            EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0),
                        1 - stage(trace, "lambda").front(), exact);
        }
    }
}

TEST(Invariant25, WithoutLambdaTheFirstMapIsAll) {
    Inputs inputs = tokens(6, 8, 33);
    for (const std::string name : {"lambda_q1", "lambda_k1", "lambda_k2"})
        inputs.parameters[name] = Tensor({4});
    inputs.parameters["lambda_q1"][0] = std::log(0.8);
    inputs.parameters["lambda_k1"][0] = 1;
    inputs.parameters["lambda_q2"] = Tensor({4});
    const Trace trace =
        record(planned(spec(R"({"algorithm": {"type": "differential", "norm": false}})"), inputs));
    EXPECT_TRUE(near(stage(trace, "weights"), stage(trace, "first_weights"), exact));
    Inputs first{.query = columns_of(inputs.query, 0, 4), .value = inputs.query};
    first.key = first.query;
    EXPECT_TRUE(
        near(stage(trace, "weights"), run(spec(R"({"source": {"type": "cross"}})"), first).weights, exact));
}

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

/// The controls of an NTM's head, the same at every step: W_control = 0.
Inputs with_controls(Inputs inputs, const std::vector<double>& raw) {
    inputs.parameters["W_control"] = Tensor({inputs.query.cols(), 6});
    inputs.parameters["b_control"] = Tensor({6}, raw);
    return inputs;
}

TEST(Invariant32, AHeadThatOnlyShiftsWalksAlongTheCells) {
    const Index n = 7;
    const Inputs inputs = with_controls(tokens(n, 4, 34), {0, -60, -60, -60, -60, 60});
    const auto weights = run(spec(R"({"algorithm": {"type": "turing"}})"), inputs).weights;
    for (Index step = 0; step < n; ++step)
        for (Index cell = 0; cell < n; ++cell)
            EXPECT_NEAR(weights[static_cast<std::size_t>(step * n + cell)], cell == (step + 1) % n ? 1 : 0,
                        exact);
}

TEST(Invariant32, WithoutStrengthContentIsUniform) {
    const Inputs inputs = with_controls(tokens(6, 4, 35), {-800, 60, -800, 0, 0, 0});
    for (const double weight : run(spec(R"({"algorithm": {"type": "turing"}})"), inputs).weights)
        EXPECT_NEAR(weight, 1.0 / 6, exact);
}

TEST(Invariant32, ShiftsAndInterpolationKeepTheSum) {
    const Trace trace = record(planned(spec(R"({"algorithm": {"type": "turing"}})"), tokens(6, 4, 36)));
    for (const std::string name : {"content_weights", "interpolated_weights", "shifted_weights", "weights"}) {
        const auto map = stage(trace, name);
        for (Index row = 0; row < 6; ++row) {
            const auto numbers = head_of(map, row, 6);
            EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0), 1, exact) << name;
        }
    }
}

TEST(Invariant36, SparseBranchesThatSelectEverythingAreCausalAttention) {
    Inputs inputs = tokens(9, 8, 37);
    inputs.parameters["W_branch"] = Tensor({8, 3});
    inputs.parameters["b_branch"] = Tensor({3}, {-800, 60, -800});
    for (const Index block : {1, 2, 4, 20})
        EXPECT_TRUE(near(
            run(spec(R"({"mask": {"type": "causal"}, "algorithm": {"type": "native_sparse", "selected": 20,
                                      "block": )" +
                     std::to_string(block) + "}}"),
                inputs),
            run(spec(R"({"mask": {"type": "causal"}})"), inputs), exact));
}

TEST(Invariant36, AWindowBranchAloneIsAWindow) {
    Inputs inputs = tokens(9, 8, 38);
    inputs.parameters["W_branch"] = Tensor({8, 3});
    inputs.parameters["b_branch"] = Tensor({3}, {-800, -800, 60});
    EXPECT_TRUE(
        near(run(spec(R"({"mask": {"type": "causal"}, "algorithm": {"type": "native_sparse", "window": 3}})"),
                 inputs),
             run(spec(R"({"mask": {"type": "window", "size": 3}})"), inputs), exact));
}

// Heads that share keys choose the same blocks.
TEST(Invariant36, AGroupChoosesTogether) {
    const Trace trace = record(planned(
        spec(
            R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
                 "mask": {"type": "causal"}, "algorithm": {"type": "native_sparse", "block": 1, "selected": 4}})"),
        tokens(12, 8, 39)));
    const auto chosen = stage(trace, "chosen_blocks");
    EXPECT_TRUE(std::ranges::equal(head_of(chosen, 0, 144), head_of(chosen, 1, 144)));
    EXPECT_TRUE(std::ranges::equal(head_of(chosen, 2, 144), head_of(chosen, 3, 144)));
    EXPECT_FALSE(std::ranges::equal(head_of(chosen, 0, 144), head_of(chosen, 2, 144)));
}

// The energy of a Hopfield network never grows (Ramsauer et al. 2021, theorem 1).
TEST(ProgramRun, RepeatsTheScoresThatWentBefore) {
    for (const std::string order : {"before_scale", "after_scale"}) {
        const Trace trace = record(
            planned(spec(R"({"score": {"type": "manhattan"}, "mask": {"type": "causal"}, "mask_order": ")" +
                         order + "\"}"),
                    tokens(5, 4, 3)));
        const bool is_masked_first = order == "before_scale";
        EXPECT_EQ(stage(trace, "scaled_scores"), stage(trace, is_masked_first ? "masked_scores" : "scores"));
        EXPECT_EQ(stage(trace, "biased_scores"), stage(trace, "scaled_scores"));
        EXPECT_EQ(std::isinf(stage(trace, "masked_scores")[1]), true);
    }
}

TEST(Hopfield, EveryUpdateMakesTheEnergySmaller) {
    for (const double beta : {0.1, 1.0, 8.0}) {
        const Trace trace = record(planned(
            spec(R"({"algorithm": {"type": "hopfield", "steps": 12, "beta": )" + std::to_string(beta) + "}}"),
            tokens(6, 8, 40)));
        const auto energies = stage(trace, "energies");
        for (std::size_t i = 0; i < energies.size(); ++i) {
            if (i % 12 > 0) {
                EXPECT_LE(energies[i], energies[i - 1] + 1e-12);
            }
        }
    }
}

}  // namespace

}  // namespace headlight::invariants_execution_test
