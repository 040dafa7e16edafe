// One map in place of those of all heads: the numbers, what pictures say of them, and maps that are read
// lazy.

#include "core/analysis/displayed_weights.h"
#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/figure/fit_scales.h"
#include "core/figure/ticks.h"
#include "core/io/session_run.h"
#include "core/map/lazy_run.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::pooled_heads_test { namespace {

constexpr Index heads = 4;

Session of_four_heads() {
    Session session = example_session();
    session.mechanism = "multi_head";
    session.values["heads"] = heads;
    return session;
}

ViewSettings pooled_in(ViewKind view, PooledHeads reduction) {
    ViewSettings settings;
    settings.view = view;
    settings.pooled = reduction;
    return settings;
}

double pooled_weight(const Trace& trace, PooledHeads reduction, std::size_t cell) {
    double sum = 0, largest = 0;
    for (Index head = 0; head < heads; ++head) {
        const double weight = trace.matrix(*trace.find("weights"), head)[cell];
        sum += weight;
        largest = std::max(largest, weight);
    }
    return reduction == PooledHeads::mean ? sum / heads : largest;
}

TEST(PooledHeads, AreOneMapInViewsOfOneHeadAndOfAll) {
    const Trace trace = run_session(of_four_heads()).trace;
    for (const auto& [reduction, named] : {std::pair(PooledHeads::mean, "mean of 4 heads"),
                                           std::pair(PooledHeads::maximum, "largest of 4 heads")})
        for (const ViewKind view : {ViewKind::heatmap, ViewKind::grid, ViewKind::lines, ViewKind::steps}) {
            const Figure figure = build_figure(trace, pooled_in(view, reduction));
            ASSERT_EQ(figure.panels.size(), 1u) << view.word();
            const Panel& panel = figure.panels.front();
            for (std::size_t cell = 0; cell < panel.values.size(); ++cell)
                EXPECT_NEAR(panel.values[cell], pooled_weight(trace, reduction, cell), 1e-15);
            EXPECT_NE((figure.title + panel.title).find(named), std::string::npos)
                << figure.title << " / " << panel.title;
            EXPECT_EQ((figure.title + panel.title).find("head 1"), std::string::npos);
            EXPECT_EQ(panel.subtitle.find("softmax"), std::string::npos) << "of which it is no more";
        }
}

TEST(PooledHeads, LeaveTheArithmeticOfAHeadAlone) {
    const Trace trace = run_session(of_four_heads()).trace;
    ViewSettings settings = pooled_in(ViewKind::stages, PooledHeads::mean);
    const Figure pooled = build_figure(trace, settings);
    settings.pooled.reset();
    EXPECT_EQ(pooled.panels.back().values[1], build_figure(trace, settings).panels.back().values[1]);
    EXPECT_EQ(pooled.panels.back().title.find("mean of"), std::string::npos);
}

TEST(PooledHeads, LeaveScoresToTheirHead) {
    const Trace trace = run_session(of_four_heads()).trace;
    ViewSettings settings = pooled_in(ViewKind::heatmap, PooledHeads::mean);
    settings.selection.stage = "scores";
    settings.selection.head = 2;
    const Panel panel = build_figure(trace, settings).panels.front();
    EXPECT_NE(panel.title.find("head 3 of 4"), std::string::npos) << panel.title;
    EXPECT_EQ(panel.values[1], trace.matrix(*trace.find("scores"), 2)[1]);
}

TEST(PooledHeads, ArePooledWithoutTheHiddenKeys) {
    const Trace trace = run_session(of_four_heads()).trace;
    ViewSettings settings = pooled_in(ViewKind::heatmap, PooledHeads::mean);
    settings.hidden_keys = {0};
    const Figure figure = build_figure(trace, settings);
    const Panel& panel = figure.panels.front();
    double expected = 0, hidden = 0;
    for (Index head = 0; head < heads; ++head) {
        const auto weights = trace.matrix(*trace.find("weights"), head);
        expected += weights[1] / (1 - weights[0]) / heads;
        for (Index row = 0; row < panel.rows; ++row)
            hidden += weights[static_cast<std::size_t>(row * panel.columns)] /
                      static_cast<double>(heads * panel.rows);
    }
    EXPECT_NEAR(panel.values[1], expected, 1e-12);
    EXPECT_TRUE(std::isnan(panel.values[0]));
    ASSERT_TRUE(panel.hidden_mass);
    EXPECT_NEAR(*panel.hidden_mass, hidden, 1e-12);
}

