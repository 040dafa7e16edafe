#include "core/attention/explain.h"

#include "core/attention/component.h"
#include "core/attention/executor.h"
#include "core/attention/printed_line.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"
#include "tests/support/printed_equations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <ostream>
#include <set>

namespace headlight::explain_test { namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Row {
    std::string what;
    AttentionSpec spec;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.what; }

Tensor numbers(Shape shape, std::string_view name) {
    Tensor tensor(std::move(shape));
    for (Index i = 0; i < tensor.size(); ++i)
        tensor[i] = 3 * uniform(substream(substream(7, name), i)) - 1.5;
    return tensor;
}

std::vector<Row> rows() {
    AttentionSpec plain;
    plain.score.type = ScoreType::dot;
    AttentionSpec projected = plain;
    projected.projections = {.type = ProjectionType::learned, .bias = true, .dimension = {}};
    AttentionSpec heads = projected;
    heads.score.type = ScoreType::scaled_dot;
    heads.heads = {.type = HeadsType::multi, .heads = 2};

    std::vector<Row> rows{{"plain", plain}, {"projected", projected}, {"heads", heads}};
    const auto add = [&](std::string what, AttentionSpec spec, auto&& change) {
        change(spec);
        rows.push_back({std::move(what), std::move(spec)});
    };
    for (const auto& [name, type] :
         {std::pair("scaled_dot", ScoreType::scaled_dot),
          std::pair("learned_scale", ScoreType::learned_scale), std::pair("general", ScoreType::general),
          std::pair("concat", ScoreType::concat), std::pair("additive", ScoreType::additive),
          std::pair("self_similarity", ScoreType::self_similarity)})
        for (const AttentionSpec& base : {plain, heads})
            add(name, base, [type = type](AttentionSpec& spec) { spec.score.type = type; });
    for (const auto& [name, activation] :
         {std::pair("tanh", Activation::tanh), std::pair("relu", Activation::relu),
          std::pair("sigmoid", Activation::sigmoid), std::pair("identity", Activation::identity)})
        for (const ScoreType type : {ScoreType::concat, ScoreType::additive})
            add(name, projected, [type, activation = activation](AttentionSpec& spec) {
                spec.score = {.type = type, .activation = activation, .bias = true, .attention_dimension = 3};
            });
    add("identity projections", plain, [](auto& spec) { spec.projections.type = ProjectionType::identity; });
    for (const AttentionSpec& base : {plain, heads}) {
        add("positions", base, [](auto& spec) { spec.position.type = PositionType::sinusoidal; });
        add("cross", base, [](auto& spec) { spec.source.type = SourceType::cross; });
        add("temperature", base, [](auto& spec) { spec.normalizer.temperature = 0.5; });
        add("sink", base, [](auto& spec) {
            spec.normalizer.type = NormalizerType::sink;
            spec.normalizer.options["logit"] = 0.3;
        });
        add("off by one", base, [](auto& spec) {
            spec.normalizer.type = NormalizerType::off_by_one;
            spec.normalizer.temperature = 2;
            spec.mask.rule = PaddingMask{.key_lengths = 0};
        });
        add("argmax", base, [](auto& spec) { spec.normalizer.type = NormalizerType::hard; });
        add("sample", base, [](auto& spec) {
            spec.normalizer = {
                .type = NormalizerType::hard, .temperature = 2, .mode = HardMode::sample, .draws = 20};
        });
        for (const MaskOrder order : {MaskOrder::after_scale, MaskOrder::before_scale}) {
            const auto masked = [&](std::string what, Mask mask, std::optional<double> value) {
                add(std::move(what), base, [&](AttentionSpec& spec) {
                    spec.mask = mask;
                    spec.mask_order = order;
                    spec.mask_value = value;
                });
            };
            masked("causal", {CausalMask{}}, {});
            masked("causal, finite", {CausalMask{}}, -2.5);
            masked("padding", {PaddingMask{.key_lengths = 2}}, {});
            masked("nothing allowed", {PaddingMask{.key_lengths = 0}}, {});
        }
    }
    add("all at once", heads, [](AttentionSpec& spec) {
        spec.source.type = SourceType::cross;
        spec.position.type = PositionType::sinusoidal;
        spec.mask.rule = CausalMask{.alignment = CausalAlignment::bottom_right};
        spec.normalizer = {
            .type = NormalizerType::hard, .temperature = 0.7, .mode = HardMode::sample, .draws = 5};
    });
    return rows;
}

class ExplainCell : public testing::TestWithParam<Row> {
protected:
    ExplainCell() {
        Inputs inputs;
        inputs.query = numbers({3, 4}, "query");
        inputs.tokens.query = {"the", "cat", "sat"};
        if (GetParam().spec.source.type == SourceType::cross) {
            inputs.key = numbers({4, 4}, "key");
            inputs.value = numbers({4, 4}, "value");
            inputs.tokens.key = {"le", "chat", "est", "assis"};
        }
        plan_ = std::make_shared<const Plan>(plan(GetParam().spec, inputs, {.seed = 3}));
        trace_ = record(plan_);
    }

