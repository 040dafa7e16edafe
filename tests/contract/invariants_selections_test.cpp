// Invariants of selections; numbered as in the catalogue of attentions.

#include "core/attention/spec_words.h"
#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::invariants_selections_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;

Inputs tokens(Index count, RandomEngine& random) { return {.query = random_tensor({count, 4}, random)}; }

TEST(SelectionInvariants, Invariant36_KeepingEverythingIsCausal) {
    RandomEngine random(36);
    for (const std::string selection :
         {R"({"type": "block_means", "blocks": 100})", R"({"type": "block_means", "size": 100, "blocks": 1})",
          R"({"type": "indexer", "k": 100})", R"({"type": "pages", "pages": 100})",
          R"({"type": "top_k", "k": 100})", R"({"type": "clusters", "members": 100})",
          R"({"type": "clusters", "clusters": 1})"}) {
        SCOPED_TRACE(selection);
        const Inputs inputs = tokens(11, random);
        EXPECT_EQ(
            run(spec(R"({"mask": {"type": "causal"}, "selection": )" + selection + "}"), inputs).weights,
            run(spec(R"({"mask": {"type": "causal"}})"), inputs).weights);
    }
}

TEST(SelectionInvariants, Invariant36_MobaKeepsItsOwnBlockWhateverItsGate) {
    RandomEngine random(37);
    const AttentionSpec moba =
        spec(R"({"mask": {"type": "causal"}, "selection": {"type": "block_means", "size": 3, "blocks": 1}})");
    const Inputs inputs = tokens(11, random);
    EXPECT_EQ(run(moba, inputs).weights,
              run(spec(R"({"mask": {"all": [{"type": "causal"}, {"type": "blocks", "size": 3}]}})"), inputs)
                  .weights);
}

TEST(SelectionInvariants, ABlockIndexKeepsTheOwnBlockAndAllIfAsked) {
    RandomEngine random(137);
    const Inputs inputs = tokens(11, random);
    const auto indexed = [&](const std::string& options) {
        return run(
            spec(R"({"mask": {"type": "causal"}, "selection": {"type": "block_indexer", )" + options + "}}"),
            inputs);
    };
    EXPECT_TRUE(
        near(indexed(R"("size": 3, "blocks": 1)"),
             run(spec(R"({"mask": {"all": [{"type": "causal"}, {"type": "blocks", "size": 3}]}})"), inputs),
             exact));
    const Numbers all = run(spec(R"({"mask": {"type": "causal"}})"), inputs);
    EXPECT_TRUE(near(indexed(R"("blocks": 100)"), all, exact));
    EXPECT_TRUE(near(indexed(R"("size": 100, "blocks": 1)"), all, exact));
}

// The index of a group asks for the first feature of tokens, by its sign: what the best key of a block has of
// it.
TEST(SelectionInvariants, ABlockIndexChoosesForEachGroupByTheBestKey) {
    RandomEngine random(138);
    Inputs inputs{.query = random_tensor({12, 4}, random)};
    for (Index token = 0; token < 12; ++token) {
        inputs.query(token, 0) = token == 4 ? 5 : token == 1 ? -5 : 0.1;
        inputs.query(token, 3) = 1;
    }
    Tensor asks({4, 2});
    asks(3, 0) = 1;
    asks(3, 1) = -1;
    inputs.parameters = {{"W_index_q", asks}, {"W_index_k", Tensor({4, 1}, std::vector<double>{1, 0, 0, 0})}};
    const auto weights = run(spec(R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
        "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
        "selection": {"type": "block_indexer", "size": 3, "blocks": 2, "index_width": 1}})"),
                             inputs)
                             .weights;
    for (std::size_t head = 0; head < 4; ++head)
        for (std::size_t query = 6; query < 12; ++query)
            for (std::size_t key = 0; key < 12; ++key) {
                const std::size_t best = head < 2 ? 1 : 0;  // blocks of the fifth and of the second token
                const bool is_kept = key <= query && (key / 3 == query / 3 || key / 3 == best);
                EXPECT_EQ(weights[(head * 12 + query) * 12 + key] > 0, is_kept) << head << query << key;
            }
}

// Products of numbers of this size are 0 to the processor, and so are the scores; the choice is not theirs.
TEST(SelectionInvariants, BlocksOfTinyVectorsAreThoseOfLargeOnes) {
    RandomEngine random(139);
    for (const std::string selection :
         {R"("block_indexer", "size": 2, "blocks": 2)", R"("region_means", "side": 1, "regions": 3)",
          R"("pooled_gates", "size": 2, "rule": "best", "blocks": 2)"}) {
        SCOPED_TRACE(selection);
        const AttentionSpec chosen =
            spec(R"({"mask": {"type": "causal"}, "selection": {"type": )" + selection + "}}");
        Inputs inputs = tokens(11, random);
        inputs.parameters = planned(chosen, inputs)->inputs.parameters;
        const auto kept = [&] {
            std::vector<bool> cells;
            for (const double weight : run(chosen, inputs).weights)
                cells.push_back(weight > 0);
            return cells;
        };
        const std::vector<bool> of_large = kept();
        for (double& number : inputs.query.values())
            number *= 0x1p-600;
        EXPECT_EQ(kept(), of_large);
        EXPECT_LT(std::ranges::count(of_large, true), 66) << "all that a causal mask leaves";
    }
}

