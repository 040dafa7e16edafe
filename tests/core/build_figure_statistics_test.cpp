// The heads in numbers, as a picture: a matrix of layers and heads for each statistic.

#include "core/analysis/head_table.h"
#include "core/figure/build_figure.h"
#include "core/io/session_capture.h"
#include "core/io/session_run.h"
#include "core/map/trace_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::build_figure_statistics_test {

using namespace test;

namespace {

ViewSettings statistics_view() {
    ViewSettings settings;
    settings.view = ViewKind::statistics;
    return settings;
}

TEST(StatisticsFigure, HasARowForEachLayerAndAColumnForEachHead) {
    const auto trace = std::make_shared<const Trace>(
        captured_traces({.file = HEADLIGHT_SOURCE_DIR "/tests/support/captures/translation.npz"}).trace);
    const Figure figure = build_figure(*trace, statistics_view());
    const std::vector<HeadRow> table = head_table(maps_of(trace));
    EXPECT_EQ(figure.title, "translation: what each head looks at, the mean over its queries");
    ASSERT_FALSE(figure.panels.empty());
    for (const Panel& panel : figure.panels) {
        EXPECT_EQ(panel.rows, 6);
        EXPECT_EQ(panel.columns, 2);
        EXPECT_EQ(panel.row_axis.labels.back(), "decoder 2 → source");
        EXPECT_EQ(panel.column_axis.labels, (std::vector<std::string>{"1", "2"}));
        const auto statistic = std::ranges::find(head_statistics(), panel.title, title_with_unit);
        ASSERT_NE(statistic, head_statistics().end());
        for (std::size_t cell = 0; cell < table.size(); ++cell) {
            const auto& number =
                table[cell].numbers[static_cast<std::size_t>(statistic - head_statistics().begin())];
            if (number)
                EXPECT_EQ(panel.values[cell], *number) << panel.title << ", " << table[cell].site;
            else
                EXPECT_TRUE(std::isnan(panel.values[cell])) << panel.title << ", " << table[cell].site;
        }
    }
}

TEST(StatisticsFigure, OfAMechanismIsOfItsOwnHeads) {
    Session session = example_session();
    session.mechanism = "multi_head";
    session.values["heads"] = Index(4);
    session.compared = {{"dot", {}, {}}};
    const Figure figure = build_figure(run_session(session).trace, statistics_view());
    ASSERT_FALSE(figure.panels.empty());
    EXPECT_EQ(figure.panels.front().rows, 1);
    EXPECT_EQ(figure.panels.front().columns, 4);
}

TEST(StatisticsFigure, OfHeadsThatLookAtNothingIsRefused) {
    Trace nothing({{"", "weights", {Axis::head, Axis::query, Axis::key}, {2, 3, 3}}});
    expect_refusal([&] { build_figure(nothing, statistics_view()); },
                   {"draw statistics", "a row that looks at something"});
}

TEST(StatisticsFigure, HasNoMatrixOfWhatNobodyKnows) {
    // Queries and keys are two texts: no token of the one is repeated in the other.
    const Figure figure = build_figure(
        captured_traces({.file = HEADLIGHT_SOURCE_DIR "/tests/support/captures/plain.npy"}).trace,
        statistics_view());
    for (const Panel& panel : figure.panels)
        EXPECT_NE(panel.title, "Delimiter");
}

}  // namespace

}  // namespace headlight::build_figure_statistics_test
