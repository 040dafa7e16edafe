// Two positions at once: every pair that is not refused gives what the oracle gives, the numbers of its
// program and the same when it is traced; where one of the two does nothing, it is the other.

#include "core/attention/component.h"
#include "core/attention/explain.h"
#include "core/attention/program_run.h"
#include "core/attention/spec_words.h"
#include "core/catalog/knob.h"
#include "core/tensor/error.h"
#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"
#include "tests/support/refusal.h"
#include "tests/support/rounding.h"

namespace headlight::two_positions_test {

using namespace test;

namespace {

const std::string surroundings =
    R"("projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2}, "mask": {"type": "causal"})";

AttentionSpec both(const std::string& position) {
    return spec("{" + surroundings + R"(, "position": )" + position + "}");
}

std::vector<PositionType> positions() {
    std::vector<PositionType> all{PositionType::sinusoidal};
    for (const PositionComponent& each : position_components())
        all.push_back(each.type);
    return all;
}

struct TwoPositions : testing::Test {
    RandomEngine random{31};
    Inputs inputs{.query = random_tensor({6, 8}, random)};
};

TEST_F(TwoPositions, EqualTheOracleInEitherOrder) {
    int pairs = 0;
    for (const PositionType first : positions())
        for (const PositionType second : positions()) {
            AttentionSpec each = both(R"({"type": "none"})");
            each.position.type = first;
            each.position.second = second;
            SCOPED_TRACE(to_word(first) + " and " + to_word(second));
            std::shared_ptr<const Plan> plan;
            try {
                plan = planned(each, inputs, 5);
            } catch (const Error& error) {
                EXPECT_FALSE(error.detail().expected.empty()) << error.what();
                continue;
            }
            ++pairs;
            const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
            const Numbers numbers = run(plan);
            ASSERT_TRUE(near(numbers, {oracle.weights, oracle.output},
                             std::max(1e-12, double_tolerance(each, oracle.weights))));
            const Trace trace = record(plan);
            ASSERT_EQ(stage(trace, "output"), numbers.output);
            ProgramNumbers program(*plan, ProgramNumbers::Kept::ends);
            program.run();
            const OperandNumbers output = *program.find("output");
            ASSERT_TRUE(near(std::span(output.numbers, numbers.output.size()), numbers.output, 1e-10));
            for (const Stage& of : trace.stages()) {
                const Index columns = of.shape.back();
                const bool has_heads = of.shape.size() > 2 && of.axes.front() == Axis::head;
                const Index of_head = of.size() / (has_heads ? of.shape.front() : 1);
                if (columns == 0 || of_head == 0)
                    continue;
                EXPECT_FALSE(explain_cell(*plan, trace, of.name, 0, of_head / columns - 1, 0).empty())
                    << of.name;
            }
            std::swap(each.position.type, each.position.second);
            ASSERT_TRUE(near(run(each, plan->inputs, 5), numbers, 1e-12));
        }
    EXPECT_GE(pairs, 100) << "it refuses nearly everything";
}

TEST_F(TwoPositions, AreOneWhereTheOtherDoesNothing) {
    const auto expect_same = [&](const std::string& two, const std::string& one, const Inputs& given) {
        EXPECT_TRUE(near(run(both(two), given), run(both(one), given), 1e-12)) << two;
        EXPECT_FALSE(
            near(run(both(one), given).output, run(both(R"({"type": "none"})"), given).output, 1e-3));
    };
    // No pair turns, no slope, no gate that closes.
    expect_same(R"({"type": "rope", "second": "alibi", "turned_share": 0})", R"({"type": "alibi"})", inputs);
    expect_same(R"({"type": "alibi", "second": "rope", "slope": 1e-15})", R"({"type": "rope"})", inputs);
    Inputs open = inputs;
    open.parameters = {{"W_f", Tensor({8, 2})}, {"b_f", Tensor({2}, 100.0)}};
    expect_same(R"({"type": "path", "second": "forgetting"})", R"({"type": "path"})", open);
    Inputs placed = inputs;
    placed.parameters = {{"E_pos", Tensor({6, 8})}};
    expect_same(R"({"type": "learned", "second": "rope"})", R"({"type": "rope"})", placed);
}

TEST_F(TwoPositions, AddTheBiasOfOneToTheScoresOfTheOther) {
    const auto scores_of = [&](const std::string& position, const char* name) {
        return stage(record(planned(both(position), inputs)), name);
    };
    const std::string two = R"({"type": "rope", "second": "alibi", "base": 50})";
    EXPECT_TRUE(near(scores_of(two, "scaled_scores"),
                     scores_of(R"({"type": "rope", "base": 50})", "scaled_scores"), 1e-12));
    EXPECT_TRUE(
        near(scores_of(two, "position_bias"), scores_of(R"({"type": "alibi"})", "position_bias"), 1e-12));
}

TEST_F(TwoPositions, HaveTheOptionsOfBoth) {
    const AttentionSpec given = both(R"({"type": "rope", "second": "t5", "base": 50, "buckets": 6})");
    EXPECT_EQ(spec_from_json(to_json(given)), given);
    EXPECT_EQ(given.position.options.count("buckets"), 6);
    const auto count_knobs = [](PositionType type) {
        AttentionSpec alone;
        alone.position.type = type;
        return component_knobs(alone).size();
    };
    EXPECT_EQ(component_knobs(given).size(), count_knobs(PositionType::rope) + count_knobs(PositionType::t5));
    // Turns and a table of one grid.
    EXPECT_EQ(both(R"({"type": "grid_rope", "second": "grid_bias", "columns": 3})")
                  .position.options.count("columns"),
              3);
}

TEST_F(TwoPositions, ThatDoTheSameAreRefused) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> refused{
        {R"({"type": "alibi", "second": "t5"})", {"position.second", "scaled scores", "alibi and t5"}},
        {R"({"type": "sinusoidal", "second": "learned"})", {"position.second", "added to the tokens"}},
        {R"({"type": "rope", "second": "temperature_tuning"})", {"position.second", "turn"}},
        {R"({"type": "rope", "second": "transformer_xl"})", {"position.second", "as they are"}},
        {R"({"type": "path", "second": "transformer_xl"})", {"position.second", "scores of content"}},
        {R"({"type": "alibi", "second": "kerple"})", {"position.second", "form"}},
        {R"({"type": "wall", "second": "forgetting"})", {"position.second", "gates"}},
        {R"({"second": "alibi"})", {"position.second", "no first"}},
        {R"({"type": "rope", "second": "rope"})", {"position.second", "turn"}},
    };
    for (const auto& row : refused) {
        SCOPED_TRACE(row.first);
        expect_refusal([&] { planned(both(row.first), inputs); }, row.second);
    }
}

TEST_F(TwoPositions, BesideAnAlgorithmAreBothInTheTokensOrTheVectors) {
    const auto latent = [&](const std::string& position, const std::string& algorithm) {
        return spec(R"({"projections": {"type": "learned"}, "position": )" + position +
                    R"(, "algorithm": {"type": ")" + algorithm + "\"}}");
    };
    EXPECT_NO_THROW(planned(latent(R"({"type": "learned", "second": "rope"})", "linear"), inputs));
    expect_refusal([&] { planned(latent(R"({"type": "rope", "second": "alibi"})", "linear"), inputs); },
                   {"position", "rope and alibi"});
    expect_refusal([&] { planned(latent(R"({"type": "learned", "second": "rope"})", "latent"), inputs); },
                   {"position", "rope"});
}

}  // namespace

}  // namespace headlight::two_positions_test
