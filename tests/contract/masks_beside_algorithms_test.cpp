// Masks beside algorithms that keep a state: sums over keys take any of them, delta rules documents, each of
// which has a state of its own. Where the mask is no prefix the run is that of the definition.

#include "core/analysis/run_cost.h"
#include "core/attention/component.h"
#include "core/attention/key_spans.h"
#include "core/attention/program_run.h"
#include "core/io/trace_check.h"
#include "core/tensor/error.h"
#include "tests/oracle/oracle.h"
#include "tests/support/explained_cells.h"
#include "tests/support/refusal.h"
#include "tests/support/rounding.h"

#include <limits>
#include <ostream>

namespace headlight::masks_beside_algorithms_test {

using namespace test;

namespace {

struct Row {
    std::string name;
    std::string algorithm;
    bool is_delta = false;
    bool divides = false;  ///< each row by its sum
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

const std::vector<Row> rows{
    {.name = "linear", .algorithm = R"({"type": "linear"})", .divides = true},
    {.name = "linear_in_chunks", .algorithm = R"({"type": "linear", "form": "chunkwise"})", .divides = true},
    {.name = "performer", .algorithm = R"({"type": "performer", "features": 5})", .divides = true},
    {.name = "cosformer", .algorithm = R"({"type": "cosformer", "length": 16})", .divides = true},
    {.name = "based", .algorithm = R"({"type": "based"})", .divides = true},
    {.name = "rebased", .algorithm = R"({"type": "rebased"})", .divides = true},
    {.name = "efficient", .algorithm = R"({"type": "efficient"})", .divides = true},
    {.name = "retention", .algorithm = R"({"type": "retention"})"},
    {.name = "retention_of_shares",
     .algorithm = R"({"type": "retention", "normalize": true, "silu": "all"})",
     .divides = true},
    {.name = "gated_linear", .algorithm = R"({"type": "gated_linear", "temperature": 2})"},
    {.name = "gated_linear_that_keeps", .algorithm = R"({"type": "gated_linear", "forgets": false})"},
    {.name = "state_space", .algorithm = R"({"type": "state_space"})"},
    {.name = "state_space_of_gates", .algorithm = R"({"type": "state_space", "discretize": false})"},
    {.name = "delta", .algorithm = R"({"type": "delta"})", .is_delta = true},
    {.name = "gated_delta", .algorithm = R"({"type": "gated_delta"})", .is_delta = true},
    {.name = "kimi_delta", .algorithm = R"({"type": "kimi_delta", "overshoot": true})", .is_delta = true},
};

constexpr Index n = 6, width = 8;

/// Masks of n tokens of which each query sees the first keys of its document.
const std::vector<std::string> documents{
    R"({"type": "documents", "lengths": [2, 3]})",
    R"({"all": [{"type": "causal"}, {"type": "documents", "lengths": [2, 3]}]})",
    R"({"all": [{"type": "documents", "lengths": [4]}, {"type": "padding", "key_lengths": 5}]})",
    // Prefixes that do not grow, and a document with padding behind it.
    R"({"type": "matrix", "allowed": [[1,1,1,0,0,0],[1,0,0,0,0,0],[0,0,0,0,0,0],[1,1,0,0,0,0],
                                      [1,1,1,1,0,0],[1,1,1,1,1,0]]})",
    R"({"type": "matrix", "allowed": [[1,0,0,0,0,0],[1,1,0,0,0,0],[0,0,0,0,0,0],[0,0,0,1,0,0],
                                      [0,0,0,1,1,0],[0,0,0,1,1,1]]})",
};

/// ... and others.
const std::vector<std::string> other_masks{
    R"({"type": "window", "size": 2})",
    R"({"type": "symmetric_window"})",
    R"({"type": "dilated"})",
    R"({"not": {"type": "causal"}})",
    R"({"any": [{"type": "window", "size": 2}, {"all": [{"type": "causal"}, {"type": "sinks"}]}]})",
    // The third key is padding, the fifth query sees nothing.
    R"({"type": "matrix", "allowed": [[1,0,0,0,0,0],[1,1,0,0,0,0],[0,1,0,0,0,0],[1,0,0,1,0,0],
                                      [0,0,0,0,0,0],[0,1,0,1,0,1]]})",
};

const std::vector<std::string> surroundings{
    R"("projections": {"type": "none"})",
    R"("projections": {"type": "learned", "bias": true}, "heads": {"type": "multi", "heads": 2})",
    R"("projections": {"type": "learned"}, "position": {"type": "sinusoidal"},
       "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2})",
    R"("projections": {"type": "learned"}, "score": {"vector_norm": "rms"},
       "heads": {"type": "multi", "heads": 2})",
};

