// Invariants 20, 22 to 25, and the parts of 32 and 36 that are heads', executions' and memories'.

#include "core/tensor/error.h"
#include "tests/support/self_attention.h"

#include <numeric>

namespace headlight::invariants_execution_test {

using namespace test;
using namespace test::self_attention;

namespace {

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

// In the running stages the last tile has the numbers of the whole row.
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

/// Latents of three tokens that are merged, causal unless another mask is given.
AttentionSpec merged_latents(const std::string& options = {},
                             const std::string& mask = R"({"type": "causal"})") {
    return spec(R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2}, "mask": )" +
                mask + R"(, "algorithm": {"type": "latent", "merged": 3)" + options + "}}");
}

TEST(MergedLatents, AbsorbedGiveTheSame) {
    const Inputs inputs = tokens(8, 16, 31);
    for (const std::string options : {"", R"(, "norm": "layer")", R"(, "latent_width": 5)"})
        for (const std::string mask : {R"({"type": "causal"})", R"({"type": "padding", "key_lengths": 5})"})
            EXPECT_TRUE(near(run(merged_latents(options + R"(, "absorbed": true)", mask), inputs),
                             run(merged_latents(options, mask), inputs), exact))
                << options << mask;
}

TEST(MergedLatents, AreSeenOnceForEachGroupThatIsWhole) {
    const auto weights = run(merged_latents(), tokens(8, 16, 32)).weights;
    for (std::size_t row = 0; row < 2 * 8; ++row)
        for (std::size_t key = 0; key < 8; ++key) {
            const std::size_t query = row % 8;
            EXPECT_EQ(weights[row * 8 + key] > 0, key == query || (key < query && key % 3 == 2))
                << query << ", " << key;
        }
}

// A question of 0 makes every weight 1/2.
TEST(MergedLatents, AreSumsOfTheirGroupSoFar) {
    Inputs inputs = tokens(7, 16, 33);
    inputs.parameters["W_merge_place"] = Tensor({8, 2});
    const Trace trace = record(planned(merged_latents(R"(, "latent_width": 8)"), inputs));
    const auto own = stage(trace, "token_latent"), cached = stage(trace, "latent");
    for (std::size_t token = 0; token < 7; ++token)
        for (std::size_t c = 0; c < 8; ++c) {
            double sum = 0;
            for (std::size_t i = token / 3 * 3; i <= token; ++i)
                sum += own[i * 8 + c] / 2;
            EXPECT_NEAR(cached[token * 8 + c], sum, exact);
        }
}

/// As a session has them after its types were others.
TEST(Invariant24, FieldsThatNobodyReadsLeaveACacheItsStages) {
    const Inputs inputs = tokens(5, 8, 35);
    const auto names = [&](const std::string& beside) {
        const Trace trace = record(
            planned(spec("{" + beside + R"("mask": {"type": "causal"}, "algorithm": {"type": "kv_cache"}})"),
                    inputs));
        std::vector<std::string> list;
        for (const Stage& each : trace.stages())
            list.push_back(each.name);
        return list;
    };
    EXPECT_EQ(names(R"("normalizer": {"mode": "sample", "draws": 5}, )"), names(""));
    EXPECT_EQ(names(R"("score": {"bias": true, "attention_dimension": 3}, )"), names(""));
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

// What the second map takes off comes back as the mean row of the first: rows sum to 1 whatever λ is, and
// queries that are padding have no say in that mean.
TEST(Invariant25, RowsOfDifferentialIntegralAttentionSumToOne) {
    const auto of = [](const std::string& rest) {
        return spec(R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2}, )" +
                    rest + R"("algorithm": {"type": "differential", "layer": 4, "integral": true}})");
    };
    const auto weights = run(of(""), tokens(6, 8, 34)).weights;
    for (Index row = 0; row < 12; ++row) {
        const auto numbers = head_of(weights, row, 6);
        EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0), 1, exact);
    }
    Inputs inputs = tokens(6, 8, 35);
    const AttentionSpec padded = of(R"("mask": {"type": "padding", "key_lengths": 4}, )");
    inputs.parameters = planned(padded, inputs)->inputs.parameters;
    const auto before = run(padded, inputs).weights;
    for (const Index row : {4, 5})
        std::ranges::fill(inputs.query.row(row), 7.0);
    const auto after = run(padded, inputs).weights;
    for (Index row = 0; row < 4; ++row)
        EXPECT_TRUE(near(head_of(before, row, 6), head_of(after, row, 6), exact)) << row;
    EXPECT_THROW(planned(of(R"("mask": {"type": "causal"}, )"), tokens(6, 8, 36)), Error);
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

// The energy of a Hopfield network never grows (Ramsauer et al. 2021, theorem 1).
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
