// Traces of maps of more numbers than are kept, and the figures of them.

#include "core/figure/allowed_cells.h"
#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/figure/cell_codes.h"
#include "core/figure/fit_scales.h"
#include "core/figure/panel_part.h"
#include "core/map/maps_trace.h"
#include "core/map/query_key_maps.h"
#include "core/map/trace_maps.h"
#include "tests/support/generated_maps.h"
#include "tests/support/large_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headlight::large_trace_test {

using namespace test;
using large_maps::Bright;
using large_maps::masked;
using large_maps::one_bright_cell;
using large_maps::SignedMaps;
using large_maps::tokens;

namespace {

std::shared_ptr<const Trace> large_trace() {
    const LabelledMaps maps{"", one_bright_cell({1'500, 7}), {}};
    return std::make_shared<const Trace>(trace_of(std::span(&maps, 1), "long"));
}

ViewSettings settings_of(ViewKind view) {
    ViewSettings settings;
    settings.view = view;
    return settings;
}

TEST(LargeTrace, OfACaptureIsHatchedWhereItsMaskForbids) {
    const LabelledMaps maps{"", masked(1'000), {}};
    const Trace trace = trace_of(std::span(&maps, 1), "long");
    Figure figure = build_figure(trace, settings_of(ViewKind::heatmap));
    EXPECT_NE(figure.caption.find("Hatched: forbidden by the mask."), std::string::npos) << figure.caption;
    Panel& panel = figure.panels.front();
    panel.large->waits = true;
    const CellCodes codes = cell_codes(panel, 30, 30);  // of 100 tokens each
    EXPECT_EQ(codes.at(0, 1), CellCodes::forbidden);
    EXPECT_NE(codes.at(29, 29), CellCodes::forbidden);
    EXPECT_NE(codes.at(29, 19), CellCodes::forbidden);
    EXPECT_EQ(codes.at(29, 18), CellCodes::forbidden) << "behind the window";
    // A part that is small enough has numbers, and its forbidden pairs.
    Panel part = part_of(panel, {1'990, 20}, {1'980, 30});
    take_numbers(part);
    ASSERT_FALSE(part.large);
    for (Index row = 0; row < 20; ++row)
        for (Index column = 0; column < 30; ++column)
            EXPECT_EQ(is_forbidden(part, row, column), 1'980 + column > 1'990 + row);
}

TEST(SmallTrace, OfACaptureIsHatchedAsAMechanismIs) {
    const auto vectors = std::make_shared<GeneratedMaps>(
        MapSource::Extents{2, 2, 5, 2},
        [](MapPlace place, Index token, Index feature) { return scattered(place, token, feature); });
    QueryKeyTerms terms;
    terms.windows = {std::nullopt, 2};
    const LabelledMaps maps{"", std::make_shared<QueryKeyMaps>(vectors, vectors, terms), {}};
    const Trace trace = trace_of(std::span(&maps, 1), "short");
    ViewSettings settings = settings_of(ViewKind::heatmap);
    settings.selection = {.site = "layer.1", .stage = "weights"};
    for (const bool is_pooled : {false, true}) {
        if (is_pooled)
            settings.pooled = PooledHeads::mean;
        const Figure figure = build_figure(trace, settings);
        EXPECT_NE(figure.caption.find("Hatched"), std::string::npos) << figure.caption;
        for (Index row = 0; row < 5; ++row)
            for (Index column = 0; column < 5; ++column)
                EXPECT_EQ(is_forbidden(figure.panels.front(), row, column),
                          column > row || row - column >= 2);
    }
    settings.selection.site = "layer.0";
    EXPECT_TRUE(build_figure(trace, settings).panels.front().forbidden.empty()) << "no window, not causal";
}

TEST(LargeTrace, IsReadWhereSomebodyLooks) {
    const auto trace = large_trace();
    const Stage& weights = trace->stages().front();
    ASSERT_TRUE(weights.is_large());
    std::vector<double> row(tokens);
    trace->read_rows(weights, 1, 1'500, 1, row);
    EXPECT_EQ(row[7], 1);
    std::vector<double> block(6);
    read_block(*trace, weights, 0, {1'499, 2, 6, 3}, block);
    EXPECT_EQ(block[4], 1);
    EXPECT_LT(block[0], 1);
    EXPECT_EQ(maps_of(trace).front().maps->extents(), (MapSource::Extents{1, 2, tokens, tokens}));
    expect_refusal([&] { (void)trace->values(weights); }, {"at most 4194304 numbers", "3000 × 3000"});
    expect_refusal([&] { (void)trace->matrix(weights, 0); }, {"3000 × 3000"});
}

TEST(LargeTrace, IsDrawnInTilesOrRefused) {
    const auto trace = large_trace();
    for (const ViewKind kind : {ViewKind::heatmap, ViewKind::grid, ViewKind::stages}) {
        const Figure figure = build_figure(*trace, settings_of(kind));
        ASSERT_FALSE(figure.panels.empty());
        EXPECT_TRUE(figure.panels.back().large && figure.panels.back().values.empty());
        EXPECT_EQ(figure.panels.back().rows, tokens);
        EXPECT_NE(figure.caption.find("largest weight under it"), std::string::npos) << figure.caption;
    }
    expect_refusal([&] { build_figure(*trace, settings_of(ViewKind::steps)); },
                   {"at most 2048 tokens", "rows and columns A..B a part of them", "3000 × 3000"});
    expect_refusal([&] { to_csv(build_figure(*trace, settings_of(ViewKind::heatmap))); }, {"3000 × 3000"});
}

TEST(LargeTrace, HasLinesOfTheTokensAroundTheSelectedOne) {
    const auto trace = large_trace();
    const Stage& weights = trace->stages().front();
    ViewSettings settings = settings_of(ViewKind::lines);
    settings.selection.head = 0;
    settings.selection.query = 1'500;
    settings.selection.key = 7;
    const auto expect_part = [&](const Panel& panel, AxisSlice rows, AxisSlice columns) {
        EXPECT_FALSE(panel.large);
        ASSERT_EQ(panel.rows, rows.count);
        ASSERT_EQ(panel.columns, columns.count);
        EXPECT_EQ(panel.row_axis.first, rows.first);
        EXPECT_EQ(panel.column_axis.first, columns.first);
        std::vector<double> row(tokens);
        double outside = 0;
        for (Index at = 0; at < rows.count; ++at) {
            trace->read_rows(weights, panel.head, rows.first + at, 1, row);
            for (Index key = 0; key < tokens; ++key)
                if (key >= columns.first && key < columns.first + columns.count)
                    EXPECT_EQ(
                        panel.values[static_cast<std::size_t>(at * columns.count + key - columns.first)],
                        row[static_cast<std::size_t>(key)]);
                else
                    outside += row[static_cast<std::size_t>(key)];
        }
        EXPECT_EQ(panel.hidden_lines.count, rows.count * (tokens - columns.count));
        EXPECT_NEAR(panel.hidden_lines.hidden_sum, outside, 1e-9 * outside);
    };
    const Figure figure = build_figure(*trace, settings);
    expect_part(figure.panels.front(), {1'472, 32}, {0, 64});
    EXPECT_NE(figure.panels.front().subtitle.find("queries 1473 to 1504 of 3000"), std::string::npos)
        << figure.panels.front().subtitle;
    EXPECT_NE(figure.caption.find("Not drawn"), std::string::npos) << figure.caption;
    // What a person chooses, once.
    settings.options.rows = AxisSlice{10, 3};
    settings.options.columns = AxisSlice{2'990, 400};
    Figure chosen = build_figure(*trace, settings);
    apply_options(chosen, settings);
    expect_part(chosen.panels.front(), {10, 3}, {2'990, 10});
    // The strongest of many lines are kept.
    settings.options.lines.most = 2;
    const Panel few = build_figure(*trace, settings).panels.front();
    EXPECT_EQ(std::ranges::count_if(few.values, [](double value) { return value == value; }), 6);
}

TEST(LargeTrace, HasATextOfAPage) {
    const auto trace = large_trace();
    ViewSettings settings = settings_of(ViewKind::text);
    settings.selection.head = 1;
    settings.selection.query = 1'500;
    Figure figure = build_figure(*trace, settings);
    ASSERT_EQ(figure.panels.size(), 1u);
    EXPECT_EQ(figure.panels[0].columns, 2'048);
    EXPECT_EQ(figure.panels[0].values[7], 1);
    EXPECT_EQ(figure.panels[0].selected_row, 1'500);
    EXPECT_NE(figure.panels[0].title.find("looks most at token 8, 1.00"), std::string::npos)
        << figure.panels[0].title;
    settings.selection.query = 2'100;
    figure = build_figure(*trace, settings);
    EXPECT_EQ(figure.panels[0].columns, tokens - 2'048);
    EXPECT_EQ(figure.panels[0].column_axis.first, 2'048);
    EXPECT_EQ(figure.panels[0].selected_row, 52);
    EXPECT_NE(figure.panels[0].subtitle.find("Tokens 2049 to 3000 of 3000"), std::string::npos)
        << figure.panels[0].subtitle;
}

TEST(LargeTrace, OfACaptureHasTheProductsOfAPageOfKeys) {
    const LabelledMaps maps{"", masked(0), {}};
    const Trace trace = trace_of(std::span(&maps, 1), "long");
    ViewSettings settings = settings_of(ViewKind::query_key);
    settings.selection = {.site = "layer.0", .stage = "weights", .query = 2'500, .key = 2'060};
    const Figure figure = build_figure(trace, settings);
    ASSERT_EQ(figure.panels.size(), 3u);
    const Panel &queries = figure.panels[0], &keys = figure.panels[1], &product = figure.panels[2];
    EXPECT_EQ(keys.columns, tokens - 2'048);
    EXPECT_EQ(keys.column_axis.first, 2'048);
    EXPECT_EQ(queries.selected_column, 2'500 - 2'048);
    for (const Index d : {0, 1})
        for (const Index key : {Index(0), Index(12), keys.columns - 1})
            EXPECT_NEAR(product.values[static_cast<std::size_t>(d * keys.columns + key)],
                        scattered({}, 2'500, d) * scattered({}, 2'048 + key, d), 1e-12);
    EXPECT_NE(product.subtitle.find("keys 2049 to 3000 of 3000"), std::string::npos) << product.subtitle;
    ASSERT_EQ(figure.table.names.size(), static_cast<std::size_t>(keys.columns));
    EXPECT_EQ(figure.table.names.front(), "2049");
    std::vector<double> row(tokens);
    maps.maps->read_rows({}, 2'500, 1, row);
    EXPECT_NEAR(*figure.table.numbers[3 * 12 + 2], row[2'060], 1e-15);
}

TEST(LargeTrace, HasItsAxesAsOthersDrawThem) {
    const auto trace = large_trace();
    ViewSettings settings = settings_of(ViewKind::axes);
    EXPECT_TRUE(build_figure(*trace, settings).panels.front().large);
    settings.axes = {"head", "key"};
    expect_refusal([&] { build_figure(*trace, settings); }, {"--rows query --columns key", "another order"});
}

TEST(LargeTrace, OfImpliedWeightsHasColoursAroundZeroThatAreFitted) {
    const LabelledMaps maps{"", std::make_shared<SignedMaps>(Bright{1'500, 7}, Bright{1'600, 8}), {}};
    const auto trace = std::make_shared<const Trace>(trace_of(std::span(&maps, 1), "long"));
    for (const RangeKind range : {RangeKind::unit, RangeKind::fitted}) {
        ViewSettings settings = settings_of(ViewKind::heatmap);
        settings.range = range;
        Figure figure = build_figure(*trace, settings);
        EXPECT_EQ(figure.panels.front().scale.map, "diverging");
        EXPECT_EQ(figure.panels.front().scale.low, -1) << "until something is known";
        complete_large_maps(figure, settings.range);
        EXPECT_EQ(figure.panels.front().scale.low, -5);
        EXPECT_EQ(figure.panels.front().scale.high, 5);
        EXPECT_NE(figure.caption.find("furthest from 0"), std::string::npos) << figure.caption;
        EXPECT_EQ(figure.caption.find("largest weight"), std::string::npos) << figure.caption;
    }
}

/// Exponentials and weights both go from 0 to 1: of a long text the weights would stay dark.
TEST(LargeTrace, HasAScaleForEachKindOfNumber) {
    const auto panel = [](const char* kind, const char* site, double largest) {
        Panel made;
        made.scale_of = kind;
        made.site = site;
        made.rows = 1;
        made.columns = 2;
        made.values = std::vector<double>{0, largest};
        return made;
    };
    Figure figure;
    figure.panels = {panel("exponentials", "", 1), panel("weights", "", 0.002), panel("weights", "", 0.004)};
    fit_scales(figure, {true, true, true}, RangeKind::fitted);
    EXPECT_EQ(figure.panels[0].scale.high, 1);
    EXPECT_EQ(figure.panels[1].scale.high, 0.004);
    EXPECT_TRUE(figure.panels[1].scale == figure.panels[2].scale);
    // What is compared may be of two kinds: weights, and those that a linear layer never forms.
    figure.panels = {panel("exponentials", "one", 1), panel("weights", "other", 0.002)};
    fit_scales(figure, {true, true}, RangeKind::fitted);
    EXPECT_TRUE(figure.panels[0].scale == figure.panels[1].scale);
}

TEST(LargeTrace, IsCompleteInAFile) {
    const auto trace = large_trace();
    ViewSettings settings = settings_of(ViewKind::heatmap);
    settings.range = RangeKind::fitted;
    Figure figure = build_figure(*trace, settings);
    const auto brightest = [&] { return std::ranges::max(cell_codes(figure.panels.front(), 50, 50).codes); };
    EXPECT_EQ(brightest(), CellCodes::missing) << "nobody has looked at it";
    complete_large_maps(figure, settings.range);
    EXPECT_EQ(brightest(), 255);
    EXPECT_EQ(figure.panels.front().scale.high, 1);
    EXPECT_GT(figure.panels.front().scale.low, 0) << "fitted to the smallest as well";
}

}  // namespace

}  // namespace headlight::large_trace_test
