// Pictures of weights that a linear layer implies: signed colours, and the mark wherever they are named.

#include "core/analysis/head_overview.h"
#include "core/figure/build_figure.h"
#include "core/figure/figure.h"
#include "core/io/session_run.h"
#include "core/map/maps_trace.h"
#include "tests/support/generated_maps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headlight::implied_figure_test {

using namespace test;

namespace {

constexpr Index tokens = 5;

class ImpliedNumbers : public GeneratedMaps {
public:
    using GeneratedMaps::GeneratedMaps;
    bool is_implied(Index layer) const override { return layer == 0; }
};

/// From -4 to 1 under the diagonal.
double signed_weight(MapPlace place, Index query, Index key) {
    return key > query ? 0 : query == 3 && key == 1 ? -4 : scattered(place, query, key);
}

/// Two layers of two heads, of which the first is linear.
Trace hybrid() {
    const LabelledMaps maps{
        "", std::make_shared<ImpliedNumbers>(MapSource::Extents{2, 2, tokens, tokens}, signed_weight), {}};
    return trace_of(std::span(&maps, 1), "hybrid");
}

Figure figure_of(const Trace& trace, ViewKind view, std::size_t layer = 0,
                 RangeKind range = RangeKind::unit) {
    ViewSettings settings;
    settings.view = view;
    settings.range = range;
    settings.selection.site = trace.stages()[layer].site;
    return build_figure(trace, settings);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(ImpliedFigure, IsMarkedInTitleSubtitleCaptionAndDescription) {
    const Trace trace = hybrid();
    const Figure implied = figure_of(trace, ViewKind::heatmap);
    const Panel& panel = implied.panels.front();
    EXPECT_TRUE(panel.is_implied);
    EXPECT_TRUE(panel.title.starts_with("Implied weights, head 1")) << panel.title;
    EXPECT_TRUE(has(panel.subtitle, "without a softmax")) << panel.subtitle;
    EXPECT_TRUE(has(implied.caption, "Implied weights: what a linear layer’s state takes"))
        << implied.caption;
    EXPECT_TRUE(has(implied.caption, "Σ")) << "rows that do not sum to 1 say so: " << implied.caption;
    EXPECT_TRUE(has(implied.description, "Implied weights")) << implied.description;
    EXPECT_EQ(implied.bar_title, "implied weights");
    EXPECT_TRUE(to_csv(implied).starts_with("implied weights,1,2,3,4,5\r\n")) << to_csv(implied);
    EXPECT_TRUE(has(figure_of(trace, ViewKind::grid).title, ": implied weights"));
}

TEST(ImpliedFigure, OfTheOtherLayersIsNotMarked) {
    const Trace trace = hybrid();
    for (const ViewKind view : {ViewKind::heatmap, ViewKind::grid, ViewKind::lines}) {
        const Figure others = figure_of(trace, view, 1);
        EXPECT_FALSE(has(others.caption + others.description + to_csv(others) + others.bar_title, "mplied"))
            << others.title;
    }
    const Figure both = figure_of(trace, ViewKind::compare);
    EXPECT_TRUE(has(both.caption, "Implied weights:")) << both.caption;
    EXPECT_EQ(both.bar_title, "") << "its numbers are of both kinds";
}

TEST(ImpliedFigure, HasColoursAlikeOnBothSidesOfZero) {
    const Trace trace = hybrid();
    for (const RangeKind range : {RangeKind::unit, RangeKind::fitted})
        for (const ViewKind view : {ViewKind::heatmap, ViewKind::grid, ViewKind::model_grid}) {
            const Figure figure = figure_of(trace, view, 0, range);
            const ColourScale& scale = figure.panels.front().scale;
            EXPECT_EQ(scale.map, "diverging") << figure.title;
            EXPECT_EQ(scale.low, -4) << figure.title;
            EXPECT_EQ(scale.high, 4) << figure.title;
        }
}

TEST(ImpliedFigure, OfEveryHeadIsMarked) {
    const Trace trace = hybrid();
    const Figure figure = figure_of(trace, ViewKind::model_grid);
    EXPECT_EQ(figure.bar_title, "implied weights");
    EXPECT_TRUE(has(figure.title, "every head, implied weights")) << figure.title;
    EXPECT_TRUE(has(figure.caption, "Implied weights:")) << figure.caption;
    float least = 0;
    for (const HeadMarks::Head& head : figure.panels.front().marks->heads)
        if (head.map)
            least = std::min(least, *std::ranges::min_element(head.map->largest));
    EXPECT_EQ(least, -4);
    EXPECT_TRUE(has(figure_of(trace, ViewKind::statistics).caption, "Implied weights:"));
    EXPECT_FALSE(has(figure_of(trace, ViewKind::statistics).description, "nan"));
}

Trace run_of(const char* mechanism) {
    Session session;
    session.mechanism = mechanism;
    session.sequence.query_text = "the cat sat here";
    session.sequence.vectors.kind = VectorKind::hashed;
    return run_session(session).trace;
}

TEST(ImpliedFigure, SaysThatARangeOfWeightsAndALogarithmicScaleAreNotUsed) {
    const Trace implied = hybrid(), shares = run_of("scaled_dot_product");
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.range = {RangeKind::numbers, 0, 0.2};
    settings.scale = ScaleKind::logarithmic;
    const auto caption = [&](const Trace& trace) { return build_figure(trace, settings).caption; };
    EXPECT_TRUE(has(caption(implied), "The range 0 to 0.2 is not used: these numbers may be negative"))
        << caption(implied);
    EXPECT_TRUE(has(caption(implied), "The logarithmic scale is not used")) << caption(implied);
    EXPECT_FALSE(has(caption(shares), "not used")) << caption(shares);
    settings.range = {RangeKind::numbers, -0.2, 0.2};
    settings.scale = ScaleKind::linear;
    EXPECT_FALSE(has(caption(implied), "not used")) << caption(implied);
    EXPECT_TRUE(has(caption(shares), "The range -0.2 to 0.2 is not used: these numbers are never negative"))
        << caption(shares);
}

// A layer of our own keeps the same state, whatever form it is computed in.
TEST(ImpliedFigure, OfAMechanismThatKeepsAStateIsCalledSo) {
    for (const char* mechanism : {"linear", "retention", "gla", "mamba2", "delta", "gated_delta", "kda",
                                  "mesa", "based", "rebased", "performer", "cosformer", "efficient"}) {
        const Trace trace = run_of(mechanism);
        EXPECT_EQ(stage_title(trace, "weights", ""), "Implied weights") << mechanism;
        EXPECT_EQ(stage_title(trace, "value", ""), "Value") << mechanism;
        const Figure figure = figure_of(trace, ViewKind::heatmap);
        EXPECT_TRUE(figure.panels.front().title.starts_with("Implied weights")) << mechanism;
        EXPECT_TRUE(to_csv(figure).starts_with("implied weights,")) << mechanism;
    }
    for (const char* mechanism : {"scaled_dot_product", "linear_score", "aft", "rwkv4"})
        EXPECT_EQ(stage_title(run_of(mechanism), "weights", ""), "Weights") << mechanism;
}

TEST(ImpliedFigure, SaysOfSharesThatTheyAreSo) {
    for (const char* mechanism : {"linear", "performer", "cosformer", "based", "rebased", "efficient"}) {
        const Trace trace = run_of(mechanism);
        const Figure figure = figure_of(trace, ViewKind::heatmap);
        EXPECT_TRUE(has(figure.caption, "none is negative, and each row sums to 1."))
            << mechanism << ": " << figure.caption;
        EXPECT_FALSE(has(figure.caption, "may be negative")) << mechanism << ": " << figure.caption;
        const Panel& panel = figure.panels.front();
        ASSERT_EQ(std::ssize(panel.values), panel.rows * panel.columns) << mechanism;
        for (Index row = 0; row < panel.rows; ++row) {
            double sum = 0;
            for (Index column = 0; column < panel.columns; ++column) {
                const double weight = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
                EXPECT_FALSE(weight < 0) << mechanism;
                sum += weight;
            }
            EXPECT_FALSE(sum > 1 + 1e-4) << mechanism;  // of a row without a positive feature it is 0
        }
    }
    for (const char* mechanism : {"retention", "gla", "mamba2", "delta"}) {
        const Figure figure = figure_of(run_of(mechanism), ViewKind::heatmap);
        EXPECT_TRUE(has(figure.caption, "may be negative and rows need not sum to 1."))
            << mechanism << ": " << figure.caption;
    }
}

}  // namespace

}  // namespace headlight::implied_figure_test
