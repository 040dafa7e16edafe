// Algorithms that take parts of the spec beside them: each component that is not refused gives what the
// oracle gives, the numbers of its program, the same when it is traced, and arithmetic for every stage.

#include "core/attention/component.h"
#include "core/attention/explain.h"
#include "core/attention/program_run.h"
#include "core/io/trace_check.h"
#include "core/tensor/error.h"
#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"
#include "tests/support/refusal.h"
#include "tests/support/rounding.h"

#include <ostream>
#include <set>

namespace headlight::parts_beside_algorithms_test {

using namespace test;

namespace {

struct Row {
    std::string name;
    std::string algorithm;
    std::string surrounding;
    std::set<std::string> axes;  ///< whose components it takes
    int fewest;                  ///< so many of them at least
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

const std::string of_two_heads =
    R"("projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2})";
const std::string causal = R"("mask": {"type": "causal"})";
const std::string grouped = R"("projections": {"type": "learned"}, )"
                            R"("heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2})";
const std::set<std::string> every_axis{"score", "position", "selection", "normalizer"};
const std::set<std::string> rows_alone{"normalizer"};

const std::vector<Row> rows{
    {"kv_cache", R"({"type": "kv_cache"})", of_two_heads + ", " + causal, every_axis, 40},
    {"kv_cache_of_three", R"({"type": "kv_cache", "capacity": 3})", grouped + ", " + causal, every_axis, 40},
    {"kv_cache_behind_padding", R"({"type": "kv_cache", "capacity": 2})",
     R"("mask": {"type": "padding", "key_lengths": 4})", every_axis, 40},
    {"online_softmax",
     R"({"type": "online_softmax", "tile": 2, "query_tile": 2})",
     of_two_heads + ", " + causal,
     {"score", "position"},
     25},
    {"online_softmax_of_a_window",
     R"({"type": "online_softmax", "tile": 4})",
     grouped + R"(, "mask": {"type": "window", "size": 2}, "normalizer": {"type": "sink", "logit": 0.5})",
     {"position"},
     12},
    {"latent", R"({"type": "latent"})", of_two_heads + ", " + causal, {"normalizer", "selection"}, 20},
    {"latent_of_all_pairs",
     R"({"type": "latent"})",
     R"("projections": {"type": "learned"})",
     {"normalizer", "selection"},
     20},
    {"latent_absorbed",
     R"({"type": "latent", "absorbed": true})",
     of_two_heads + R"(, "mask": {"type": "padding", "key_lengths": 4})",
     {"normalizer", "selection"},
     20},
    {"hopfield", R"({"type": "hopfield", "steps": 2})", of_two_heads + ", " + causal, rows_alone, 20},
    {"hopfield_of_all_pairs", R"({"type": "hopfield"})", R"("projections": {"type": "learned"})", rows_alone,
     20},
    {"token_parameters", R"({"type": "token_parameters"})", of_two_heads + ", " + causal, rows_alone, 20},
    {"differential", R"({"type": "differential"})", of_two_heads + ", " + causal, rows_alone, 20},
    {"differential_of_all_pairs", R"({"type": "differential", "norm": false})",
     R"("projections": {"type": "learned"})", rows_alone, 20},
    {"differential_2", R"({"type": "differential_2"})", grouped + ", " + causal, rows_alone, 20},
    {"grouped_differential", R"({"type": "differential_2", "noise": "group"})", grouped + ", " + causal,
     rows_alone, 20},
    {"quantized_cache", R"({"type": "quantized_cache", "group": 2})",
     R"("mask": {"type": "padding", "key_lengths": 4})", rows_alone, 20},
    {"matchability", R"({"type": "matchability"})", grouped + ", " + causal, {"normalizer", "selection"}, 20},
    {"matchability_behind_padding",
     R"({"type": "matchability"})",
     of_two_heads + R"(, "mask": {"type": "padding", "key_lengths": 4})",
     {"normalizer", "selection"},
     20},
    {"entity_queries", R"({"type": "global_projections", "pieces": "questions"})", grouped + ", " + causal,
     rows_alone, 20},
    {"global_projections", R"({"type": "global_projections", "pieces": "pairs", "labels": 1})",
     grouped + ", " + causal, rows_alone, 20},
    {"native_sparse", R"({"type": "native_sparse"})", grouped + ", " + causal, rows_alone, 12},
    {"native_sparse_of_all_keys", R"({"type": "native_sparse", "block": 4, "window": 1})",
     R"("projections": {"type": "learned"})", rows_alone, 12},
};

