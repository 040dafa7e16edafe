#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/figure/line_selection.h"
#include "core/figure/markdown.h"
#include "core/figure/words.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace headlight::line_selection_test { namespace {

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

Figure of_heads(const Trace& trace, const std::vector<Index>& heads, ViewSettings settings = {}) {
    settings.view = ViewKind::lines;
    settings.options.heads = heads;
    Figure figure = build_figure(trace, settings);
    apply_options(figure, settings);
    return figure;
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

TEST(ChosenLines, AreTheStrongestOfEachRow) {
    Panel panel = lines(2, 4, 0);
    panel.values = {0.4, -0.5, 0.05, 0.05, 0.25, 0.25, 0.25, 0.25};
    panel.forbidden = {0, 0, 0, 0, 1, 0, 0, 0};
    keep_chosen_lines(panel, {.most = 2});
    const auto is_left_out = [&](std::size_t at) { return std::isnan(panel.values[at]); };
    for (const std::size_t drawn : {0, 1, 4, 5, 6})
        EXPECT_FALSE(is_left_out(drawn)) << drawn;
    for (const std::size_t weak : {2, 3, 7})
        EXPECT_TRUE(is_left_out(weak)) << weak;
    EXPECT_EQ(panel.hidden_lines.count, 3);
    EXPECT_NEAR(panel.hidden_lines.hidden_sum, 0.35, 1e-12);
    EXPECT_NEAR(panel.hidden_lines.sum, 1.75, 1e-12);
}

TEST(ChosenLines, AreNoWeakerThanTheLeast) {
    Panel panel = lines(1, 4, 0);
    panel.values = {0.4, -0.5, 0.1, std::numeric_limits<double>::infinity()};
    keep_chosen_lines(panel, {.most = {}, .least = 0.4});
    EXPECT_EQ(panel.values[0], 0.4);
    EXPECT_EQ(panel.values[1], -0.5) << "whatever its sign";
    EXPECT_TRUE(std::isnan(panel.values[2]));
    EXPECT_EQ(panel.hidden_lines.count, 1);
    Panel all = lines(1, 2, 0.1);
    keep_chosen_lines(all, {});
    EXPECT_EQ(all.hidden_lines.count, 0);
    EXPECT_EQ(select_lines(all).lines.size(), 2u);
}

TEST(ChosenLines, AreCountedInTheCaption) {
    const Trace trace = samples::sentence();
    ViewSettings settings;
    settings.options.lines = {.most = 1};
    const Figure figure = of_heads(trace, {}, settings);
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(select_lines(panel).lines.size(), 8u) << "one of each query";
    EXPECT_GT(panel.hidden_lines.count, 0);
    EXPECT_NE(
        figure.caption.find("Not drawn: " + std::to_string(panel.hidden_lines.count) + " weaker lines, "),
        std::string::npos)
        << figure.caption;
}

TEST(LineSelection, TheCaptionSaysWhatIsNotDrawn) {
    EXPECT_EQ(caption({1}).find("Not drawn"), std::string::npos);
    const std::string one = caption({1, 0, 0, 0, 0, 0, 0, 0, 0.99, 0.01});
    EXPECT_NE(one.find("Not drawn: 1 line too faint to be seen, "), std::string::npos)
        << one << " (nobody chose to hide any)";
}

TEST(LineSelection, TheCaptionCountsThousandsAsPeopleReadThem) {
    Trace trace({{"", "weights", {Axis::head, Axis::query, Axis::key}, {1, 1200, 50}}});
    std::ranges::fill(trace.values(*trace.find("weights")), 1.0 / 50);
    const std::string many = of_heads(trace, {}).caption;
    EXPECT_NE(many.find("Not drawn: 59,600 weaker lines, 99.3 % of the sum."), std::string::npos) << many;
}

TEST(LinesOfHeads, EachHasItsOwnInOnePlace) {
    const Trace trace = samples::sentence();
    ViewSettings settings;
    settings.selection.head = 2;
    const Figure figure = of_heads(trace, {0, 2, 3}, settings);
    ASSERT_EQ(figure.panels.size(), 3u);
    EXPECT_EQ(figure.panels[0].title, "Weights, heads 1, 3 and 4 of 4");
    for (std::size_t at = 0; at < 3; ++at) {
        const Panel& panel = figure.panels[at];
        const Panel alone = of_heads(trace, {panel.head}).panels.front();
        EXPECT_EQ(own_title(panel), alone.title);
        EXPECT_EQ(panel.values.copy(), alone.values.copy());
        EXPECT_EQ(select_lines(panel).lines.size(), select_lines(alone).lines.size());
        EXPECT_EQ(panel.lies_over, at > 0);
        EXPECT_EQ(panel.in_focus, panel.head == 2) << "the selected one";
        EXPECT_NE(figure.description.find(alone.title + ": 8 rows"), std::string::npos) << figure.description;
        EXPECT_NE(to_csv(figure).find('"' + alone.title + '"'), std::string::npos);
        EXPECT_NE(to_markdown(figure, std::vector<int>(3, 2)).find("**" + alone.title + "**"),
                  std::string::npos);
    }
    EXPECT_TRUE(of_heads(trace, {0, 3}, settings).panels.front().in_focus) << "the selected one is not drawn";
}

TEST(LinesOfHeads, AreTheSelectedOneUnlessSomeAreAskedFor) {
    const Trace trace = samples::sentence();
    ViewSettings settings;
    settings.selection.head = 1;
    const Figure one = of_heads(trace, {}, settings);
    ASSERT_EQ(one.panels.size(), 1u);
    EXPECT_EQ(one.panels.front().title, "Weights, head 2 of 4");
    EXPECT_EQ(of_heads(trace, {1}).panels.front().title, one.panels.front().title);
    EXPECT_EQ(of_heads(trace, {9}, settings).panels.front().head, 1) << "there is no head 10";
    EXPECT_EQ(of_heads(trace, {9, 0, 3}).panels.size(), 2u);
    EXPECT_EQ(heads_to_choose(of_heads(trace, {0})), 4);
}

TEST(LinesOfHeads, TheCaptionCountsThoseOfAll) {
    Trace trace = samples::sentence();
    const auto values = trace.values(*trace.find("weights"));
    std::ranges::fill(values, 0.0);
    for (const std::size_t head : {0, 2}) {
        values[head * 64] = 0.99;
        values[head * 64 + 8] = 0.01;
    }
    EXPECT_NE(of_heads(trace, {0}).caption.find("Not drawn: 1 line too faint to be seen, 1.0 %"),
              std::string::npos);
    const std::string two = of_heads(trace, {0, 2}).caption;
    EXPECT_NE(two.find("Not drawn: 2 lines too faint to be seen, 1.0 % of the sum."), std::string::npos)
        << two;
    ViewSettings hiding;
    hiding.hidden_keys = {0};
    const std::string hidden = of_heads(samples::sentence(), {0, 2}, hiding).caption;
    EXPECT_NE(hidden.find(" % of the weights on average"), std::string::npos) << hidden;
}

TEST(LinesOfHeads, TellSignsByDots) {
    ViewSettings scores;
    scores.selection.stage = "scores";
    const auto says = [](const Figure& figure) {
        return figure.caption.find("Dotted: below 0.") != std::string::npos;
    };
    EXPECT_TRUE(says(of_heads(samples::sentence(), {0, 1}, scores)));
    EXPECT_FALSE(says(of_heads(samples::sentence(), {0}, scores))) << "two colours do";
    EXPECT_FALSE(says(of_heads(samples::sentence(), {0, 1})));
}

TEST(LinesOfHeads, AreCountedAsPeopleDo) {
    const std::pair<std::vector<Index>, const char*> rows[] = {{{2}, "3"},
                                                               {{0, 1}, "1 and 2"},
                                                               {{0, 2}, "1 and 3"},
                                                               {{0, 2, 3, 4}, "1, 3 to 5"},
                                                               {{4, 0, 6}, "5, 1 and 7"},
                                                               {{0, 1, 2, 5}, "1 to 3, 6"}};
    for (const auto& [heads, words] : rows)
        EXPECT_EQ(head_numbers(heads), words);
}

}}  // namespace headlight::line_selection_test