AttentionSpec spec_of(const Row& row, const std::string& mask,
                      const std::string& surrounding = surroundings.front()) {
    return spec("{" + surrounding + R"(, "mask": )" + mask + R"(, "algorithm": )" + row.algorithm + "}");
}

class MasksBeside : public testing::TestWithParam<Row> {
protected:
    /// Calls attempt(plan) for every mask that the row takes, in every surrounding.
    template <class Attempt>
    void for_every_plan(const Attempt& attempt) {
        RandomEngine random(29);
        const Inputs inputs{.query = random_tensor({n, width}, random)};
        std::vector<std::string> masks = documents;
        if (!GetParam().is_delta)
            masks.insert(masks.end(), other_masks.begin(), other_masks.end());
        for (const std::string& mask : masks)
            for (const std::string& surrounding : surroundings) {
                const auto made = planned(spec_of(GetParam(), mask, surrounding), inputs, 5);
                EXPECT_TRUE(runs_by_program(made->spec));
                attempt(made);
                ASSERT_FALSE(testing::Test::HasFailure()) << to_json(made->spec).dump();
            }
    }
};

INSTANTIATE_TEST_SUITE_P(Mixers, MasksBeside, testing::ValuesIn(rows),
                         [](const auto& row) { return row.param.name; });

TEST_P(MasksBeside, EqualTheOracle) {
    for_every_plan([](const std::shared_ptr<const Plan>& plan) {
        const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
        const Numbers expected{oracle.weights, oracle.output};
        EXPECT_TRUE(near(run<double>(plan), expected,
                         std::max(1e-12, double_tolerance(plan->spec, expected.weights))));
        EXPECT_TRUE(near(run<float>(plan), expected, 1e-5));
    });
}

TEST_P(MasksBeside, AreNotChangedByBeingTraced) {
    for_every_plan([](const std::shared_ptr<const Plan>& plan) {
        const Numbers untraced = run<double>(plan);
        const Trace trace = record(plan);
        EXPECT_EQ(stage(trace, "weights"), untraced.weights);
        EXPECT_EQ(stage(trace, "output"), untraced.output);
        EXPECT_EQ(trace.find("state"), nullptr) << "pairs are compared";
        EXPECT_NO_THROW(require_numbers_that_can_be(trace));
        Executor<double> without_weights(plan, Executor<double>::Weights::discard);
        without_weights.run();
        EXPECT_TRUE(std::ranges::equal(without_weights.output(), untraced.output));
    });
}

TEST_P(MasksBeside, AreExplained) {
    for_every_plan([](const std::shared_ptr<const Plan>& plan) {
        const Trace trace = record(plan);
        for (const Stage& stage : trace.stages()) {
            const bool has_heads = stage.shape.size() > 2 && stage.axes.front() == Axis::head;
            const Index rows_of_head = stage.size() / stage.shape.back() / (has_heads ? stage.shape[0] : 1);
            EXPECT_FALSE(explain_cell(*plan, trace, stage.name, 0, rows_of_head - 1, 0).empty())
                << stage.name;
        }
    });
    RandomEngine random(39);
    const auto plan = planned(spec_of(GetParam(), documents[1]), {.query = random_tensor({n, 4}, random)});
    explain_every_cell({plan, record(plan)});
}

// Qwen3-Next gives queries and keys of its delta rule the length 1: a kernel takes them as the norm left
// them.
TEST_P(MasksBeside, AndANormOfQueriesAndKeysEqualTheOracle) {
    RandomEngine random(30);
    const Inputs inputs{.query = random_tensor({n, width}, random)};
    for (const std::string norm : {"l2", "rms", "layer"}) {
        SCOPED_TRACE(norm);
        const std::string around = surroundings[1] + R"(, "score": {"vector_norm": ")" + norm + R"("})";
        const AttentionSpec made = spec_of(GetParam(), R"({"type": "causal"})", around);
        EXPECT_FALSE(runs_by_program(made));
        const auto plan = planned(made, inputs, 5);
        const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
        const Numbers expected{oracle.weights, oracle.output};
        EXPECT_TRUE(
            near(run<double>(plan), expected, std::max(1e-12, double_tolerance(made, expected.weights))));
        EXPECT_TRUE(near(run<float>(plan), expected, 1e-4)) << "a sum that nearly cancels divides";
        const Trace trace = record(plan);
        EXPECT_EQ(stage(trace, "output"), run<double>(plan).output);
        EXPECT_TRUE(trace.find("normalized_query"));
        for (const Stage& stage : trace.stages())
            EXPECT_FALSE(explain_cell(*plan, trace, stage.name, 0, 0, 0).empty()) << stage.name;
    }
    EXPECT_THROW(planned(spec_of(GetParam(), R"({"type": "causal"})",
                                 R"("score": {"vector_norm": "l2", "softcap": 2})"),
                         inputs),
                 Error);
}

