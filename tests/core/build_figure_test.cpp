#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/figure/panel_numbers.h"
#include "core/tensor/error.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

namespace headlight::build_figure_test { namespace {

Figure figure_of(const Trace& trace, ViewKind view, const std::string& stage = "weights") {
    ViewSettings settings;
    settings.view = view;
    settings.selection.stage = stage;
    return build_figure(trace, settings);
}

/// The panels below the strip.
std::vector<Panel> main_panels(const Figure& figure) {
    std::vector<Panel> panels;
    for (const Panel& panel : figure.panels)
        if (!panel.thumbnail)
            panels.push_back(panel);
    return panels;
}

TEST(BuildFigure, HeatmapShowsTheSelectedHeadWithItsNumbers) {
    const Trace trace = samples::sentence();
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.selection.head = 2;
    const Figure figure = build_figure(trace, settings);
    ASSERT_EQ(figure.panels.size(), 1u);
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(figure.title, "Multi-head scaled dot-product self-attention, causal");
    EXPECT_EQ(panel.title, "Weights, head 3 of 4");
    EXPECT_EQ(panel.subtitle, "softmax of each row");
    EXPECT_EQ(panel.stage, "weights");
    EXPECT_EQ(panel.head, 2);
    EXPECT_EQ(panel.rows, 8);
    EXPECT_EQ(panel.columns, 8);
    EXPECT_EQ(panel.row_axis.title, "query (who looks)");
    EXPECT_EQ(panel.column_axis.title, "key (what is looked at)");
    EXPECT_EQ(panel.row_axis.labels[1], "bank");
    const auto numbers = trace.matrix(*trace.find("weights"), 2);
    EXPECT_TRUE(std::ranges::equal(panel.values, numbers));
    EXPECT_EQ(panel.scale, (ColourScale{"viridis", ScaleKind::linear, 0, 1}));
    EXPECT_TRUE(panel.row_sums.empty()) << "every row sums to 1";
}

TEST(BuildFigure, ForbiddenCellsAndUnknownWordsAreMarkedAndExplained) {
    const Panel panel = figure_of(samples::sentence(), ViewKind::heatmap).panels.front();
    ASSERT_EQ(panel.forbidden.size(), 64u);
    for (std::size_t row = 0; row < 8; ++row)
        for (std::size_t column = 0; column < 8; ++column)
            EXPECT_EQ(panel.forbidden[8 * row + column], column > row) << row << " " << column;
    EXPECT_TRUE(panel.row_axis.marked[6]);
    EXPECT_FALSE(panel.row_axis.marked[0]);
    EXPECT_EQ(figure_of(samples::sentence(), ViewKind::heatmap).caption,
              "Hatched: forbidden by the mask.  Dotted underline: not in the word vectors.");
    EXPECT_TRUE(figure_of(samples::sentence(), ViewKind::heatmap, "scores").panels.front().forbidden.empty())
        << "the mask comes after the scores";
}

TEST(BuildFigure, HatchingSaysWhoForbids) {
    Trace trace = samples::sentence();
    const auto is_said = [&](const std::string& words) {
        const Figure figure = figure_of(trace, ViewKind::heatmap);
        return figure.caption.starts_with("Hatched: " + words + '.') &&
               forbidden_in_words(figure.panels.front().forbidden_by) == words;
    };
    EXPECT_TRUE(is_said("forbidden by the mask"));
    trace.spec.selection.type = SelectionType::top_k;
    EXPECT_TRUE(is_said("forbidden by the mask, or by the selection of keys"));
    trace.spec.mask = Mask{NoMask{}};
    EXPECT_TRUE(is_said("forbidden by the selection of keys"));
    trace.spec.selection.type = SelectionType::none;
    trace.spec.algorithm = {AlgorithmType::kv_cache, {{"capacity", Index(3)}, {"bytes", Index(2)}}};
    EXPECT_TRUE(is_said("dropped from the cache, which keeps the newest 3"));
    trace.spec.mask = Mask{CausalMask{}};
    EXPECT_TRUE(is_said("forbidden by the mask, or dropped from the cache, which keeps the newest 3"));
    trace.spec.algorithm.options["capacity"] = Index(8);
    EXPECT_TRUE(is_said("forbidden by the mask")) << "there are no older ones";
}

TEST(BuildFigure, RowsThatAreNeitherTokensNorFeaturesAreCalledWhatTheyAre) {
    Trace trace({{"", "memory_reads", {Axis::head, Axis::feature, Axis::feature}, {1, 2, 3}, 0},
                 {"", "weights", {Axis::head, Axis::query, Axis::key}, {1, 3, 3}, 0}});
    const auto titles = [&] {
        const Panel panel = figure_of(trace, ViewKind::heatmap, "memory_reads").panels.front();
        return std::pair(panel.row_axis.title, panel.column_axis.title);
    };
    trace.spec.algorithm.type = AlgorithmType::memory_tokens;
    EXPECT_EQ(titles(), std::pair(std::string("memory token"), std::string("key")));
    trace.spec.algorithm.type = AlgorithmType::composed;
    EXPECT_EQ(titles(), std::pair(std::string("feature"), std::string("feature"))) << "of another mechanism";
}

TEST(BuildFigure, EachHeadIsHatchedWhereItsOwnSelectionForbids) {
    Trace trace = samples::sentence();
    const Stage& masked = *trace.find("masked_scores");
    trace.values(masked)[1 * 64 + 3 * 8 + 0] =
        -std::numeric_limits<double>::infinity();  // head 2, query 4, key 1
    ViewSettings settings;
    settings.view = ViewKind::grid;
    const auto panels = build_figure(trace, settings).panels;
    ASSERT_EQ(panels.size(), 4u);
    for (std::size_t head = 0; head < 4; ++head) {
        ASSERT_EQ(panels[head].forbidden.size(), 64u);
        EXPECT_EQ(panels[head].forbidden[3 * 8 + 0], head == 1) << head;
        EXPECT_TRUE(panels[head].forbidden[0 * 8 + 7]) << "the mask is every head's";
    }
}

TEST(BuildFigure, FullyMaskedRowsAreFlaggedAndTheirSumsShown) {
    const Figure figure = figure_of(samples::masked_out(), ViewKind::heatmap);
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(panel.flagged_rows, (std::vector<std::uint8_t>{0, 0, 1, 0}));
    ASSERT_EQ(panel.row_sums.size(), 4u);
    EXPECT_NEAR(panel.row_sums[0], 1, 1e-12);
    EXPECT_EQ(panel.row_sums[2], 0);
    EXPECT_NE(figure.caption.find("∅"), std::string::npos);
    EXPECT_EQ(panel.column_axis.labels, (std::vector<std::string>{"je", "␣", "suis", "↵", "ici", "!"}));
}

TEST(BuildFigure, GridHasAPanelPerHeadOnOneScale) {
    ViewSettings settings;
    settings.view = ViewKind::grid;
    settings.range = RangeKind::fitted;
    const Figure figure = build_figure(samples::sentence(), settings);
    ASSERT_EQ(figure.panels.size(), 4u);
    EXPECT_EQ(figure.columns, 2);
    double lowest = 1, highest = 0;
    for (const Panel& panel : figure.panels) {
        EXPECT_EQ(panel.scale, figure.panels.front().scale);
        highest = std::max(highest, std::ranges::max(panel.values));
        for (std::size_t cell = 0; cell < panel.values.size(); ++cell)
            if (!panel.forbidden[cell])
                lowest = std::min(lowest, panel.values[cell]);
    }
    EXPECT_EQ(figure.panels[3].title, "Head 4");
    EXPECT_GT(lowest, 0);
    EXPECT_EQ(figure.panels.front().scale.low, lowest) << "the 0 of a forbidden pair has no colour";
    EXPECT_EQ(figure.panels.front().scale.high, highest);
}

TEST(BuildFigure, GridOfAStageThatIsNoMapShowsTheWeights) {
    ViewSettings settings;
    settings.view = ViewKind::grid;
    settings.selection.stage = "context";
    const Figure figure = build_figure(samples::sentence(), settings);
    ASSERT_EQ(figure.panels.size(), 4u);
    EXPECT_EQ(figure.panels.front().stage, "weights");
}

TEST(BuildFigure, StepsShowRowsUpToTheNewest) {
    ViewSettings settings;
    settings.view = ViewKind::steps;
    settings.decoding_step = 4;
    const Panel panel = build_figure(samples::sentence(), settings).panels.front();
    EXPECT_EQ(panel.newest_row, 4);
    EXPECT_EQ(panel.subtitle, "step 5 of 8: “river” looks");
    settings.decoding_step.reset();
    const Panel all = build_figure(samples::sentence(), settings).panels.front();
    EXPECT_EQ(all.newest_row, 7);
    EXPECT_EQ(all.subtitle, "all 8 steps") << "the frame is on the first row";
    settings.selection.query = 7;
    EXPECT_EQ(build_figure(samples::sentence(), settings).panels.front().subtitle.substr(0, 11),
              "step 8 of 8");
    settings.selection.query = 0;
    settings.selection.stage = "scores";
    EXPECT_FALSE(build_figure(samples::sentence(), settings).panels.front().forbidden.empty())
        << "what the mask forbids is visible at each step";
}

TEST(BuildFigure, LinesShowAMapEvenWhenAnotherStageIsSelected) {
    const Panel panel = figure_of(samples::sentence(), ViewKind::lines, "context").panels.front();
    EXPECT_EQ(panel.kind, Panel::Kind::lines);
    EXPECT_EQ(panel.stage, "weights");
}

TEST(BuildFigure, AScaleBelongsToAStageAndToThoseThatReadersCompareWithIt) {
    const Trace trace = samples::sentence();
    const auto scale = [&](const char* stage) {
        return figure_of(trace, ViewKind::heatmap, stage).panels.front().scale;
    };
    double largest = 0;
    for (const double number : trace.values(*trace.find("scaled_scores")))
        largest = std::max(largest, std::abs(number));
    EXPECT_EQ(scale("scaled_scores"), (ColourScale{"diverging", ScaleKind::linear, -largest, largest}))
        << "not that of the scores, beside which they would be pale";
    EXPECT_EQ(scale("masked_scores"), scale("scaled_scores"));
    EXPECT_DOUBLE_EQ(scale("scores").high, 2 * largest) << "÷ √4";
    EXPECT_EQ(scale("key"), scale("query"));
    EXPECT_EQ(scale("context"), scale("value"));
    EXPECT_NE(scale("query"), scale("scores"));
}

TEST(BuildFigure, SaysWhichPanelsShareAScale) {
    const auto caption = [](const char* stage) {
        return figure_of(samples::sentence(), ViewKind::stages, stage).caption;
    };
    EXPECT_NE(caption("scores").find("Query and Key share a colour scale."), std::string::npos);
    EXPECT_NE(caption("masked_scores").find("Scaled scores and Masked scores share a colour scale."),
              std::string::npos);
    EXPECT_EQ(caption("scaled_scores").find("share"), std::string::npos);
}

TEST(BuildFigure, AStageThatWouldBeBlankOnAnothersScaleHasItsOwn) {
    const auto times = [](double factor) {
        Trace trace = samples::sentence();
        for (const char* grown : {"context", "concatenation"})
            for (double& number : trace.values(*trace.find(grown)))
                number *= factor;
        return trace;
    };
    const auto scale = [](const Trace& trace, const char* stage) {
        return figure_of(trace, ViewKind::heatmap, stage).panels.front().scale;
    };
    const auto furthest = [](const Trace& trace, const char* stage) {
        double largest = 0;
        for (const double number : trace.values(*trace.find(stage)))
            largest = std::max(largest, std::abs(number));
        return largest;
    };
    const std::string sentence = "Value and Context share a colour scale.";
    const Trace near = times(1), far = times(1000);
    EXPECT_EQ(scale(near, "context"), scale(near, "value"));
    EXPECT_NE(figure_of(near, ViewKind::stages, "context").caption.find(sentence), std::string::npos);
    EXPECT_DOUBLE_EQ(scale(far, "value").high, furthest(far, "value"));
    EXPECT_DOUBLE_EQ(scale(far, "context").high, furthest(far, "context"));
    EXPECT_EQ(scale(far, "concatenation"), scale(far, "context"));
    EXPECT_EQ(scale(far, "key"), scale(far, "query"));
    EXPECT_EQ(figure_of(far, ViewKind::stages, "context").caption.find(sentence), std::string::npos);
}

TEST(BuildFigure, AMaskInsideTheScaleHasTheColoursOfTheScores) {
    Inputs inputs;
    inputs.query = Tensor({{1, 2, 0, 0}, {0.5, -1, 0, 3}});
    AttentionSpec spec;
    spec.mask.rule = CausalMask{};
    spec.mask_order = MaskOrder::before_scale;
    const Trace trace = record(std::make_shared<const Plan>(plan(spec, inputs)));
    const auto scale = [&](const char* stage) {
        return figure_of(trace, ViewKind::heatmap, stage).panels.front().scale;
    };
    EXPECT_EQ(scale("masked_scores"), scale("scores"));
    EXPECT_NE(scale("scaled_scores"), scale("scores"));
}

// Around a middle of zero all of them would have one colour.
TEST(BuildFigure, ScoresFarFromZeroAreFittedToTheirOwnRange) {
    Inputs inputs;
    inputs.query = Tensor({{4, 4, 0, 0}, {4, 4.5, 0, 0}, {4.5, 4, 0, 0}});
    const Trace trace = record(std::make_shared<const Plan>(plan(AttentionSpec(), inputs)));
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.selection.stage = "scores";
    EXPECT_EQ(build_figure(trace, settings).panels.front().scale,
              (ColourScale{"diverging", ScaleKind::linear, -36.25, 36.25}));
    settings.range = RangeKind::fitted;
    EXPECT_EQ(build_figure(trace, settings).panels.front().scale,
              (ColourScale{"viridis", ScaleKind::linear, 32, 36.25}));
    // Where one of them is near zero, the side of zero counts.
    inputs.query = Tensor({{4, 4, 0, 0}, {4, 4.5, 0, 0}, {0.5, 0, 0, 0}});
    const Trace wide = record(std::make_shared<const Plan>(plan(AttentionSpec(), inputs)));
    EXPECT_EQ(build_figure(wide, settings).panels.front().scale,
              (ColourScale{"diverging", ScaleKind::linear, -36.25, 36.25}));
}

TEST(BuildFigure, SumsOfSmallRowsHaveTheDigitsThatTellThemApart) {
    EXPECT_EQ(decimals_of_sums({0.5, 1.76}), 2);
    EXPECT_EQ(decimals_of_sums({0.0012, -0.0081}), 4);
    EXPECT_EQ(decimals_of_sums({0.0012, 0.02}), 2);
    EXPECT_EQ(decimals_of_sums({0, 1e-16}), 2) << "what rounding leaves of rows that sum to 0";
}

TEST(BuildFigure, GreysStayGreyForSignedNumbersToo) {
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.selection.stage = "scores";
    settings.colour_map = "greys";
    EXPECT_EQ(build_figure(samples::sentence(), settings).panels.front().scale.map, "greys");
}

TEST(BuildFigure, LogarithmicScaleStartsAtTheSmallestPositiveNumber) {
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.scale = ScaleKind::logarithmic;
    EXPECT_EQ(build_figure(samples::sentence(), settings).panels.front().scale,
              (ColourScale{"viridis", ScaleKind::logarithmic, 1e-4, 1}));
    settings.range = RangeKind::fitted;
    const ColourScale fitted = build_figure(samples::sentence(), settings).panels.front().scale;
    EXPECT_GT(fitted.low, 0);
    EXPECT_LT(fitted.low, 0.01);
}

TEST(BuildFigure, SelectionsOutsideTheTraceAreClamped) {
    ViewSettings settings;
    settings.selection = {"nowhere", "nothing", 99, 99, 99, 99};
    settings.decoding_step = 99;
    for (const ViewKind view :
         {ViewKind::stages, ViewKind::heatmap, ViewKind::grid, ViewKind::steps, ViewKind::lines}) {
        settings.view = view;
        const Figure figure = build_figure(samples::sentence(), settings);
        EXPECT_FALSE(figure.panels.empty());
        EXPECT_LT(figure.panels.back().head, 4);
    }
}

TEST(BuildFigure, RefusesAnEmptyTraceAndAnUnknownMap) {
    EXPECT_THROW(build_figure(Trace(), {}), Error);
    ViewSettings settings;
    settings.colour_map = "jet";
    EXPECT_THROW(build_figure(samples::sentence(), settings), Error);
}

TEST(BuildFigure, DescriptionNamesTheLargestWeights) {
    EXPECT_EQ(
        figure_of(samples::masked_out(), ViewKind::heatmap).description,
        "Scaled dot-product cross-attention, masked.\n"
        "Weights: 4 rows, query (who looks), by 6 columns, key (what is looked at). Largest: "
        "“am” → “↵” 0.540; “now” → “␣” 0.524; “I” → “suis” 0.482; “now” → “suis” 0.261; “am” → “je” 0.241.");
}

TEST(BuildFigure, DescriptionHasTwoDigitsOfSmallWeights) {
    Trace trace({{"", "weights", {Axis::query, Axis::key}, {1, 2}}});
    std::ranges::copy(std::vector<double>{1.0 / 2300, 1.0 / 2300}, trace.values(trace.stages()[0]).begin());
    const std::string said = figure_of(trace, ViewKind::heatmap).description;
    EXPECT_NE(said.find("0.00043; "), std::string::npos) << said;
}

TEST(BuildFigure, CsvHasLabelsAndEveryDigit) {
    Trace trace({{"", "weights", {Axis::query, Axis::key}, {2, 2}}});
    trace.tokens.query = {"a, b", "say \"hi\""};
    trace.tokens.key = {"x", "y"};
    std::ranges::copy(std::vector<double>{0.1, 0.9, 1.0 / 3, -std::numeric_limits<double>::infinity()},
                      trace.values(trace.stages()[0]).begin());
    EXPECT_EQ(to_csv(figure_of(trace, ViewKind::heatmap)), ",x,y\r\n"
                                                           "\"a, b\",0.1,0.9\r\n"
                                                           "\"say \"\"hi\"\"\",0.3333333333333333,-inf\r\n");
    const std::string grid = to_csv(figure_of(samples::sentence(), ViewKind::grid));
    EXPECT_EQ(grid.substr(0, grid.find('\n')), "Head 1\r");
    EXPECT_NE(grid.find("\r\n\r\nHead 2\r\n,The,bank"), std::string::npos);
}

TEST(BuildFigure, ATraceOfOneStageIsEnough) {
    Trace trace({{"decoder.0.cross", "weights", {Axis::head, Axis::query, Axis::key}, {1, 1, 3}}});
    for (const ViewKind view :
         {ViewKind::stages, ViewKind::heatmap, ViewKind::grid, ViewKind::steps, ViewKind::lines}) {
        const Figure figure = figure_of(trace, view);
        EXPECT_FALSE(main_panels(figure).empty());
        EXPECT_NE(figure.title.find(": decoder, looks at the source"), std::string::npos) << figure.title;
    }
}

}}  // namespace headlight::build_figure_test
