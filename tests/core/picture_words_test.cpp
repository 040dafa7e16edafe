// A picture and a motion for who cannot see them: every part, every pair, every number that is done, in
// words.
#include "core/figure/build_figure.h"
#include "core/figure/picture_words.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace headlight::picture_words_test { namespace {

Figure figure_at(ViewKind view, const std::string& stage) {
    ViewSettings settings;
    settings.view = view;
    settings.selection.stage = stage;
    return build_figure(samples::sentence(), settings);
}

Index lines_with(const std::vector<std::string>& lines, const std::string& beginning) {
    return std::ranges::count_if(lines, [&](const std::string& line) { return line.starts_with(beginning); });
}

TEST(PictureWords, AMatrixHasALineForEachRowWithTheWordsOfBothSides) {
    const Figure figure = figure_at(ViewKind::heatmap, "weights");
    const Panel& panel = figure.panels.back();
    const std::vector<std::string> lines = picture_in_words(figure);
    EXPECT_EQ(lines_with(lines, "Row “"), panel.rows);
    for (Index row = 0; row < panel.rows; ++row) {
        const std::string begins = "Row “" + panel.row_axis.labels[static_cast<std::size_t>(row)] + "”: “";
        EXPECT_EQ(lines_with(lines, begins), 1) << begins;
    }
    EXPECT_FALSE(lines.front().starts_with("Row")) << "first what it is";
}

TEST(PictureWords, ARowSaysItsLargestNumbersFirstAndWhatIsForbidden) {
    Figure figure;
    Panel panel;
    panel.rows = 2;
    panel.columns = 5;
    panel.values = std::vector<double>{0.1, 0.4, 0.2, 0.25, 0.05, 0, 0, 0, 0, 0};
    panel.forbidden = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    panel.row_axis.labels = {"le", "chat"};
    panel.column_axis.title = "key";
    figure.panels.push_back(panel);
    EXPECT_EQ(picture_in_words(figure),
              (std::vector<std::string>{"Row “le”: key 2 0.4, key 4 0.25, key 3 0.2, 2 more",
                                        "Row “chat”: all forbidden"}));
}

TEST(PictureWords, AMapHasALineForEachPartAndEachArrow) {
    const Figure figure = figure_at(ViewKind::map, "weights");
    const Flow& flow = *figure.panels.front().flow;
    const std::vector<std::string> lines = picture_in_words(figure);
    Index parts = 0, arrows = 0;
    for (const Flow::Node& node : flow.nodes)
        parts += !node.title.empty();
    for (const Flow::Edge& edge : flow.edges)
        arrows += !flow_node(flow, edge.from).title.empty() && !flow_node(flow, edge.to).title.empty();
    EXPECT_GT(parts, 3);
    EXPECT_GT(arrows, 3);
    EXPECT_EQ(lines_with(lines, "Part: "), parts);
    EXPECT_EQ(lines_with(lines, "Arrow: from "), arrows);
}

TEST(MotionInWords, SaysEveryNumberThatIsDoneFromBeginningToEnd) {
    ViewSettings settings;
    settings.view = ViewKind::stages;
    settings.selection.stage = "weights";
    const auto still = std::make_shared<const Figure>(build_figure(samples::sentence(), settings));
    const Motion motion(still, samples::sentence(), settings.selection);
    ASSERT_FALSE(motion.is_empty());
    const std::vector<std::string> stages = motion_in_words(motion);
    EXPECT_EQ(stages.front(), motion.at(0).words);
    EXPECT_EQ(stages.back(), motion.at(1).words);
    EXPECT_GE(std::ssize(stages), still->panels.back().rows);
    for (double moment = 0; moment < 1; moment = motion.stop_after(moment))
        EXPECT_NE(std::ranges::find(stages, motion.at(moment).words), stages.end()) << moment;
}

TEST(MotionInWords, OfWhatDoesNotMoveSaysSo) {
    ViewSettings settings;
    settings.view = ViewKind::stages;
    settings.selection.stage = "tokens";
    const auto still = std::make_shared<const Figure>(build_figure(samples::sentence(), settings));
    const std::vector<std::string> stages =
        motion_in_words(Motion(still, samples::sentence(), settings.selection));
    ASSERT_LE(stages.size(), 1u);
}

}}  // namespace headlight::picture_words_test
