#include "core/figure/build_figure.h"
#include "core/figure/line_selection.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

using namespace headlight;

namespace {

Panel lines(Index rows, Index columns, double value) {
    Panel panel;
    panel.kind = Panel::Kind::lines;
    panel.rows = rows;
    panel.columns = columns;
    panel.values = std::vector<double>(static_cast<std::size_t>(rows * columns), value);
    panel.scale = {.map = "viridis", .low = 0, .high = 1};
    return panel;
}

std::string caption(const std::vector<double>& weights) {
    Trace trace = samples::sentence();
    const auto values = trace.values(*trace.find("weights"));
    std::ranges::fill(values, 0.0);
    std::ranges::copy(weights, values.begin());
    ViewSettings settings;
    settings.view = ViewKind::lines;
    return build_figure(trace, settings).caption;
}

TEST(LineSelection, KeepsTheStrongestOnTop) {
    Panel panel = lines(1, 3, 0);
    panel.values = {0.5, 0.3, 0.2};
    const LineSelection selection = select_lines(panel);
    ASSERT_EQ(selection.lines.size(), 3u);
    EXPECT_EQ(selection.lines.back().column, 0);
    EXPECT_EQ(selection.left_out, 0);
}

TEST(LineSelection, SaysWhatIsTooFaint) {
    Panel panel = lines(1, 3, 0);
    panel.values = {0.98, 0.015, 0.005};
    const LineSelection selection = select_lines(panel);
    EXPECT_EQ(selection.lines.size(), 1u);
    EXPECT_EQ(selection.left_out, 2);
    EXPECT_NEAR(selection.left_out_sum, 0.02, 1e-12);
    EXPECT_NEAR(selection.sum, 1, 1e-12);
}

TEST(LineSelection, SaysHowManyAreTooMany) {
    const LineSelection selection = select_lines(lines(30, 30, 1.0 / 30));
    EXPECT_EQ(selection.lines.size(), 400u);
    EXPECT_EQ(selection.left_out, 500);
    EXPECT_NEAR(selection.left_out_sum / selection.sum, 5.0 / 9, 1e-12);
}

TEST(LineSelection, ZerosAndForbiddenCellsAreNotMissed) {
    Panel panel = lines(1, 3, 0.5);
    panel.values = {0.5, 0, 0.5};
    panel.forbidden = {0, 0, 1};
    EXPECT_EQ(select_lines(panel).lines.size(), 1u);
    EXPECT_EQ(select_lines(panel).left_out, 0);
}

TEST(LineSelection, TheCaptionSaysWhatIsNotDrawn) {
    EXPECT_EQ(caption({1}).find("Not drawn"), std::string::npos);
    const std::string one = caption({1, 0, 0, 0, 0, 0, 0, 0, 0.99, 0.01});
    EXPECT_NE(one.find("Not drawn: 1 weaker line, "), std::string::npos) << one;
}

}  // namespace