/// The row's spec with each component of each axis in it.
std::vector<AttentionSpec> specs_of(const Row& row) {
    const AttentionSpec plain = spec("{" + row.surrounding + R"(, "algorithm": )" + row.algorithm + "}");
    std::vector<AttentionSpec> specs;
    const auto add = [&](const auto& components, auto part) {
        for (const auto& component : components) {
            specs.push_back(plain);
            part(specs.back()).type = component.type;
        }
    };
    add(
        score_components(), [](AttentionSpec & each) -> auto& { return each.score; });
    add(
        position_components(), [](AttentionSpec & each) -> auto& { return each.position; });
    add(
        selection_components(), [](AttentionSpec & each) -> auto& { return each.selection; });
    add(
        normalizer_components(), [](AttentionSpec & each) -> auto& { return each.normalizer; });
    for (const std::string normalizer : {R"({"type": "softmax", "temperature": 0.5})", R"({"type": "hard"})",
                                         R"({"type": "hard", "mode": "sample", "draws": 3})"}) {
        specs.push_back(plain);
        specs.back().normalizer = spec(R"({"normalizer": )" + normalizer + "}").normalizer;
    }
    return specs;
}

/// The axis on which the spec has something beside the row's own.
std::string axis_of(const AttentionSpec& each) {
    return !(each.score == Score{})                     ? "score"
           : each.position.type != PositionType::none   ? "position"
           : each.selection.type != SelectionType::none ? "selection"
                                                        : "normalizer";
}

class PartsBeside : public testing::TestWithParam<Row> {
protected:
    template <class Attempt>
    void for_every_plan(const Attempt& attempt) {
        RandomEngine random(23);
        const Inputs inputs{.query = random_tensor({6, 8}, random)};
        int plans = 0;
        for (const AttentionSpec& each : specs_of(GetParam())) {
            std::shared_ptr<const Plan> made;
            try {
                made = planned(each, inputs, 5);
            } catch (const Error& error) {
                EXPECT_FALSE(error.detail().expected.empty()) << error.what();
                continue;
            }
            plans += GetParam().axes.contains(axis_of(each)) ? 1 : 0;
            attempt(made);
            ASSERT_FALSE(testing::Test::HasFailure()) << to_json(each).dump();
        }
        EXPECT_GE(plans, GetParam().fewest) << "it refuses nearly everything";
    }
};

TEST_P(PartsBeside, EqualTheOracle) {
    for_every_plan([](const std::shared_ptr<const Plan>& plan) {
        const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
        const Numbers expected{oracle.weights, oracle.output};
        // The norm of a difference magnifies its rounding.
        EXPECT_TRUE(near(run<double>(plan), expected,
                         std::max(1e-12, double_tolerance(plan->spec, expected.weights))));
        if (plan->spec.normalizer.type != NormalizerType::hard) {
            EXPECT_TRUE(near(run<float>(plan), expected, 1e-5));
        }
    });
}

TEST_P(PartsBeside, AreWhatTheProgramSays) {
    for_every_plan([](const std::shared_ptr<const Plan>& plan) {
        ProgramNumbers numbers(*plan, ProgramNumbers::Kept::ends);
        numbers.run();
        const Numbers ran = run<double>(plan);
        const OperandNumbers output = *numbers.find("output");
        EXPECT_TRUE(near(std::span(output.numbers, ran.output.size()), ran.output, 1e-10));
    });
}

TEST_P(PartsBeside, AreNotChangedByBeingTraced) {
    for_every_plan([](const std::shared_ptr<const Plan>& plan) {
        const Numbers untraced = run<double>(plan);
        const Trace trace = record(plan);
        EXPECT_EQ(stage(trace, "weights"), untraced.weights);
        EXPECT_EQ(stage(trace, "output"), untraced.output);
        EXPECT_NO_THROW(require_numbers_that_can_be(trace));
        Executor<double> without_weights(plan, Executor<double>::Weights::discard);
        without_weights.run();
        EXPECT_TRUE(std::ranges::equal(without_weights.output(), untraced.output));
    });
}

