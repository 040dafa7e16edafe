#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/figure/view_titles.h"
#include "core/io/session_run.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

namespace headlight::build_figure_stages_test { namespace {

/// "Query × Keyᵀ = Scores*": the panels of the stages view in words, the one in focus with a star.
std::string equation(const Trace& trace, const std::string& stage) {
    ViewSettings settings;
    settings.view = ViewKind::stages;
    settings.selection.stage = stage;
    std::string text;
    for (const Panel& panel : build_figure(trace, settings).panels) {
        if (panel.thumbnail)
            continue;
        std::string joined = panel.operator_before;
        std::ranges::replace(joined, '\n', ' ');
        text += (text.empty() ? "" : " " + joined + " ") + panel.title + (panel.in_focus ? "*" : "");
    }
    return text;
}

struct Row {
    std::string stage, expected;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.stage; }

class StagesView : public testing::TestWithParam<Row> {};

TEST_P(StagesView, ShowsTheStageAfterWhatItIsComputedFrom) {
    EXPECT_EQ(equation(samples::sentence(), GetParam().stage), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Sentence, StagesView,
                         testing::Values(Row{"tokens", "Token vectors*"},
                                         Row{"query", "Token vectors × W_q = Query*"},
                                         Row{"key", "Token vectors × Wₖ = Key*"},
                                         Row{"value", "Token vectors × Wᵥ = Value*"},
                                         Row{"scores", "Query × Keyᵀ = Scores*"},
                                         Row{"scaled_scores", "Scores ÷ √4 = Scaled scores*"},
                                         Row{"masked_scores", "Scaled scores mask → Masked scores*"},
                                         Row{"exponentials", "Masked scores exp → Exponentials*"},
                                         Row{"weights", "Exponentials ÷ Σ = Weights*"},
                                         Row{"context", "Weights × Value = Context*"},
                                         Row{"concatenation", "Context join heads → Concatenation*"},
                                         Row{"not a stage", "Exponentials ÷ Σ = Weights*"}),
                         [](const auto& row) {
                             std::string name = row.param.stage;
                             std::ranges::replace(name, ' ', '_');
                             return name;
                         });

TEST(StagesView, ExponentialsSayWhatTheyAreOf) {
    const Trace trace = samples::sentence();
    for (const char* stage : {"exponentials", "weights"}) {
        ViewSettings settings;
        settings.view = ViewKind::stages;
        settings.selection.stage = stage;
        for (const Panel& panel : build_figure(trace, settings).panels)
            if (!panel.thumbnail && panel.stage == "exponentials") {
                EXPECT_EQ(panel.subtitle, "exp(score − row’s maximum), 8 × 8") << stage;
            } else if (!panel.thumbnail) {
                EXPECT_EQ(panel.subtitle, "8 × 8") << stage;
            }
    }
}

/// The largest score of a row is not what is taken off its scores where a sink lies above them.
TEST(StagesView, ExponentialsBesideASinkSayWhatTheyAreOf) {
    for (const char* mechanism : {"sink_logit", "off_by_one"}) {
        Session session = example_session();
        session.mechanism = mechanism;
        ViewSettings settings;
        settings.view = ViewKind::stages;
        settings.selection.stage = "exponentials";
        const Figure figure = build_figure(run_session(session).trace, settings);
        EXPECT_TRUE(figure.panels.back().subtitle.starts_with("exp(score − maximum of row and sink), "))
            << figure.panels.back().subtitle;
    }
}

TEST(StagesView, KeysAreTransposedSoThatTheProductCanBeFollowed) {
    ViewSettings settings;
    settings.selection.stage = "scores";
    const Trace trace = samples::sentence();
    const Figure figure = build_figure(trace, settings);
    const Panel& keys = figure.panels[figure.panels.size() - 2];
    ASSERT_TRUE(keys.transposed);
    EXPECT_EQ(keys.rows, 4);
    EXPECT_EQ(keys.columns, 8);
    const auto key = trace.matrix(*trace.find("key"), 0);
    for (std::size_t feature = 0; feature < 4; ++feature)
        for (std::size_t token = 0; token < 8; ++token)
            EXPECT_EQ(keys.values[8 * feature + token], key[4 * token + feature]);
    EXPECT_EQ(keys.column_axis.labels, figure.panels.back().column_axis.labels);
    EXPECT_EQ(keys.subtitle, "4 × 8");
}

// A number for each query is a column [n, 1] of the formula, level with the rows of the map that it is of.
TEST(StagesView, AColumnOfATypedFormulaStandsBesideItsMap) {
    Session session = example_session();
    session.sequence.query_text = "the cat sat";
    session.custom.emplace().spec.algorithm.type = AlgorithmType::formula;
    session.custom->spec.algorithm.options["text"] =
        std::string("powers = exp(q @ k.T / sqrt(d))\nrow_sum = sum(powers)\n"
                    "weights = powers / row_sum\ncontext = weights @ v\n");
    const Trace trace = run_session(session).trace;
    const auto panels_of = [&](const char* stage) {
        ViewSettings settings;
        settings.view = ViewKind::stages;
        settings.selection.stage = stage;
        std::vector<Panel> panels = build_figure(trace, settings).panels;
        std::erase_if(panels, &Panel::thumbnail);
        return panels;
    };
    for (const char* stage : {"row_sum", "weights"}) {
        const std::vector<Panel> panels = panels_of(stage);
        const auto found = std::ranges::find(panels, "row_sum", &Panel::stage);
        ASSERT_NE(found, panels.end()) << stage;
        EXPECT_EQ(found->title, "Row sum");
        EXPECT_EQ(found->subtitle, "3 × 1");
        EXPECT_EQ(found->row_axis.labels, panels.front().row_axis.labels) << "those of the map beside it";
        EXPECT_EQ(found->column_axis.title, "head");
        EXPECT_TRUE(found->transposed) << "of what was recorded";
        const auto sums = trace.matrix(*trace.find("row_sum"), 0);
        ASSERT_EQ(found->values.size(), sums.size());
        for (std::size_t query = 0; query < sums.size(); ++query)
            EXPECT_EQ(found->values[query], sums[query]);
    }
}

// Shares under a name of one's own have the colours of shares, and the name as it was typed.
TEST(StagesView, ASoftmaxOfATypedFormulaGoesFromZeroToOne) {
    Session session = example_session();
    session.custom.emplace().spec.algorithm.type = AlgorithmType::formula;
    session.custom->spec.algorithm.options["text"] =
        std::string("A = softmax(q @ k.T / sqrt(d))\nweights = 0.5 * A\n");
    const Trace trace = run_session(session).trace;
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.selection.stage = "A";
    const Figure figure = build_figure(trace, settings);
    ASSERT_FALSE(figure.panels.empty());
    EXPECT_EQ(figure.panels.front().title, "A");
    EXPECT_EQ(figure.panels.front().scale.low, 0);
    EXPECT_EQ(figure.panels.front().scale.high, 1);
}

TEST(StagesView, TitlesAreWordsInASentenceAndTypedNamesAsTheyWereTyped) {
    struct Title {
        const char *words, *stage, *in_a_sentence;
    };
    for (const auto& [words, stage, expected] :
         {Title{"Scaled scores", "scaled_scores", "scaled scores"},
          Title{"Weights, head 1 of 2", "weights", "weights, head 1 of 2"}, Title{"A", "A", "A"},
          Title{"Attn", "Attn", "Attn"}, Title{"attn", "attn", "attn"},
          Title{"myWeights, head 1 of 2", "myWeights", "myWeights, head 1 of 2"}})
        EXPECT_EQ(in_a_sentence(words, stage), expected);
}

TEST(StagesView, StripHasEveryVisibleStageWithOneInFocus) {
    ViewSettings settings;
    settings.selection.stage = "scaled_scores";
    const Trace trace = samples::sentence();
    std::vector<std::string> strip, focus;
    for (const Panel& panel : build_figure(trace, settings).panels) {
        if (!panel.thumbnail)
            continue;
        strip.push_back(panel.stage);
        if (panel.in_focus)
            focus.push_back(panel.stage);
    }
    EXPECT_EQ(strip, visible_stages(trace));
    EXPECT_EQ(focus, std::vector<std::string>{"scaled_scores"});
}

TEST(StagesView, SaysWhichOfSeveralHeadsItShows) {
    ViewSettings settings;
    settings.view = ViewKind::stages;
    settings.selection.head = 2;
    EXPECT_EQ(build_figure(samples::sentence(), settings).subtitle, "head 3 of 4");
    EXPECT_EQ(build_figure(samples::band(3, 3), settings).subtitle, "");
}

TEST(StagesView, NamesNoHeadOverWhatNoHeadOwns) {
    Session session = example_session();
    session.mechanism = "multi_head";
    session.values.clear();
    const Trace trace = run_session(session).trace;
    ViewSettings settings;
    settings.view = ViewKind::stages;
    settings.selection.head = 2;
    for (const char* stage : {"tokens", "concatenation", "output"}) {
        settings.selection.stage = stage;
        const Figure figure = build_figure(trace, settings);
        EXPECT_EQ(figure.subtitle, "") << stage;
        for (const Panel& panel : figure.panels)
            EXPECT_EQ(!panel.thumbnail && panel.stage == "context",
                      panel.subtitle.find("head 3 of ") != std::string::npos)
                << stage << ", " << panel.title;
    }
    settings.selection.stage = "scores";
    EXPECT_EQ(build_figure(trace, settings).subtitle.substr(0, 10), "head 3 of ");
}

TEST(StagesView, ExponentialsShowTheSumsThatTheWeightsAreDividedBy) {
    const Figure figure = build_figure(samples::sentence(), {});
    const Panel& exponentials = figure.panels[figure.panels.size() - 2];
    EXPECT_EQ(exponentials.stage, "exponentials");
    EXPECT_EQ(exponentials.row_sums.size(), 8u);
}

/// Dot-product attention without projections or mask: many stages repeat the one before.
Trace plain() {
    using enum Axis;
    Trace trace({{"", "tokens", {query, feature}, {2, 2}},
                 {"", "query", {head, query, feature}, {1, 2, 2}},
                 {"", "key", {head, key, feature}, {1, 2, 2}},
                 {"", "value", {head, key, feature}, {1, 2, 2}},
                 {"", "scores", {head, query, key}, {1, 2, 2}},
                 {"", "scaled_scores", {head, query, key}, {1, 2, 2}},
                 {"", "row_maximum", {head, query}, {1, 2}},
                 {"", "exponentials", {head, query, key}, {1, 2, 2}},
                 {"", "soft_weights", {head, query, key}, {1, 2, 2}},
                 {"", "weights", {head, query, key}, {1, 2, 2}},
                 {"", "context", {head, query, feature}, {1, 2, 2}},
                 {"", "output", {query, feature}, {2, 2}}});
    double number = 0;
    for (const Stage& stage : trace.stages())
        for (double& value : trace.values(stage))
            value = ++number;
    const auto copy = [&](const char* from, const char* to) {
        std::ranges::copy(trace.values(*std::as_const(trace).find(from)),
                          trace.values(*trace.find(to)).begin());
    };
    for (const char* stage : {"query", "key", "value"})
        copy("tokens", stage);
    copy("scores", "scaled_scores");
    copy("weights", "soft_weights");
    copy("context", "output");
    trace.spec.score.type = ScoreType::dot;
    return trace;
}

/// Weights that an algorithm makes of the softmax's, some of them below 0.
TEST(StagesView, CorrectedWeightsStandOnOneSignedScaleWithTheSoftmax) {
    Trace trace = plain();
    trace.spec.algorithm.type = AlgorithmType::parallax;
    trace.values(*trace.find("weights"))[1] = -3;
    EXPECT_EQ(equation(trace, "weights"), "Soft weights correct → Weights*");
    for (const Panel& panel : build_figure(trace, {}).panels)
        if (panel.stage == "weights" || panel.stage == "soft_weights") {
            EXPECT_EQ(panel.scale.map, "diverging") << panel.stage;
            EXPECT_EQ(panel.scale.low, -panel.scale.high) << panel.stage;
        }
}

TEST(VisibleStages, LeaveOutRowWiseOnesAndRepetitions) {
    EXPECT_EQ(visible_stages(plain()),
              (std::vector<std::string>{"tokens", "scores", "exponentials", "weights", "context"}));
    EXPECT_EQ(visible_stages(samples::sentence()).size(), 11u);
    EXPECT_TRUE(visible_stages(Trace()).empty());
}

TEST(VisibleStages, AStageThatRepeatsAnotherIsShownByIt) {
    EXPECT_EQ(equation(plain(), "scores"), "Token vectors × Token vectorsᵀ = Scores*");
    EXPECT_EQ(equation(plain(), "scaled_scores"), "Token vectors × Token vectorsᵀ = Scores*");
    EXPECT_EQ(equation(plain(), "output"), "Weights × Token vectors = Context*");
    EXPECT_EQ(equation(plain(), "soft_weights"), "Exponentials ÷ Σ = Weights*");
}

TEST(StageTitle, IsTheNameForAnUnknownStage) {
    EXPECT_EQ(stage_title("scaled_scores"), "Scaled scores");
    EXPECT_EQ(stage_title("rope"), "rope");
    EXPECT_EQ(stage_title_at("scaled_scores", "decoder.0.cross"), "Scaled scores");
    EXPECT_EQ(stage_title_at("key_tokens", "decoder.0.cross"), "Encoder states (keys)");
    EXPECT_EQ(stage_title_at("value_tokens", "decoder.cross"), "Encoder states (values)");
    EXPECT_EQ(stage_title_at("key_tokens", ""), "Token vectors (keys)");
    const Stage states{"decoder.0.cross", "key_tokens", {Axis::key, Axis::feature}, {3, 2}};
    EXPECT_EQ(stage_title(Trace(std::vector<Stage>{states}), states), "Encoder states (keys)");
}

/// The predicted window of Luong's local attention: what the softmax gives is faded by a Gaussian.
Trace predicted_window() {
    Inputs inputs;
    inputs.query = Tensor({{1, 2}, {0.5, -1}, {-2, 0.3}, {0.1, 0.2}, {1, 1}, {0, -1}});
    AttentionSpec spec;
    spec.selection = {SelectionType::predicted_window, {{"radius", Index(1)}}};
    return record(std::make_shared<const Plan>(plan(spec, inputs)));
}

TEST(StagesView, NamesEveryFactorOfWeightsThatAWindowFades) {
    EXPECT_EQ(equation(predicted_window(), "weights"), "Softmax over the window ∘ Gaussian = Weights*");
    EXPECT_EQ(equation(predicted_window(), "windowed_weights"),
              "Exponentials ÷ Σ = Softmax over the window*");
}

TEST(StagesView, NamesEveryMapThatWeightsAreMadeOf) {
    const auto of = [](const char* mechanism, const char* stage) {
        Session session = example_session();
        session.mechanism = mechanism;
        session.values.clear();
        return equation(run_session(session).trace, stage);
    };
    EXPECT_EQ(of("differential", "weights"), "First weights − λ × Second weights → Weights*");
    EXPECT_EQ(of("differential", "second_weights"), "Second scores softmax → Second weights*");
    EXPECT_EQ(
        of("native_sparse", "weights"),
        "Weights of compressed blocks and Weights of the selected branch and Weights of the window branch "
        "and Gates of the branches gated sum → Weights*");
    EXPECT_EQ(of("native_sparse", "branch_gates"), "Token vectors sigmoid → Gates of the branches*");
}

// A normaliser in the place of each softmax, and λ as one number, which no stage is.
TEST(StagesView, NamesWhatTakesThePlaceOfASoftmax) {
    Inputs inputs;
    inputs.query = Tensor({{1, 2}, {0.5, -1}, {-2, 0.3}, {0.1, 0.2}});
    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::sparsemax;
    spec.algorithm.type = AlgorithmType::differential;
    const Trace trace = record(std::make_shared<const Plan>(plan(spec, inputs)));
    EXPECT_EQ(equation(trace, "weights"), "First weights − λ × Second weights → Weights*");
    EXPECT_EQ(equation(trace, "second_weights"), "Second scores normalise → Second weights*");
}

TEST(StagesView, HatchesWhatTheWindowLeavesOutInEveryStageThatHasNoNumberThere) {
    const Trace trace = predicted_window();
    for (const char* stage : {"masked_scores", "exponentials", "windowed_weights", "gaussian", "weights"}) {
        ViewSettings settings;
        settings.view = ViewKind::heatmap;
        settings.selection.stage = stage;
        const Panel panel = build_figure(trace, settings).panels.front();
        ASSERT_EQ(panel.forbidden.size(), 36u) << stage;
        EXPECT_EQ(std::ranges::count(panel.forbidden, 0) % 36 > 0, true) << stage;
        for (std::size_t cell = 0; cell < 36; ++cell) {
            const double masked = trace.values(*trace.find("masked_scores"))[cell];
            EXPECT_EQ(panel.forbidden[cell] != 0, std::isinf(masked)) << stage << " " << cell;
        }
    }
}

}}  // namespace headlight::build_figure_stages_test
