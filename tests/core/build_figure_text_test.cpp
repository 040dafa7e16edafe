// The views of a chosen token: the text that it looks at, and its products with every key; any stage by its
// axes.

#include "core/figure/build_figure.h"
#include "core/figure/dealt_axes.h"
#include "core/figure/unanswered_figure.h"
#include "core/io/capture_file.h"
#include "core/io/session_run.h"
#include "core/map/maps_trace.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::build_figure_text_test {

using namespace test;

namespace {

ViewSettings in(ViewKind kind, Index query = 0, Index head = 0) {
    ViewSettings settings;
    settings.view = kind;
    settings.selection.query = query;
    settings.selection.head = head;
    return settings;
}

Trace run_of(const std::string& mechanism) {
    Session session = example_session();
    session.mechanism = mechanism;
    session.values.clear();
    return run_session(session).trace;
}

TEST(TextFigure, ShadesWhatATokenLooksAtAndWhoLooksAtIt) {
    const Trace trace = run_of("multi_head");
    const Stage& weights = *trace.find("weights");
    const Index n = weights.extent(Axis::query);
    const Figure figure = build_figure(trace, in(ViewKind::text, 2, 1));
    ASSERT_EQ(figure.panels.size(), 1u);
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(panel.kind, Panel::Kind::text);
    EXPECT_EQ(panel.columns, n);
    EXPECT_EQ(panel.column_axis.labels, trace.tokens.query);
    EXPECT_EQ(panel.selected_row, 2);
    const auto map = trace.matrix(weights, 1);
    for (Index token = 0; token < n; ++token) {
        EXPECT_EQ(panel.values[static_cast<std::size_t>(token)],
                  map[static_cast<std::size_t>(2 * n + token)]);
        EXPECT_EQ(panel.values[static_cast<std::size_t>(n + token)],
                  map[static_cast<std::size_t>(token * n + 2)]);
    }
}

TEST(TextFigure, OfTwoTextsIsTwoTexts) {
    Session session = example_session();
    session.mechanism = "cross";
    session.values.clear();
    session.sequence.key_text = "a second text";
    const Trace trace = run_session(session).trace;
    const Stage& weights = *trace.find("weights");
    const Figure figure = build_figure(trace, in(ViewKind::text, 1));
    ASSERT_EQ(figure.panels.size(), 2u);
    EXPECT_EQ(figure.panels[0].columns, weights.extent(Axis::query));
    EXPECT_EQ(figure.panels[1].columns, weights.extent(Axis::key));
    EXPECT_EQ(figure.panels[0].selected_row, 1);
    EXPECT_FALSE(figure.panels[0].selected_column);
    EXPECT_FALSE(figure.panels[1].selected_row);
    EXPECT_EQ(figure.panels[1].selected_column, 0);
    EXPECT_TRUE(std::isnan(figure.panels[0].values[0]));  // a query is not looked at
}

TEST(TextFigure, KeepsAnOpenQuestionsAnswerToItself) {
    Session session = example_session();
    session.mechanism = "cross";
    session.values.clear();
    session.sequence.key_text = "a second text";
    const Trace trace = run_session(session).trace;
    const std::vector<std::string>& written = trace.tokens.query;
    const Figure texts = unanswered_figure(build_figure(trace, in(ViewKind::text, 1)), written, 1);
    ASSERT_EQ(texts.panels.size(), 2u);
    for (const Panel& panel : texts.panels) {
        EXPECT_EQ(panel.title, "Hidden until you answer.");
        EXPECT_EQ(panel.subtitle, "");
    }
    EXPECT_EQ(texts.panels[0].columns, 2);
    EXPECT_EQ(texts.panels[0].column_axis.labels.size(), 2u);
    EXPECT_EQ(texts.panels[0].values.size(), 4u);
    EXPECT_EQ(texts.panels[1].columns, trace.find("weights")->extent(Axis::key))
        << "what was given to be read";
    EXPECT_EQ(texts.description.find("most"), std::string::npos) << texts.description;

    const Figure map = unanswered_figure(build_figure(trace, in(ViewKind::heatmap)), written, 1);
    EXPECT_EQ(map.panels.front().newest_row, 1);
    const Figure all = unanswered_figure(build_figure(trace, in(ViewKind::heatmap)), written, std::nullopt);
    EXPECT_FALSE(all.panels.front().newest_row) << "no step is being decoded";
    const Panel lines =
        unanswered_figure(build_figure(trace, in(ViewKind::lines)), written, 1).panels.front();
    EXPECT_TRUE(std::isnan(lines.values[static_cast<std::size_t>(2 * lines.columns)]));
    EXPECT_FALSE(std::isnan(lines.values[static_cast<std::size_t>(lines.columns)]));
    EXPECT_TRUE(lines.row_axis.hidden[2] && !lines.row_axis.hidden[1]);
}

TEST(QueryKeyFigure, MultipliesDimensionByDimension) {
    const Trace trace = run_of("multi_head");
    const Figure figure = build_figure(trace, in(ViewKind::query_key, 3, 1));
    ASSERT_EQ(figure.panels.size(), 5u);
    const auto queries = trace.matrix(*trace.find("query"), 1), keys = trace.matrix(*trace.find("key"), 1);
    const auto scores = trace.matrix(*trace.find("scores"), 1);
    const Index d = trace.find("query")->shape.back(), m = trace.find("key")->extent(Axis::key) > 0
                                                               ? trace.find("key")->extent(Axis::key)
                                                               : trace.find("key")->shape[1];
    const Panel& products = figure.panels[2];
    ASSERT_EQ(products.rows, d);
    ASSERT_EQ(products.columns, m);
    for (Index key = 0; key < m; ++key) {
        double sum = 0;
        for (Index at = 0; at < d; ++at) {
            const double product =
                queries[static_cast<std::size_t>(3 * d + at)] * keys[static_cast<std::size_t>(key * d + at)];
            EXPECT_DOUBLE_EQ(products.values[static_cast<std::size_t>(at * m + key)], product);
            sum += product;
        }
        EXPECT_NEAR(sum, scores[static_cast<std::size_t>(3 * m + key)], 1e-12);
    }
    const std::string token = trace.tokens.query.front();  // of its one sequence, as a key
    EXPECT_EQ(products.subtitle, "column “" + token + "” sums to its score");  // none is drawn under it
    EXPECT_EQ(figure.table.names.size(), static_cast<std::size_t>(m));
}

TEST(QueryKeyFigure, ShowsWhatQueriesAndKeysAreMadeWith) {
    for (const char* mechanism : {"multi_head", "grouped_query"}) {
        SCOPED_TRACE(mechanism);
        const Trace trace = run_of(mechanism);
        const Index last = trace.find("weights")->extent(Axis::head) - 1;
        const Figure figure = build_figure(trace, in(ViewKind::query_key, 3, last));
        ASSERT_EQ(figure.panels.size(), 5u);
        const Stage& tokens = *trace.find("tokens");
        const Index width = tokens.shape.back();
        for (const auto& [panel, stage, title] :
             {std::tuple{figure.panels[3], "query", "W_qᵀ"}, std::tuple{figure.panels[4], "key", "W_kᵀ"}}) {
            EXPECT_EQ(panel.title, title);
            EXPECT_EQ(panel.columns, width);
            EXPECT_EQ(panel.column_axis.title, "input feature");
            EXPECT_EQ(panel.scale, figure.panels[3].scale);
            const Stage& made = *trace.find(stage);
            const Index heads = made.extent(Axis::head);
            const auto vectors = trace.matrix(made, heads == last + 1 ? last : heads - 1);
            const auto token = trace.values(tokens).subspan(static_cast<std::size_t>(2 * width));
            ASSERT_EQ(panel.rows, made.shape.back());
            for (Index row = 0; row < panel.rows; ++row) {  // x W, a number at a time
                double sum = 0;
                for (Index column = 0; column < width; ++column)
                    sum += token[static_cast<std::size_t>(column)] *
                           panel.values[static_cast<std::size_t>(row * width + column)];
                EXPECT_NEAR(vectors[static_cast<std::size_t>(2 * panel.rows + row)], sum, 1e-12);
            }
        }
    }
    EXPECT_EQ(build_figure(run_of("scaled_dot_product"), in(ViewKind::query_key)).panels.size(), 3u)
        << "nothing is projected";
}

TEST(QueryKeyFigure, SaysWhereTheScoreIsMadeInAnotherWay) {
    EXPECT_EQ(build_figure(run_of("additive"), in(ViewKind::query_key)).panels[2].subtitle, "not the scores");
}

/// queries.npz: four heads share two of keys, scale 0.75, softcap 2.5.
TEST(QueryKeyFigure, OfACaptureOfQueriesAndKeysIsWhatItsWeightsFollowFrom) {
    const auto maps = read_capture(HEADLIGHT_SOURCE_DIR "/tests/support/captures/queries.npz");
    const Trace trace = trace_of(maps, "queries");
    constexpr Index query = 5, head = 2;
    ViewSettings settings = in(ViewKind::query_key, query, head);
    settings.selection.site = "layer.0";
    const Figure figure = build_figure(trace, settings);
    ASSERT_EQ(figure.panels.size(), 3u);
    const Panel &queries = figure.panels[0], &keys = figure.panels[1], &products = figure.panels[2];
    EXPECT_EQ(queries.title, "Queryᵀ");
    EXPECT_EQ(keys.head, 1) << "which two heads share";
    ASSERT_EQ(products.rows, 6);
    ASSERT_EQ(products.columns, 9);
    EXPECT_EQ(products.subtitle, "Σ × 0.75 = score, then 2.5 tanh(score / 2.5)");
    EXPECT_EQ(products.column_axis.labels[2], "cat");
    std::vector<double> capped;
    for (Index key = 0; key < 9; ++key) {
        const auto row = figure.table.numbers.begin() + 3 * key;
        double sum = 0;
        for (Index d = 0; d < 6; ++d)
            sum += queries.values[static_cast<std::size_t>(d * 9 + query)] *
                   keys.values[static_cast<std::size_t>(d * 9 + key)];
        EXPECT_NEAR(*row[0], sum, 1e-12);
        EXPECT_NEAR(*row[1], 0.75 * sum, 1e-12);
        capped.push_back(2.5 * std::tanh(*row[1] / 2.5));
    }
    for (Index key = 1; key <= query; ++key)
        EXPECT_NEAR(
            std::log(*figure.table.numbers[static_cast<std::size_t>(3 * key + 2)] / *figure.table.numbers[2]),
            capped[static_cast<std::size_t>(key)] - capped[0], 1e-9)
            << key;
}

TEST(QueryKeyFigure, OfWeightsAloneIsRefused) {
    Trace weights({{"", "weights", {Axis::head, Axis::query, Axis::key}, {2, 3, 3}}});
    expect_refusal([&] { build_figure(weights, in(ViewKind::query_key)); },
                   {"draw queries and keys", "recorded queries and keys"});
}

TEST(AxesFigure, DealsAnyTwoAxes) {
    const Trace trace = run_of("multi_head");
    const Stage& weights = *trace.find("weights");
    const auto numbers = trace.values(weights);
    const Index heads = weights.shape[0], n = weights.shape[1], m = weights.shape[2];
    ViewSettings settings = in(ViewKind::axes, 2, 1);
    settings.axes = {"key", "head"};
    const Panel panel = build_figure(trace, settings).panels.front();
    ASSERT_EQ(panel.rows, m);
    ASSERT_EQ(panel.columns, heads);
    for (Index key = 0; key < m; ++key)
        for (Index head = 0; head < heads; ++head)
            EXPECT_EQ(panel.values[static_cast<std::size_t>(key * heads + head)],
                      numbers[static_cast<std::size_t>((head * n + 2) * m + key)]);
    EXPECT_EQ(panel.subtitle, "query “" + trace.tokens.query[2] + "”");
}

TEST(AxesFigure, IsTheStageItselfUnlessAsked) {
    const Trace trace = run_of("multi_head");
    const Panel panel = build_figure(trace, in(ViewKind::axes, 0, 1)).panels.front();
    EXPECT_TRUE(std::ranges::equal(panel.values, trace.matrix(*trace.find("weights"), 1)));
    EXPECT_EQ(panel.subtitle, "head 2 of " + std::to_string(trace.find("weights")->shape[0]));
}

TEST(AxesFigure, GivesAStageOfOneAxisAsAColumn) {
    const Stage line{"", "row_sum", {Axis::query}, {5}};
    const DealtStage dealt = deal(line, {});
    EXPECT_EQ(dealt.rows, 0u);
    EXPECT_FALSE(dealt.columns);
    EXPECT_TRUE(dealt.held.empty());
}

TEST(AxesFigure, PassesOverAxesThatTheStageHasNot) {
    const Stage stage{"", "context", {Axis::head, Axis::query, Axis::feature}, {2, 3, 4}};
    const DealtStage dealt = deal(stage, {"key", "head"});
    EXPECT_EQ(dealt.columns, 0u);
    EXPECT_EQ(dealt.rows, 2u);
    EXPECT_EQ(dealt.held, (std::vector<std::size_t>{1}));
}

}  // namespace

}  // namespace headlight::build_figure_text_test