// Where the logits are the bias alone, every key is in the mask or none is, and then all are seen.
TEST(SelectionInvariants, AnEmptyMaskIsAWholeOne) {
    RandomEngine random(145);
    const AttentionSpec drawn = spec(R"({"selection": {"type": "predicted_mask"}})");
    Inputs inputs = tokens(7, random);
    inputs.parameters = planned(drawn, inputs)->inputs.parameters;
    const std::vector<double> some = run(drawn, inputs).weights;
    EXPECT_GT(std::ranges::count(some, 0.0), 0);
    for (double& number : inputs.parameters["W_mask_key"].values())
        number = 0;
    inputs.parameters["b_mask_key"] = Tensor({8}, 1.0);
    for (const double logit : {1.0, -1.0}) {
        for (double& number : inputs.parameters["W_mask_3"].values())
            number = 0;
        inputs.parameters["b_mask_3"] = Tensor({8}, logit);
        EXPECT_TRUE(near(run(drawn, inputs), run(spec("{}"), Inputs{.query = inputs.query}), 1e-13)) << logit;
    }
}

TEST(SelectionInvariants, AMaskHasWhatIsAboveAHalfAndIsThatOfAllHeads) {
    RandomEngine random(146);
    const AttentionSpec drawn =
        spec(R"({"selection": {"type": "predicted_mask"}, "projections": {"type": "learned"},
                 "heads": {"type": "multi", "heads": 2}})");
    const Trace trace = record(planned(drawn, tokens(9, random)));
    const auto logits = stage(trace, "mask_logits"), weights = stage(trace, "weights");
    for (std::size_t row = 0; row < 18; ++row) {
        const auto of_row = std::span(logits).subspan(row * 9, 9);
        const bool is_empty = std::ranges::none_of(of_row, [](double logit) { return logit >= 0; });
        for (std::size_t key = 0; key < 9; ++key)
            EXPECT_EQ(weights[row * 9 + key] > 0, is_empty || of_row[key] >= 0) << row << ", " << key;
    }
}

TEST(SelectionInvariants, Invariant36_ScalingTheIndexChangesNoChoice) {
    RandomEngine random(38);
    const AttentionSpec dsa =
        spec(R"({"mask": {"type": "causal"}, "selection": {"type": "indexer", "k": 2}})");
    const auto plan = planned(dsa, tokens(11, random));
    Inputs scaled = plan->inputs;
    for (double& value : scaled.parameters["W_index_w"].values())
        value *= 7;
    EXPECT_EQ(run(dsa, scaled).weights, run(plan).weights);
}

TEST(SelectionInvariants, Invariant38_OneBucketIsFull) {
    RandomEngine random(40);
    const Inputs inputs = tokens(9, random);
    EXPECT_EQ(run(spec(R"({"selection": {"type": "hashing", "directions": 0}})"), inputs).weights,
              run(spec("{}"), inputs).weights);
}

TEST(SelectionInvariants, Invariant38_HashesDependOnDirectionAlone) {
    RandomEngine random(41);
    const AttentionSpec hashed = spec(R"({"selection": {"type": "hashing", "directions": 4, "rounds": 2}})");
    const auto plan = planned(hashed, tokens(9, random));
    Inputs longer = plan->inputs;
    for (Index row = 0; row < 9; ++row)
        for (double& value : longer.query.row(row))
            value *= static_cast<double>(row + 1);
    EXPECT_EQ(stage(record(planned(hashed, longer)), "query_buckets"), stage(record(plan), "query_buckets"));
    const std::vector<double> weights = run(plan).weights;
    for (Index i = 0; i < 9; ++i)
        EXPECT_GT(weights[static_cast<std::size_t>(i * 10)], 0) << "a token shares a bucket with itself";
}

TEST(SelectionInvariants, Invariant43_SelectionsNeverReadThePadding) {
    RandomEngine random(43);
    for (const std::string selection :
         {"top_k", "predicted_window", "hashing", "pages", "block_means", "indexer", "clusters", "eviction",
          "balanced_hashing", "neighbour_chunks", "frame_heads", "top_p", "sparq", "antidiagonals", "stripes",
          "block_indexer", "region_means", "pooled_gates", "predicted_mask"}) {
        SCOPED_TRACE(selection);
        const AttentionSpec padded = spec(
            R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 4}, "selection": {"type": ")" +
            selection + R"("}})");
        Inputs inputs{.query = random_tensor({5, 4}, random), .key = random_tensor({6, 4}, random)};
        inputs.value = inputs.key;
        inputs.parameters = planned(padded, inputs)->inputs.parameters;
        const Numbers numbers = run(padded, inputs);
        for (const double filling : {100.0, -3.0, std::numeric_limits<double>::quiet_NaN()}) {
            Inputs other = inputs;
            for (const Index row : {4, 5}) {
                std::ranges::fill(other.key->row(row), filling);
                std::ranges::fill(other.value->row(row), filling);
            }
            EXPECT_EQ(run(padded, other).weights, numbers.weights);
            EXPECT_EQ(run(padded, other).output, numbers.output);
        }
    }
}

