// One map in place of those of all layers: the numbers against a mean by hand, what pictures say of them,
// maps that are read lazily, and what is refused.

#include "core/analysis/pooled_layers.h"
#include "core/analysis/displayed_weights.h"
#include "core/figure/build_figure.h"
#include "core/figure/view.h"
#include "core/io/session.h"
#include "core/map/maps_trace.h"
#include "core/map/trace_maps.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headlight::pooled_layers_test {

using namespace test;

namespace {

constexpr Index layers = 3, heads = 2;

double weight_at(MapPlace place, Index query, Index key) {
    return std::abs(
        std::sin(static_cast<double>(1 + 7 * place.layer + 3 * place.head + 5 * query + 11 * key)));
}

LabelledMaps maps_of_kind(const std::string& kind, Index tokens, Index of_layers = layers) {
    return {kind,
            std::make_shared<GeneratedMaps>(MapSource::Extents{of_layers, heads, tokens, tokens}, weight_at),
            {}};
}

Trace trace_with(const std::vector<LabelledMaps>& maps) { return trace_of(maps, "three layers"); }

ViewSettings over_layers(const Trace& trace, MapReduction reduction,
                         std::optional<PooledHeads> of_heads = {}) {
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.selection.site = trace.stages().front().site;
    settings.selection.head = 1;
    settings.pooled = of_heads;
    settings.pooled_layers = reduction;
    return settings;
}

/// By hand: over the layers, and over the heads first where `of_heads` says so.
double pooled(MapReduction reduction, std::optional<MapReduction> of_heads, Index head, Index query,
              Index key) {
    const auto fold = [](MapReduction how, const std::vector<double>& numbers) {
        double sum = 0;
        for (const double number : numbers)
            sum += number;
        return how == MapReduction::mean ? sum / static_cast<double>(numbers.size())
                                         : *std::ranges::max_element(numbers);
    };
    std::vector<double> of_layers;
    for (Index layer = 0; layer < layers; ++layer) {
        std::vector<double> all;
        for (Index each = 0; each < heads; ++each)
            all.push_back(weight_at({layer, each}, query, key));
        of_layers.push_back(of_heads ? fold(*of_heads, all) : all[static_cast<std::size_t>(head)]);
    }
    return fold(reduction, of_layers);
}

TEST(PooledLayers, AreOneMapOfEachHeadOrOfAllHeads) {
    const Trace trace = trace_with({maps_of_kind("", 6)});
    using Heads = std::optional<PooledHeads>;
    struct Row {
        MapReduction reduction;
        Heads of_heads;
        const char* title;
    };
    for (const Row& row :
         {Row{MapReduction::mean, {}, "Weights, mean over 3 layers, head 2 of 2"},
          Row{MapReduction::maximum, {}, "Weights, largest over 3 layers, head 2 of 2"},
          Row{MapReduction::mean, PooledHeads::mean, "Weights, mean over 3 layers and 2 heads"},
          Row{MapReduction::maximum, PooledHeads::maximum, "Weights, largest over 3 layers and 2 heads"},
          Row{MapReduction::mean, PooledHeads::maximum,
              "Weights, mean over 3 layers of the largest of 2 heads"}}) {
        const Figure figure = build_figure(trace, over_layers(trace, row.reduction, row.of_heads));
        ASSERT_EQ(figure.panels.size(), 1u);
        const Panel& panel = figure.panels.front();
        EXPECT_EQ(panel.title, row.title);
        EXPECT_EQ(figure.title.find("ayer 1"), std::string::npos) << figure.title;
        const std::optional<MapReduction> of_heads =
            row.of_heads ? std::optional(reduction_of(*row.of_heads)) : std::nullopt;
        for (Index query = 0; query < 6; ++query)
            for (Index key = 0; key < 6; ++key)
                EXPECT_NEAR(panel.values[static_cast<std::size_t>(6 * query + key)],
                            pooled(row.reduction, of_heads, 1, query, key), 1e-12);
    }
}

TEST(PooledLayers, AreThoseOfEveryLayerOfTheKind) {
    const Trace trace = trace_with({maps_of_kind("encoder", 6), maps_of_kind("decoder", 5)});
    for (const Stage& stage : trace.stages()) {
        ViewSettings settings = over_layers(trace, MapReduction::mean);
        settings.selection.site = stage.site;
        settings.view = ViewKind::grid;
        const Figure figure = build_figure(trace, settings);
        ASSERT_EQ(figure.panels.size(), 2u);
        EXPECT_NE(figure.title.find("mean over 3 layers"), std::string::npos) << figure.title;
        EXPECT_EQ(figure.title.find("layer 2"), std::string::npos) << figure.title;
        EXPECT_EQ(figure.panels[1].rows, stage.extent(Axis::query));
        EXPECT_NEAR(
            figure.panels[1].values[7],
            pooled(MapReduction::mean, {}, 1, 7 / figure.panels[1].columns, 7 % figure.panels[1].columns),
            1e-12);
    }
}

TEST(PooledLayers, SayWhoseMeanTheHiddenKeysHad) {
    const Trace trace = trace_with({maps_of_kind("", 6)});
    ViewSettings settings = over_layers(trace, MapReduction::mean);
    settings.hidden_keys = {0};
    EXPECT_NE(build_figure(trace, settings).caption.find(" % of the weights of the 3 layers on average"),
              std::string::npos);
    settings.pooled = PooledHeads::mean;
    EXPECT_NE(build_figure(trace, settings)
                  .caption.find(" % of the weights of the 3 layers and 2 heads on average"),
              std::string::npos);
}

TEST(PooledLayers, OfLargeMapsAreDrawnFromTiles) {
    constexpr Index tokens = 3'000;
    const Trace trace = trace_with({maps_of_kind("", tokens)});
    const Stage& weights = trace.stages().front();
    ASSERT_TRUE(weights.is_large());
    for (const auto& of_heads : {std::optional<PooledHeads>(), std::optional(PooledHeads::mean)}) {
        const Figure figure = build_figure(trace, over_layers(trace, MapReduction::mean, of_heads));
        const LargeMap& large = *figure.panels.front().large;
        const std::optional<MapReduction> hand = of_heads ? std::optional(MapReduction::mean) : std::nullopt;
        EXPECT_EQ(large.place, (MapPlace{0, of_heads ? 0 : 1}));
        std::vector<double> row(tokens);
        large.tiles->maps()->read_rows(large.place, 2'500, 1, row);
        WeightLens lens;
        lens.pooled = of_heads;
        lens.pooled_layers = MapReduction::mean;
        const Storage<const double> seen =
            DisplayedWeights(trace, weights.site, lens).rows(weights, 1, 2'500, 1).weights;
        for (Index key = 0; key < tokens; key += 97) {
            const double expected = pooled(MapReduction::mean, hand, 1, 2'500, key);
            EXPECT_NEAR(row[static_cast<std::size_t>(key)], expected, 1e-12);
            EXPECT_NEAR(seen[static_cast<std::size_t>(key)], expected, 1e-12);
        }
    }
}

TEST(PooledLayers, RefuseWhatIsNotOfOneSize) {
    const Trace one = trace_with({maps_of_kind("", 6, 1)});
    EXPECT_NE(layers_lack(one, one.stages().front().site).find("a model with several"), std::string::npos);
    expect_refusal([&] { build_figure(one, over_layers(one, MapReduction::mean)); },
                   {"draw one map of all layers", "layers with maps of one size"});
    Trace several = trace_with({maps_of_kind("", 6)});
    EXPECT_EQ(layers_lack(several, several.stages().front().site), "");
    ViewSettings settings = over_layers(several, MapReduction::mean);
    settings.pooled = PooledHeads::rollout;
    ASSERT_TRUE(pooling_mismatch(settings));
    settings.pooled.reset();
    EXPECT_FALSE(pooling_mismatch(settings));
    settings.view = ViewKind::compare;
    EXPECT_TRUE(pooling_mismatch(settings));
    EXPECT_FALSE(drawn_lens(ViewKind::compare, settings).pooled_layers);
    settings.view = ViewKind::heatmap;
    settings.selection.stage = "scores";
    EXPECT_TRUE(pooling_mismatch(settings));
}

TEST(PooledLayers, AreKeptWithASession) {
    Session session = example_session();
    EXPECT_EQ(write_session(session).find("pooled_layers"), std::string::npos);
    EXPECT_FALSE(parse_session(write_session(session)).figure.pooled_layers);
    session.figure.pooled_layers = MapReduction::maximum;
    session.figure.pooled = PooledHeads::mean;
    const FigureSettings read = parse_session(write_session(session)).figure;
    EXPECT_EQ(read.pooled_layers, MapReduction::maximum);
    EXPECT_EQ(read.pooled, PooledHeads::mean);
}

}  // namespace
}  // namespace headlight::pooled_layers_test