// A key that nobody sees may be anything.
TEST_P(MasksBeside, NeverReadPadding) {
    RandomEngine random(31);
    const std::string padded = GetParam().is_delta ? documents.back() : other_masks.back();
    const AttentionSpec made = [&] {
        AttentionSpec crossed = spec_of(GetParam(), padded, surroundings[1]);
        crossed.source.type = SourceType::cross;
        return crossed;
    }();
    Inputs inputs{.query = random_tensor({n, width}, random), .key = random_tensor({n, width}, random)};
    const Numbers expected = run(made, inputs);
    for (const double anything : {std::numeric_limits<double>::quiet_NaN(), 40.0}) {
        for (Index c = 0; c < width; ++c)
            (*inputs.key)(2, c) = anything;
        EXPECT_TRUE(near(run(made, inputs), expected, 1e-12)) << anything;
    }
}

// What documents are packed into one sequence changes none of them.
TEST_P(MasksBeside, OfDocumentsAreThoseOfEachAlone) {
    RandomEngine random(33);
    const Tensor tokens = random_tensor({n, width}, random);
    const Numbers packed =
        run(spec_of(GetParam(), R"({"all": [{"type": "causal"}, {"type": "documents", "lengths": [2, 3]}]})"),
            {.query = tokens}, 5);
    const AttentionSpec alone = spec_of(GetParam(), R"({"type": "causal"})");
    EXPECT_FALSE(runs_by_program(alone)) << "a kernel knows prefixes";
    std::vector<double> output;
    const std::vector<std::vector<Index>> tokens_of_documents{{0, 1}, {2, 3, 4}, {5}};
    for (const std::vector<Index>& document : tokens_of_documents) {
        const Numbers own = run(alone, {.query = rows_of(tokens, document)}, 5);
        output.insert(output.end(), own.output.begin(), own.output.end());
    }
    // Cosines of places, and the largest exponents of other keys, are rounded otherwise.
    EXPECT_TRUE(near(packed.output, output, 1e-11));
}

TEST_P(MasksBeside, OfAWindowLeaveTheOtherWeightsAsTheyAre) {
    if (GetParam().is_delta || GetParam().divides)
        return;
    RandomEngine random(35);
    const Inputs inputs{.query = random_tensor({n, width}, random)};
    std::vector<double> expected = run(spec_of(GetParam(), R"({"type": "causal"})"), inputs).weights;
    for (Index query = 0; query < n; ++query)
        for (Index key = 0; key + 1 < query; ++key)
            expected[static_cast<std::size_t>(query * n + key)] = 0;
    EXPECT_TRUE(
        near(run(spec_of(GetParam(), R"({"type": "window", "size": 2})"), inputs).weights, expected, 1e-12));
}

TEST_P(MasksBeside, CostAMapWhereNoStateTells) {
    RandomEngine random(36);
    const Inputs inputs{.query = random_tensor({n, width}, random)};
    const auto cost = [&](const std::string& mask) {
        return run_cost(*planned(spec_of(GetParam(), mask), inputs));
    };
    const RunCost of_prefix = cost(R"({"type": "causal"})"), of_documents = cost(documents[1]);
    EXPECT_GT(of_prefix.state_bytes, 0);
    EXPECT_EQ(of_documents.state_bytes > 0, GetParam().is_delta);
    EXPECT_EQ(of_documents.map_bytes > 0, !GetParam().is_delta);
    EXPECT_GT(of_documents.multiply_adds, 0);
}

TEST_P(MasksBeside, ThatAreNoneOfTheRecurrenceAreRefused) {
    RandomEngine random(37);
    const Inputs inputs{.query = random_tensor({n, width}, random)};
    for (const std::string& mask : other_masks)
        if (GetParam().is_delta)
            expect_refusal([&] { planned(spec_of(GetParam(), mask), inputs); },
                           {"mask", "of its own document", "window", "another mask"});
    expect_refusal(
        [&] { planned(spec(R"({"mask": {"type": "window"}, "algorithm": {"type": "mesa"}})"), inputs); },
        {"mesa", "each query see the first keys", "another mask"});
}