TEST(SelectionInvariants, QuestsBoundIsNeverBelowAScore) {
    RandomEngine random(45);
    const auto plan = planned(
        spec(
            R"({"score": {"type": "dot"}, "mask": {"type": "causal"}, "selection": {"type": "pages", "size": 3}})"),
        tokens(11, random));
    const Trace trace = record(plan);
    const auto bounds = stage(trace, "page_bounds"), scores = stage(trace, "scores");
    for (Index i = 0; i < 11; ++i)
        for (Index j = 0; j <= i; ++j) {
            const auto cell = static_cast<std::size_t>(i * 11 + j);
            EXPECT_GE(bounds[cell], scores[cell] - exact);
        }
}

// Not normalised again: what the Gaussian takes away is gone.
TEST(SelectionInvariants, LocalPLosesWeightAndAFlatGaussianLosesNone) {
    RandomEngine random(46);
    const Inputs inputs = tokens(11, random);
    const auto sums = [&](const std::string& sigma) {
        const std::vector<double> weights =
            run(spec(R"({"selection": {"type": "predicted_window", "radius": 3, "sigma": )" + sigma + "}}"),
                inputs)
                .weights;
        std::vector<double> list(11, 0.0);
        for (std::size_t cell = 0; cell < weights.size(); ++cell)
            list[cell / 11] += weights[cell];
        return list;
    };
    for (const double sum : sums("1"))
        EXPECT_LT(sum, 0.99);
    for (const double sum : sums("1000"))
        EXPECT_NEAR(sum, 1, 1e-4);
}

TEST(SelectionInvariants, LocalPFadesTheWeightsOfEveryNormaliser) {
    RandomEngine random(48);
    const Inputs inputs = tokens(7, random);
    for (const std::string& normalizer : spellings<NormalizerType>()) {
        SCOPED_TRACE(normalizer);
        const auto plan = planned(spec(R"({"selection": {"type": "predicted_window", "radius": 3, "sigma": 2},
                                           "normalizer": {"type": ")" +
                                       normalizer + "\"}}"),
                                  inputs);
        const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
        EXPECT_TRUE(near(run(plan), {oracle.weights, oracle.output}, 1e-9));
    }
}

// No share of a gate is above 1, and none of four blocks that are alike above a quarter.
TEST(SelectionInvariants, AGateMayLeaveNoBlockAtAll) {
    RandomEngine random(140);
    const auto run_gated = [&](const std::string& threshold, const Inputs& inputs) {
        return run(
            spec(R"({"selection": {"type": "pooled_gates", "size": 2, "places": false, "threshold": )" +
                 threshold + "}}"),
            inputs);
    };
    const Inputs alike{.query = Tensor({8, 4})};
    for (const Numbers& numbers : {run_gated("1", tokens(8, random)), run_gated("0.25", alike)}) {
        EXPECT_EQ(numbers.weights, std::vector<double>(64, 0.0));
        EXPECT_EQ(std::ranges::count(numbers.output, 0.0), std::ssize(numbers.output));
    }
    for (const double weight : run_gated("0.24", alike).weights)
        EXPECT_NEAR(weight, 1.0 / 8, exact);
}

TEST(SelectionInvariants, TheLastBlocksOfAGateAreThoseOfTheTextAndNoPadding) {
    RandomEngine random(141);
    const std::vector<double> weights = run(spec(R"({"mask": {"type": "padding", "key_lengths": 4},
                     "selection": {"type": "pooled_gates", "size": 2, "threshold": 1, "dense": 1}})"),
                                            tokens(8, random))
                                            .weights;
    for (std::size_t query = 0; query < 4; ++query)
        for (std::size_t key = 0; key < 8; ++key)
            EXPECT_EQ(weights[query * 8 + key] > 0, query >= 2 && key < 4) << query << ", " << key;
}

TEST(SelectionInvariants, RowsThatASelectionEmptiesAreZero) {
    RandomEngine random(47);
    const AttentionSpec routed = spec(
        R"({"mask": {"type": "causal"}, "selection": {"type": "clusters", "clusters": 1, "members": 1}})");
    const Trace trace = record(planned(routed, tokens(11, random)));
    int empty = 0;
    for (Index i = 0; i < 11; ++i) {
        double sum = 0;
        for (Index j = 0; j < 11; ++j)
            sum += trace.values(*trace.find("weights"))[static_cast<std::size_t>(i * 11 + j)];
        EXPECT_TRUE(std::abs(sum) < exact || std::abs(sum - 1) < exact) << sum;
        empty += std::abs(sum) < exact;
    }
    EXPECT_GE(empty, 10);
}

}  // namespace

}  // namespace headlight::invariants_selections_test