TEST(PooledHeads, SayThatHiddenKeysHadTheMeanOfWhatTheyHadOfTheHeads) {
    const Session session = of_four_heads();
    const Trace trace = run_session(session).trace;
    const auto lazy = record_lazy(std::make_shared<const Plan>(
        plan(session_spec(session), session_inputs(session), {.seed = 1, .keeps = Keeps::rows})));
    for (const PooledHeads reduction : {PooledHeads::mean, PooledHeads::maximum})
        for (const ViewKind view : {ViewKind::heatmap, ViewKind::text}) {
            ViewSettings settings = pooled_in(view, reduction);
            settings.hidden_keys = {0};
            const Figure figure = build_figure(trace, settings);
            const Panel& panel = figure.panels.front();
            ASSERT_TRUE(panel.hidden_mass);
            EXPECT_EQ(panel.pooled_heads, heads);
            const std::string said = format_fixed(100 * *panel.hidden_mass, 1) +
                                     " % of the weights of the 4 heads on average; the others of each row";
            EXPECT_NE(figure.caption.find(said), std::string::npos) << figure.caption << " / " << said;
            if (view != ViewKind::heatmap)
                continue;
            Figure large = build_figure(lazy, settings);
            complete_large_maps(large, settings.range);
            EXPECT_NE(large.caption.find(" % of the weights of the 4 heads on average;"), std::string::npos)
                << large.caption;
        }
    ViewSettings apart = pooled_in(ViewKind::heatmap, PooledHeads::mean);
    apart.hidden_keys = {0};
    apart.pooled.reset();
    EXPECT_EQ(build_figure(trace, apart).caption.find("heads on average"), std::string::npos);
}

TEST(PooledHeads, OfALazyRunAreThoseOfAFullOne) {
    const Session session = of_four_heads();
    const auto planned = [&](Keeps keeps) {
        return std::make_shared<const Plan>(
            plan(session_spec(session), session_inputs(session), {.seed = 1, .keeps = keeps}));
    };
    const Trace lazy = record_lazy(planned(Keeps::rows)), full = record(planned(Keeps::trace));
    const Stage& weights = *lazy.find("weights");
    ASSERT_TRUE(weights.is_large());
    for (const PooledHeads reduction : {PooledHeads::mean, PooledHeads::maximum}) {
        WeightLens lens;
        lens.pooled = reduction;
        const auto tiles = DisplayedWeights(lazy, "", lens).tiles(weights);
        std::vector<double> row(static_cast<std::size_t>(weights.extent(Axis::key)));
        tiles->maps()->read_rows({lazy.lazy_maps(weights).origin().layer, 0}, 2, 1, row);
        const Storage<const double> of_lazy = DisplayedWeights(lazy, "", lens).rows(weights, 3, 2, 1).weights;
        const Storage<const double> expected =
            DisplayedWeights(full, "", lens).rows(*full.find("weights"), 0, 2, 1).weights;
        for (std::size_t key = 0; key < row.size(); ++key) {
            EXPECT_DOUBLE_EQ(row[key], expected[key]);
            EXPECT_DOUBLE_EQ(of_lazy[key], expected[key]);
        }
        const Figure figure = build_figure(lazy, pooled_in(ViewKind::heatmap, reduction));
        EXPECT_EQ(figure.panels.front().large->place.head, 0);
        EXPECT_EQ(figure.panels.front().large->tiles, tiles);
    }
}

TEST(PooledHeads, AreKeptWithASession) {
    Session session = example_session();
    EXPECT_EQ(write_session(session).find("pooled_heads"), std::string::npos);
    session.figure.pooled = PooledHeads::maximum;
    EXPECT_EQ(parse_session(write_session(session)).figure.pooled, PooledHeads::maximum);
}

}}  // namespace headlight::pooled_heads_test