TEST_P(PartsBeside, AreExplained) {
    for_every_plan([](const std::shared_ptr<const Plan>& plan) {
        const Trace trace = record(plan);
        for (const Stage& stage : trace.stages()) {
            const Index columns = stage.shape.back();
            const bool has_heads = stage.shape.size() > 2 && stage.axes.front() == Axis::head;
            const Index of_head = stage.size() / (has_heads ? stage.shape.front() : 1);
            if (columns == 0 || of_head == 0)
                continue;
            const auto steps = explain_cell(*plan, trace, stage.name, 0, of_head / columns - 1, 0);
            EXPECT_FALSE(steps.empty()) << stage.name;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Algorithms, PartsBeside, testing::ValuesIn(rows),
                         [](const auto& row) { return row.param.name; });

TEST(MapsOfDifferentialAttention, DrawEachForItself) {
    RandomEngine random(3);
    const Inputs inputs{.query = random_tensor({8, 8}, random)};
    for (const std::string type : {"differential", "differential_2"}) {
        SCOPED_TRACE(type);
        const Trace trace = record(planned(
            spec(R"({"projections": {"type": "learned"}, "normalizer": {"type": "dropout", "rate": 0.5},
                     "algorithm": {"type": ")" +
                 type + R"("}})"),
            inputs, 5));
        const auto first = stage(trace, "first_weights"), second = stage(trace, "second_weights");
        int differ = 0;
        for (std::size_t i = 0; i < first.size(); ++i)
            differ += (first[i] == 0) != (second[i] == 0) ? 1 : 0;
        EXPECT_GT(differ, 16) << "of 64 pairs, half of which are dropped";
    }
}

// A cache that keeps the last three keys is a window of three, whatever else the spec has.
TEST(CacheWithOtherParts, IsTheWindowOfItsCapacity) {
    RandomEngine random(3);
    const Inputs inputs{.query = random_tensor({7, 4}, random)};
    for (const std::string rest :
         {R"("position": {"type": "alibi"})", R"("position": {"type": "t5"})",
          R"("normalizer": {"type": "sparsemax"})", R"("score": {"type": "additive"})",
          R"("selection": {"type": "top_k", "k": 2})"}) {
        SCOPED_TRACE(rest);
        const auto cached = planned(
            spec("{" + rest + ", " + causal + R"(, "algorithm": {"type": "kv_cache", "capacity": 3}})"),
            inputs);
        EXPECT_TRUE(near(run(cached),
                         run(spec("{" + rest + R"(, "mask": {"type": "window", "size": 3}})"), inputs),
                         1e-13));
        const Trace trace = record(cached);
        EXPECT_EQ(stage(trace, "appended_rows"), std::vector<double>(7, 1.0));
        EXPECT_EQ(stage(trace, "cached_rows"), (std::vector<double>{1, 2, 3, 3, 3, 3, 3}));
    }
}

// More pairs than have a cell each.
TEST(CacheWithOtherParts, KeepsTheNewestOfManyKeys) {
    constexpr Index queries = 2300, keys = 2300, capacity = 70;
    const AllowedPairs kept = AllowedPairs(Mask{CausalMask{}}, queries, keys).newest(capacity);
    EXPECT_FALSE(AllowedPairs::has_cells(queries, keys));
    Index count = 0;
    for (Index query = 0; query < queries; ++query) {
        EXPECT_EQ(kept.end(query), query + 1);
        count += std::min(query + 1, capacity);
    }
    EXPECT_EQ(kept.count(), count);
    EXPECT_TRUE(kept.allowed(2000, 1931));
    EXPECT_FALSE(kept.allowed(2000, 1930));
    EXPECT_FALSE(kept.allowed(2000, 2001));
}

// FlashAttention with a cap, a bias or a sink: what runs along are the maximum and the sum of the final
// scores.
TEST(TilesWithOtherParts, KeepTheMaximumAndTheSumOfTheFinalScores) {
    constexpr Index tokens = 7, tiles = 3;
    RandomEngine random(3);
    const Inputs inputs{.query = random_tensor({tokens, 4}, random)};
    for (const std::string rest :
         {R"("position": {"type": "alibi"})", R"("score": {"type": "scaled_dot", "softcap": 0.5})",
          R"("normalizer": {"type": "sink", "logit": 0.3})", R"("normalizer": {"type": "off_by_one"})",
          R"("score": {"type": "additive"}, "mask_order": "before_scale")"}) {
        for (const std::string mask : {R"({"type": "causal"})", R"({"type": "window", "size": 3})"}) {
            SCOPED_TRACE(rest + mask);
            const std::string parts = rest + R"(, "mask": )" + mask;
            const auto tiled = planned(
                spec("{" + parts + R"(, "algorithm": {"type": "online_softmax", "tile": 3}})"), inputs);
            EXPECT_TRUE(near(run(tiled), run(spec("{" + parts + "}"), inputs), 1e-13));
            const Trace trace = record(tiled);
            const bool is_masked_last = trace.spec.mask_order == MaskOrder::after_scale;
            const auto scores = stage(trace, is_masked_last ? "masked_scores" : "biased_scores");
            const auto maxima = stage(trace, "running_maximum"), sums = stage(trace, "running_sum");
            for (Index query = 0; query < tokens; ++query) {
                const auto row = std::span(scores).subspan(static_cast<std::size_t>(query * tokens),
                                                           static_cast<std::size_t>(tokens));
                const auto last = static_cast<std::size_t>((query + 1) * tiles - 1);
                EXPECT_EQ(maxima[last], std::ranges::max(row));
                double sum = 0;
                for (const double score : row)
                    sum += std::exp(score - maxima[last]);
                EXPECT_NEAR(sums[last], sum, 1e-12);
            }
        }
    }
}

TEST(PartsThatCannotBe, AreRefusedWithAReason) {
    RandomEngine random(3);
    const Inputs inputs{.query = random_tensor({5, 8}, random)};
    const std::string learned = R"("projections": {"type": "learned"})";
    const std::vector<std::pair<std::string, std::vector<std::string>>> refused{
        {R"("normalizer": {"type": "sinkhorn"}, "algorithm": {"type": "kv_cache"})",
         {"kv_cache", "normalizer", "each row alone", "sinkhorn"}},
        {R"("selection": {"type": "clusters"}, "algorithm": {"type": "kv_cache"})",
         {"kv_cache", "selection", "each query alone", "clusters"}},
        {R"("selection": {"type": "balanced_hashing"}, "algorithm": {"type": "kv_cache"})",
         {"kv_cache", "selection", "each query alone", "balanced_hashing"}},
        {R"("position": {"type": "path"}, "algorithm": {"type": "kv_cache", "capacity": 2})",
         {"kv_cache", "position", "what lies between", "path"}},
        {R"("position": {"type": "alibi"}, "mask": {"type": "causal"}, "mask_value": -2,
            "algorithm": {"type": "kv_cache"})",
         {"kv_cache", "mask_value"}},
        {R"("mask": {"type": "causal"}, "mask_value": -2, "algorithm": {"type": "kv_cache"})",
         {"mask_value"}},
        {R"("position": {"type": "alibi"}, "mask": {"type": "window"}, "algorithm": {"type": "kv_cache"})",
         {"kv_cache", "mask"}},
        {learned + R"(, "selection": {"type": "hashing"}, "algorithm": {"type": "latent"})",
         {"latent", "selection", "keys of its own", "hashing"}},
        {learned + R"(, "position": {"type": "alibi"}, "algorithm": {"type": "latent"})",
         {"latent", "position", "alibi"}},
        {learned + R"(, "selection": {"type": "top_k"}, "algorithm": {"type": "differential"})",
         {"differential", "selection", "each keep keys of their own", "top_k"}},
        {learned + R"(, "selection": {"type": "top_k"}, "algorithm": {"type": "native_sparse"})",
         {"native_sparse", "selection", "three branches", "top_k"}},
        {learned + R"(, "normalizer": {"type": "stick_breaking"}, "algorithm": {"type": "native_sparse"})",
         {"native_sparse", "normalizer", "stick_breaking"}},
        {learned + R"(, "normalizer": {"type": "sparsemax"}, "algorithm": {"type": "online_softmax"})",
         {"online_softmax", "normalizer", "sparsemax"}},
        {R"("selection": {"type": "top_k"}, "algorithm": {"type": "online_softmax"})",
         {"online_softmax", "selection", "all tiles", "top_k"}},
        {R"("position": {"type": "alibi"}, "mask": {"type": "causal"}, "mask_value": -2,
            "algorithm": {"type": "online_softmax"})",
         {"online_softmax", "mask_value"}},
    };
    for (const auto& row : refused) {
        SCOPED_TRACE(row.first);
        expect_refusal([&] { planned(spec("{" + row.first + "}"), inputs); }, row.second);
    }
}

}  // namespace

}  // namespace headlight::parts_beside_algorithms_test