    /// Calls visit(stage, head, row, column, value) for every recorded number.
    void for_each_cell(const auto& visit) const {
        for (const Stage& stage : trace_.stages()) {
            const bool by_head = stage.shape.size() > 2 && stage.axes.front() == Axis::head;
            for (Index head = 0; head < (by_head ? stage.shape.front() : 1); ++head) {
                const auto matrix = trace_.matrix(stage, head);
                for (Index i = 0; i < std::ssize(matrix); ++i)
                    visit(stage, head, i / stage.shape.back(), i % stage.shape.back(),
                          matrix[static_cast<std::size_t>(i)]);
            }
        }
    }

    std::shared_ptr<const Plan> plan_;
    Trace trace_;
};

using test::line_of;

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

TEST_P(ExplainCell, EndsAtTheNumberOfTheTrace) {
    for_each_cell([&](const Stage& stage, Index head, Index row, Index column, double value) {
        const auto steps = explain_cell(*plan_, trace_, stage.name, head, row, column);
        ASSERT_FALSE(steps.empty()) << stage.name;
        EXPECT_EQ(steps.back().stage, stage.name);
        EXPECT_TRUE(same(steps.back().value, value)) << line_of(steps.back());
    });
}

// Every line, calculated again from the digits that are shown, gives the number that is shown for it.
TEST_P(ExplainCell, ShowsArithmeticThatIsTrue) {
    std::set<std::string> calculated;
    for_each_cell([&](const Stage& stage, Index head, Index row, Index column, double) {
        for (const ArithmeticStep& step : explain_cell(*plan_, trace_, stage.name, head, row, column)) {
            EXPECT_FALSE(step.name.empty());
            EXPECT_TRUE(test::adds_up(step));
            if (test::Calculator::value(step.expression))
                calculated.insert(step.stage);
        }
    });
    for (const char* stage : {"query", "key", "value", "scores", "scaled_scores", "masked_scores",
                              "row_maximum", "exponentials", "row_sum", "weights", "context"})
        EXPECT_TRUE(calculated.contains(stage)) << stage;
}

TEST_P(ExplainCell, GoesThroughTheStagesInTheirOrder) {
    std::vector<std::string> order;
    for (const Stage& stage : trace_.stages())
        order.push_back(stage.name);
    for_each_cell([&](const Stage& stage, Index head, Index row, Index column, double) {
        std::ptrdiff_t last = -1;
        for (const ArithmeticStep& step : explain_cell(*plan_, trace_, stage.name, head, row, column)) {
            const auto place = std::ranges::find(order, step.stage) - order.begin();
            if (place == std::ssize(order)) {  // a line that no stage records stands before one that does
                EXPECT_NE(step.stage, stage.name);
                continue;
            }
            EXPECT_GT(place, last) << line_of(step);
            last = place;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Explain, ExplainCell, testing::ValuesIn(rows()));

std::string all_lines(const std::vector<ArithmeticStep>& steps) {
    std::string text;
    for (const ArithmeticStep& step : steps)
        text += step.name + ": " + step.expression + " = " + step.result + "\n";
    return text;
}

std::string explained(const AttentionSpec& spec, const Inputs& inputs, const char* stage, Index row,
                      Index column) {
    const auto planned = std::make_shared<const Plan>(plan(spec, inputs));
    return all_lines(explain_cell(*planned, record(planned), stage, 0, row, column));
}

Inputs two_tokens() {
    Inputs inputs;
    inputs.query = Tensor({{1, 2, 0, 0}, {0.5, -1, 0, 0}});
    inputs.tokens.query = {"river", "bank"};
    return inputs;
}

TEST(ExplainText, OfAWeight) {
    EXPECT_EQ(explained({}, two_tokens(), "weights", 0, 1),
              "score: q · k = 1 × 0.5 + 2 × (−1) + 0 × 0 + 0 × 0 = −1.5\n"
              "scaled score: −1.5 / √4 = −0.75\n"
              "largest score of the row: max(2.5, −0.75) = 2.5\n"
              "exponential: exp(−0.75 − 2.5) = 0.03877\n"
              "sum of the row: 1 + 0.038774 = 1.039\n"
              "weight: 0.038774 / 1.0388 = 0.03733\n");
}

/// A part of a sum over the features of a pair, which no line has by itself.
TEST(ExplainText, OfAnEnergyWhoseSidesHaveLines) {
    Inputs inputs = two_tokens();
    inputs.parameters["W_1"] = Tensor(Shape{4, 1}, std::vector<double>{0.5, 0.25, 1, 1});
    inputs.parameters["W_2"] = Tensor(Shape{4, 1}, std::vector<double>{0.4, 0.1, 1, 1});
    inputs.parameters["v"] = Tensor(Shape{1}, 1.0);
    AttentionSpec spec;
    spec.score.type = ScoreType::additive;
    spec.score.attention_dimension = 1;
    EXPECT_EQ(
        explained(spec, inputs, "energy", 1, 0),
        "energy: tanh(query energy + key energy) = tanh(1 × 0.5 + 2 × 0.25 + (0.5 × 0.4 + (−1) × 0.1)) = "
        "0.8005\n");
}

TEST(ExplainText, OfAForbiddenWeight) {
    AttentionSpec spec;
    spec.mask.rule = CausalMask{};
    EXPECT_EQ(explained(spec, two_tokens(), "weights", 0, 1),
              "score: q · k = 1 × 0.5 + 2 × (−1) + 0 × 0 + 0 × 0 = −1.5\n"
              "scaled score: −1.5 / √4 = −0.75\n"
              "masked score: −0.75 − ∞ = −∞\n"
              "largest score of the row: max(2.5) = 2.5\n"
              "exponential: exp(−∞) = 0\n"
              "sum of the row: 1 = 1\n"
              "weight: 0 / 1 = 0\n");
}

/// As of a key that a person forbids inside a model, whose mask allows it.
TEST(ExplainText, OfAWeightThatIsForbiddenByHand) {
    const auto planned = std::make_shared<const Plan>(plan({}, two_tokens()));
    Trace trace = record(planned);
    trace.values(*trace.find("masked_scores"))[1] = -std::numeric_limits<double>::infinity();
    std::string text;
    for (const ArithmeticStep& step : explain_cell(*planned, trace, "weights", 0, 0, 1))
        if (step.stage == "masked_scores")
            text += step.name + ": " + step.expression;
    EXPECT_EQ(text, "masked score: −0.75 − ∞");
}

/// A plan with rows that a model went on with in place of its own: those of `drawn`, of which the first has
/// been changed where `is_changed`.
std::shared_ptr<const Plan> with_given_rows(const AttentionSpec& spec, const Inputs& inputs,
                                            bool is_changed) {
    const auto drawn = std::make_shared<const Plan>(plan(spec, inputs));
    const Trace trace = record(drawn);
    const Stage& weights = *trace.find("weights");
    auto rows = std::make_shared<GivenRows>();
    rows->weights =
        Tensor(weights.shape.size() == 2 ? Shape{1, weights.shape[0], weights.shape[1]} : weights.shape);
    std::ranges::copy(trace.values(weights), rows->weights.values().begin());
    rows->forbidden.resize(static_cast<std::size_t>(rows->weights.size()));
    if (is_changed)
        std::ranges::fill(rows->weights.values().first(static_cast<std::size_t>(weights.shape.back())),
                          1.0 / static_cast<double>(weights.shape.back()));
    return std::make_shared<const Plan>(plan(spec, inputs, {.given = rows}));
}

/// As in a trained model, whose rows are given: what leads to them is calculated all the same.
TEST(ExplainText, CalculatesTheScoresOfGivenRows) {
    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 2};
    spec.position.type = PositionType::transformer_xl;
    Inputs inputs;
    inputs.query = numbers({4, 6}, "query");
    const auto planned = with_given_rows(spec, inputs, true);
    const Trace trace = record(planned);
    for (const char* name : {"content_scores", "content_position_scores", "global_content_scores",
                             "global_position_scores", "scores"}) {
        const Stage* stage = trace.find(name);
        ASSERT_TRUE(stage) << name;
        for (Index head = 0; head < 2; ++head)
            for (Index cell = 0; cell < 16; ++cell) {
                const auto steps = explain_cell(*planned, trace, name, head, cell / 4, cell % 4);
                const ArithmeticStep& last = steps.back();
                EXPECT_EQ(last.value, trace.matrix(*stage, head)[static_cast<std::size_t>(cell)]);
                EXPECT_TRUE(test::Calculator::value(last.expression)) << line_of(last);
                EXPECT_TRUE(test::adds_up(last));
            }
    }
}

/// The line of a normaliser says what would follow from the scores.
TEST(ExplainText, DoesNotCalculateAWeightThatIsGivenByHand) {
    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::sparsemax;
    for (const bool is_changed : {false, true}) {
        const auto planned = with_given_rows(spec, two_tokens(), is_changed);
        const Trace trace = record(planned);
        const ArithmeticStep last = explain_cell(*planned, trace, "weights", 0, 0, 1).back();
        const bool is_calculated = last.expression != component_of(NormalizerType::sparsemax)->meaning;
        EXPECT_EQ(is_calculated, !is_changed) << line_of(last);
        EXPECT_TRUE(!is_calculated || test::adds_up(last));
    }
}

/// What a sink adds is told apart from what the keys do, as the picture beside it does.
TEST(ExplainText, OfARowBesideASink) {
    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::sink;
    spec.normalizer.options["logit"] = 3.5;
    EXPECT_EQ(explained(spec, two_tokens(), "exponentials", 1, 1),
              "maximum of row and sink: max(max(−0.75, 0.625), 3.5) = 3.5\n"
              "exponentials: exp(scaled scores − maximum of row and sink) = exp(0.625 − 3.5) = 0.05642\n");
    const auto has = [&](const char* stage, Index row, const char* words) {
        const std::string text = explained(spec, two_tokens(), stage, row, 1);
        EXPECT_NE(text.find(words), text.npos) << text;
    };
    has("weights", 1, "weight: exponentials / (key sum + sink exponential) = 0.0564");
    has("weights", 1, " + exp(3.5 − 3.5)) = 0.05269\n");
    has("unassigned", 0, "sink exponential / (key sum + sink exponential) = exp(3.5 − 3.5) / (");
    has("unassigned", 0, " + exp(3.5 − 3.5)) = 0.934\n");
    spec.normalizer = {.type = NormalizerType::off_by_one};
    has("exponentials", 1, "exp(scaled scores − maximum of row and sink) = exp(0.625 − ");
    has("unassigned", 0, "sink exponential / (key sum + sink exponential) = exp(0 − 0.625) / (");
}

TEST(ExplainText, OfAHardWeight) {
    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::hard;
    const std::string text = explained(spec, two_tokens(), "weights", 0, 1);
    EXPECT_TRUE(text.ends_with("weight: 0, for “river” has the largest score = 0\n")) << text;
}

TEST(ExplainText, OfAPredictedWindowCountsKeysAndCentreAlike) {
    Inputs inputs;
    inputs.query = Tensor({{1, 2}, {0.5, -1}, {1, 0}, {0, 1}});
    inputs.parameters["W_p"] = Tensor(Shape{2, 2}, 0.0);
    inputs.parameters["v_p"] = Tensor(Shape{2}, 0.0);  // half of the source is before its place: key 3
    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    spec.selection.type = SelectionType::predicted_window;
    spec.selection.options["radius"] = Index(1);
    spec.selection.options["sigma"] = 2.0;
    const auto last_line = [&](const char* stage, Index key) {
        const std::string lines = explained(spec, inputs, stage, 0, key);
        return lines.substr(lines.rfind('\n', lines.size() - 2) + 1);  // from the start where there is one
    };
    EXPECT_EQ(last_line("centres", 0), "centres: 4 × sigmoid(centre energy · v_p) = 4 × sigmoid(0) = 2\n");
    EXPECT_EQ(last_line("gaussian", 1),
              "gaussian: exp((key places − centres)² / (−8)) = exp((1 − 2)² / (−8)) = 0.8825\n");
    EXPECT_EQ(last_line("masked_scores", 0), "masked score: −∞, for this key is left out = −∞\n");
    EXPECT_EQ(last_line("weights", 1),
              "weight: soft weights × gaussian = 0.0302 / 1.398 × 0.8825 = 0.01906\n");
}

TEST(ExplainText, OfALongSumKeepsItsEnds) {
    Inputs inputs;
    inputs.query = Tensor(Shape{2, 64}, 0.5);
    EXPECT_EQ(explained({}, inputs, "scores", 0, 1),
              "score: q · k = 0.5 × 0.5 + 0.5 × 0.5 + [61 more: 15.25] + 0.5 × 0.5 = 16\n");
}

TEST(ExplainText, ShowsTheDigitsThatTheResultTakes) {
    Inputs inputs;  // a row whose first weight is next to 1
    inputs.query = Tensor({{3, 2}, {1, -1.1}});
    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    const std::string text = explained(spec, inputs, "weights", 0, 0);
    EXPECT_TRUE(text.ends_with("sum of the row: 1 + 5.03×10⁻⁶ = 1\nweight: 1 / 1 = 1\n")) << text;
    inputs.query = Tensor({{3, 0.1}, {0, -0.3}});
    const std::string nearly = explained(spec, inputs, "weights", 0, 0);
    EXPECT_TRUE(nearly.ends_with("weight: 1 / 1.0001 = 0.9999\n")) << nearly;
}

TEST(ExplainText, PutsNegativeNumbersInBracketsBehindOperators) {
    const Arithmetic line = written(-0.5) + " × " + written(-2) + " + exp(" + written(-1) + ") − max(" +
                            written(-3) + ", " + written(-4) + ") + [3 more: " + written(-5) + "] / " +
                            written(-6) + " + 2^" + written(-7);
    EXPECT_EQ(line.text(4), "−0.5 × (−2) + exp(−1) − max(−3, −4) + [3 more: −5] / (−6) + 2^(−7)");
}

TEST(ExplainText, HasOnePrecisionForTheLinesOfACell) {
    const double number = 7.654321;
    const std::vector<UnprintedLine> lines{
        {"exp(" + written(-number) + ")", std::exp(-number)},
        {written(number) + " + 1", number + 1},
        {"the same " + written(number), number},
        {written(number) + " − " + written(number - 1e-11), 1e-11},
    };
    std::string text;
    for (const PrintedLine& line : printed_lines(lines))
        text += line.expression + " = " + line.result + "\n";
    EXPECT_EQ(text, "exp(−7.6543) = 0.000474\n"
                    "7.6543 + 1 = 8.654\n"
                    "the same 7.6543 = 7.654\n"
                    "7.654321 − 7.65432099999 = 1×10⁻¹¹\n");
    EXPECT_TRUE(printed_lines({}).empty());
}

/// What a state takes and gives, one key after another.
TEST(ExplainText, CalculatesEveryCellOfAState) {
    for (const AlgorithmType type : {AlgorithmType::delta, AlgorithmType::gated_delta,
                                     AlgorithmType::kimi_delta, AlgorithmType::retention}) {
        AttentionSpec spec;
        spec.algorithm.type = type;
        spec.mask.rule = CausalMask{};
        Inputs inputs;
        inputs.query = numbers({4, 3}, "query");
        const auto planned = std::make_shared<const Plan>(plan(spec, inputs, {.seed = 3}));
        const Trace trace = record(planned);
        std::size_t stages = 0;
        for (const char* name :
             {"query_features", "key_features", "cumulative_gates", "predictions", "errors", "state"}) {
            const Stage* stage = trace.find(name);
            if (!stage)
                continue;
            ++stages;
            const Index columns = stage->shape.back();
            for (Index cell = 0; cell < stage->size(); ++cell) {
                const auto steps = explain_cell(*planned, trace, name, 0, cell / columns, cell % columns);
                EXPECT_TRUE(test::Calculator::value(steps.back().expression)) << line_of(steps.back());
                EXPECT_TRUE(test::adds_up(steps.back()));
            }
        }
        EXPECT_GE(stages, 2U);
    }
}

TEST(ExplainText, NamesADrawnKeyAsPeopleCount) {
    AttentionSpec spec;
    spec.normalizer = {.type = NormalizerType::hard, .mode = HardMode::sample};
    spec.mask.rule = PaddingMask{.key_lengths = 1};
    EXPECT_TRUE(explained(spec, two_tokens(), "draw", 0, 0)
                    .ends_with("drawn key: “river”, drawn with probability 1 = key 1\n"));
}

TEST(ExplainRefuses, WhatTheTraceDoesNotHave) {
    const auto planned = std::make_shared<const Plan>(plan({}, two_tokens()));
    const Trace trace = record(planned);
    for (const auto& [stage, head, row, column] :
         {std::tuple("energy", 0, 0, 0), std::tuple("", 0, 0, 0), std::tuple("weights", 1, 0, 0),
          std::tuple("weights", -1, 0, 0), std::tuple("weights", 0, 2, 0), std::tuple("weights", 0, 0, 2),
          std::tuple("weights", 0, -1, 0), std::tuple("row_sum", 0, 1, 0), std::tuple("output", 0, 0, 4)})
        EXPECT_THROW(explain_cell(*planned, trace, stage, head, row, column), Error) << stage;
}

struct Number {
    double value;
    const char* text;
    int significant = 4;
};
void PrintTo(const Number& row, std::ostream* out) { *out << row.text; }

class FormatNumber : public testing::TestWithParam<Number> {};
TEST_P(FormatNumber, ReadsWell) {
    EXPECT_EQ(format_number(GetParam().value, GetParam().significant), GetParam().text);
}
INSTANTIATE_TEST_SUITE_P(Explain, FormatNumber,
                         testing::Values(Number{0, "0"}, Number{-0.0, "0"}, Number{1, "1"},
                                         Number{-0.11, "−0.11"}, Number{0.338512, "0.3385"},
                                         Number{0.99996, "1"}, Number{12345.678, "12346"}, Number{100, "100"},
                                         Number{999999, "999999"}, Number{1.5e6, "1.5×10⁶"},
                                         Number{-2e-12, "−2×10⁻¹²"}, Number{0.00012, "0.00012"},
                                         Number{infinity, "∞"}, Number{-infinity, "−∞"},
                                         Number{std::nan(""), "NaN"}, Number{0.338512, "0.34", 2},
                                         Number{2.0 / 3, "0.6666667", 7},
                                         Number{std::numeric_limits<double>::denorm_min(), "4.941×10⁻³²⁴"},
                                         Number{std::numeric_limits<double>::max(), "1.798×10³⁰⁸"}));

}}  // namespace headlight::explain_test