TEST(PrefixesByTheRule, AreThoseOfThePairs) {
    const std::pair<const char*, bool> masks[] = {
        {R"({"type": "none"})", true},
        {R"({"type": "causal"})", true},
        {R"({"type": "causal", "align": "bottom_right"})", true},
        {R"({"type": "padding", "key_lengths": 3})", true},
        {R"({"all": [{"type": "causal"}, {"type": "padding", "key_lengths": 2}]})", true},
        {R"({"any": [{"type": "causal"}, {"type": "sinks", "sinks": 3}]})", true},
        {R"({"all": [{"type": "causal"}, {"type": "window", "size": 3}]})", false},
        {R"({"all": [{"type": "causal"}, {"type": "documents"}]})", false},
        {R"({"any": [{"type": "sinks", "sinks": 1}, {"type": "documents"}]})", false},
        {R"({"not": {"type": "causal"}})", false},
        {R"({"type": "matrix", "allowed": [[1,0,0,0],[1,1,0,0],[1,1,0,0],[1,1,1,1]]})", true},
        {R"({"type": "matrix", "allowed": [[0,0,0,0],[0,0,0,0],[0,0,0,0],[1,0,0,0]]})", true},
        {R"({"type": "matrix", "allowed": [[1,1,0,0],[1,0,0,0],[1,1,0,0],[1,1,1,1]]})", false},
        {R"({"type": "matrix", "allowed": [[1,0,0,0],[0,1,0,0],[1,1,0,0],[1,1,1,1]]})", false},
    };
    for (const auto& [text, gives] : masks) {
        SCOPED_TRACE(text);
        const Mask mask = spec(std::string(R"({"mask": )") + text + "}").mask;
        EXPECT_EQ(gives_prefixes(mask), gives);
        const AllowedPairs pairs(mask, 4, 4);
        EXPECT_EQ(pairs.is_prefix() && std::ranges::is_sorted(pairs.ends()), gives);
    }
}

TEST(PrefixesByTheRule, OfAPatternHoldWhateverItsOptions) {
    int patterns = 0;
    for (const MaskComponent& component : mask_components()) {
        if (!component.gives_prefixes)
            continue;
        ++patterns;
        const Option& option = component.options.front();
        for (const Index number : {0, 1, 2, 3, 7, 40})
            for (const auto& [queries, keys] : {std::pair<Index, Index>{1, 1}, {5, 5}, {2, 9}, {9, 2}}) {
                if (static_cast<double>(number) < option.minimum)
                    continue;
                const AllowedPairs pairs(Mask{PatternMask{component.type, {{option.name, number}}}}, queries,
                                         keys);
                EXPECT_TRUE(pairs.is_prefix() && std::ranges::is_sorted(pairs.ends()))
                    << component.word << " " << number;
            }
    }
    EXPECT_GT(patterns, 2);
}

TEST(SpansOfKeys, AreThoseOfDocuments) {
    using Spans = std::optional<std::vector<KeySpan>>;
    const auto of = [](const std::string& mask, Index queries = 6, Index keys = 6) {
        return spans_of_keys(AllowedPairs(spec(R"({"mask": )" + mask + "}").mask, queries, keys));
    };
    const auto spans = [](std::vector<KeySpan> list) { return Spans(std::move(list)); };
    EXPECT_EQ(of(R"({"type": "none"})"), spans({{0, 6}}));
    EXPECT_EQ(of(R"({"type": "causal"})", 2, 6), spans({{0, 2}}));
    EXPECT_EQ(of(R"({"type": "padding", "key_lengths": 0})"), spans({}));
    EXPECT_EQ(of(documents[0]), spans({{0, 2}, {2, 5}, {5, 6}}));
    EXPECT_EQ(of(documents[1]), spans({{0, 2}, {2, 5}, {5, 6}}));
    EXPECT_EQ(of(documents[2]), spans({{0, 4}, {4, 5}}));
    EXPECT_EQ(of(documents[3]), spans({{0, 5}}));
    EXPECT_EQ(of(documents[4]), spans({{0, 2}, {3, 6}}));
    for (const std::string& mask : other_masks)
        EXPECT_EQ(of(mask), Spans()) << mask;
}

}  // namespace

}  // namespace headlight::masks_beside_algorithms_test
