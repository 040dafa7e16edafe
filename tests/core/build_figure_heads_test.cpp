// Pictures of all heads: a grid of small maps, and points.

#include "core/figure/build_figure.h"
#include "core/figure/head_places.h"
#include "core/io/session_capture.h"
#include "core/io/session_run.h"
#include "core/map/trace_maps.h"
#include "tests/support/refusal.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headlight::build_figure_heads_test {

using namespace test;

namespace {

Trace translation() {
    return captured_traces({.file = HEADLIGHT_SOURCE_DIR "/tests/support/captures/translation.npz"}).trace;
}

Figure drawn(const Trace& trace, ViewKind kind, const HeadOrder& heads = {}) {
    ViewSettings settings;
    settings.view = kind;
    settings.heads = heads;
    return build_figure(trace, settings);
}

/// Returns one of the cells of all maps side by side.
float drawn_cell(const Panel& panel, Index row, Index column) {
    std::vector<float> numbers(static_cast<std::size_t>(panel.columns * panel.marks->map_columns));
    write_map_row(*panel.marks, panel.columns, row, numbers);
    return numbers[static_cast<std::size_t>(column)];
}

TEST(ModelGrid, LeavesBlankWhatTheMaskForbids) {
    const Figure figure = drawn(samples::sentence(), ViewKind::model_grid);
    const Panel& panel = figure.panels.front();
    ASSERT_EQ(panel.marks->map_columns, 8);
    for (Index query = 0; query < 8; ++query)
        for (Index key = 0; key < 8; ++key)
            EXPECT_EQ(drawn_cell(panel, query, key) == -std::numeric_limits<float>::infinity(), key > query);
    const std::string note = "Left blank: forbidden pairs of tokens.";
    EXPECT_NE(figure.caption.find(note), std::string::npos);
    EXPECT_EQ(drawn(translation(), ViewKind::model_grid).caption.find(note), std::string::npos);
}

TEST(ModelGrid, HasALayerARowAndEveryMapInItsCell) {
    const Trace trace = translation();
    const Figure figure = drawn(trace, ViewKind::model_grid);
    ASSERT_EQ(figure.panels.size(), 1u);
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(panel.kind, Panel::Kind::mosaic);
    EXPECT_EQ(panel.rows, 6);
    EXPECT_EQ(panel.columns, 2);
    EXPECT_EQ(panel.row_axis.labels.back(), "decoder 2 → source");
    const HeadMarks& marks = *panel.marks;
    EXPECT_EQ(marks.heads[3].site, "encoder.1.self");
    EXPECT_EQ(marks.heads[3].head, 1);
    EXPECT_EQ(marks.heads[3].name, "encoder layer 2, looks at itself, head 2");
    // The largest maps of the six places are those of 10 queries and 10 keys.
    EXPECT_EQ(marks.map_rows, 10);
    EXPECT_EQ(marks.map_columns, 10);
    const Stage& weights = *trace.find("weights", "decoder.1.self");
    const auto map = trace.matrix(weights, 1);
    const auto row_of = std::ranges::find(marks.heads, std::string("decoder.1.self"), &HeadMarks::Head::site);
    const Index row = (row_of - marks.heads.begin()) / panel.columns;
    for (Index query = 0; query < 10; ++query)
        for (Index key = 0; key < 10; ++key)
            EXPECT_FLOAT_EQ(drawn_cell(panel, row * 10 + query, 10 + key),
                            static_cast<float>(map[static_cast<std::size_t>(query * 10 + key)]));
}

TEST(ModelGrid, IsSortedByAStatisticWithTheLargestFirst) {
    const Trace trace = translation();
    const Figure figure = drawn(trace, ViewKind::model_grid, {.sorted_by = "entropy"});
    const Panel& panel = figure.panels.front();
    EXPECT_TRUE(panel.marks->are_named);
    EXPECT_NE(figure.title.find("sorted by entropy"), std::string::npos) << figure.title;
    double before = std::numeric_limits<double>::infinity();
    std::size_t named = 0;
    for (std::size_t mark = 0; mark < panel.marks->heads.size(); ++mark)
        if (!panel.marks->heads[mark].name.empty()) {
            EXPECT_LE(panel.values[mark], before);
            before = panel.values[mark];
            ++named;
        }
    EXPECT_EQ(named, 12u);
    ASSERT_EQ(figure.table.names.size(), 12u);
    EXPECT_EQ(figure.table.names.front(), panel.marks->heads.front().name);
}

TEST(ModelGrid, IsFramedByAStatisticFromItsLeastToItsLargestNumber) {
    const auto trace = std::make_shared<const Trace>(translation());
    const std::vector<HeadRow> table = head_table(maps_of(trace));
    const std::size_t entropy = *find_statistic("entropy");
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const HeadRow& head : table) {
        least = std::min(least, *head.numbers[entropy]);
        most = std::max(most, *head.numbers[entropy]);
    }
    EXPECT_TRUE(drawn(*trace, ViewKind::model_grid).panels.front().marks->framed.empty());
    for (const char* sorted_by : {"", "distance"}) {
        const Figure figure =
            drawn(*trace, ViewKind::model_grid, {.sorted_by = sorted_by, .framed_by = "entropy"});
        const HeadMarks& marks = *figure.panels.front().marks;
        ASSERT_EQ(marks.framed.size(), marks.heads.size());
        for (const HeadRow& head : table) {
            const auto found = std::ranges::find_if(marks.heads, [&](const HeadMarks::Head& mark) {
                return mark.site == head.site && mark.head == head.place.head && !mark.name.empty();
            });
            ASSERT_NE(found, marks.heads.end());
            EXPECT_NEAR(marks.framed[static_cast<std::size_t>(found - marks.heads.begin())],
                        (*head.numbers[entropy] - least) / (most - least), 1e-12);
        }
        EXPECT_NE(figure.caption.find("Frames and bars: entropy, from "), std::string::npos)
            << figure.caption;
    }
}

TEST(ModelGrid, GivesEachMapItsOwnScaleWhereItIsAsked) {
    ViewSettings settings;
    settings.view = ViewKind::model_grid;
    settings.own_scales = true;
    const Figure figure = build_figure(translation(), settings);
    const Panel& panel = figure.panels.front();
    for (Index row = 0; row < 6; ++row)
        for (Index head = 0; head < 2; ++head) {
            float largest = 0;
            for (Index query = 0; query < 10; ++query)
                for (Index key = 0; key < 10; ++key)
                    largest = std::max(largest, drawn_cell(panel, row * 10 + query, head * 10 + key));
            EXPECT_EQ(largest, 1);
        }
}

TEST(ModelGrid, OfAMechanismHasItsOwnHeads) {
    Session session = example_session();
    session.mechanism = "multi_head";
    session.values["heads"] = Index(4);
    session.compared = {{"dot", {}, {}}};
    const Figure figure = drawn(run_session(session).trace, ViewKind::model_grid);
    EXPECT_EQ(figure.panels.front().rows, 1);
    EXPECT_EQ(figure.panels.front().columns, 4);
    EXPECT_EQ(figure.panels.front().marks->heads[2].name, "head 3");
}

TEST(HeadScatter, PutsEachHeadAtItsNumbers) {
    const auto trace = std::make_shared<const Trace>(translation());
    const HeadOrder order{.sorted_by = "", .across = "diagonal", .up = "entropy", .colour = "distance"};
    const Figure figure = drawn(*trace, ViewKind::scatter, order);
    const Panel& panel = figure.panels.front();
    const std::vector<HeadRow> table = head_table(maps_of(trace));
    const std::size_t across = *find_statistic("diagonal"), up = *find_statistic("entropy"),
                      colour = *find_statistic("distance");
    std::size_t mark = 0;
    for (const HeadRow& head : table) {
        if (!head.numbers[across] || !head.numbers[up])
            continue;
        ASSERT_LT(mark, panel.marks->heads.size());
        EXPECT_EQ(panel.marks->heads[mark].site, head.site);
        EXPECT_EQ(panel.marks->x[mark], *head.numbers[across]);
        EXPECT_EQ(panel.marks->y[mark], *head.numbers[up]);
        EXPECT_EQ(panel.values[mark], *head.numbers[colour]);
        ++mark;
    }
    EXPECT_EQ(mark, panel.marks->heads.size());
    EXPECT_EQ(panel.column_axis.title, "diagonal");
    EXPECT_EQ(panel.row_axis.title, "entropy (bits)");
    EXPECT_EQ(figure.bar_title, "distance (tokens)");
    EXPECT_EQ(figure.table.titles,
              (std::vector<std::string>{"head", "Diagonal", "Entropy (bits)", "Distance (tokens)"}));
    EXPECT_EQ(figure.table.names.size(), mark);
}

TEST(HeadScatter, TakesTheFirstMetricsThatNobodyAskedFor) {
    const std::vector<std::string> metrics{"a", "b", "c"};
    EXPECT_EQ(shown_metrics(metrics, {}), (ScatterAxes{"a", "b", "c"}));
    EXPECT_EQ(shown_metrics(metrics, {"c", "", "a"}), (ScatterAxes{"c", "b", "a"}));
    EXPECT_EQ(shown_metrics(metrics, {"b", "gone", ""}), (ScatterAxes{"b", "a", "c"}));
    EXPECT_EQ(shown_metrics(std::span(metrics).first(1), {}), (ScatterAxes{"a", "a", "a"}));
}

TEST(HeadScatter, OfHeadsThatLookAtNothingIsRefused) {
    Trace nothing({{"", "weights", {Axis::head, Axis::query, Axis::key}, {2, 3, 3}}});
    expect_refusal([&] { drawn(nothing, ViewKind::scatter); },
                   {"draw heads", "a head with distance and entropy"});
}

TEST(HeadNames, ArePlacesAndNumbersFromOne) {
    HeadOverview overview;
    overview.heads = {
        {"", "layer.4", {4, 10}, {}}, {"", "layer.4", {4, 11}, {}}, {"", "encoder.0.self", {0, 1}, {}}};
    const std::vector<HeadMarks::Head> marks = marks_of_heads(overview, true);
    EXPECT_EQ(marks[1].short_name, "5.12");
    EXPECT_EQ(marks[1].name, "layer 5, head 12");
    EXPECT_EQ(marks[2].short_name, "encoder 1.2");
    overview.heads = {{"", "decoder.1.query", {1, 0}, {}}, {"", "decoder.1.content", {1, 0}, {}}};
    EXPECT_EQ(marks_of_heads(overview, true)[0].short_name, "query 2.1");
    EXPECT_EQ(marks_of_heads(overview, true)[1].short_name, "content 2.1");
    overview.heads = {{"", "", {0, 2}, {}}};
    EXPECT_EQ(marks_of_heads(overview, false)[0].short_name, "3");
    EXPECT_EQ(marks_of_heads(overview, false)[0].name, "head 3");
    EXPECT_FALSE(heads_are_places(overview));
}

TEST(HeadNames, AreThoseOfPlacesWhereAHeadHasNoNumber) {
    HeadOverview overview;
    overview.heads = {{"", "L5H8", {0, 0}, {}}, {"", "L6H1", {1, 0}, {}}};
    EXPECT_TRUE(heads_are_places(overview));
    EXPECT_EQ(marks_of_heads(overview, false)[1].name, "L6H1");
    EXPECT_EQ(marks_of_heads(overview, false)[1].short_name, "L6H1");
    overview.heads = {{"", "layer.4", {4, 0}, {}}, {"", "layer.5", {5, 0}, {}}};
    EXPECT_FALSE(heads_are_places(overview));
    const std::vector<Axis> axes{Axis::query, Axis::key};
    std::vector<Stage> stages;
    stages.push_back({"L5H8", "weights", axes, {3, 3}});
    stages.push_back({"L6H1", "weights", axes, {3, 3}});
    Trace called(std::move(stages));
    for (const Stage& stage : called.stages())
        std::ranges::fill(called.values(stage), 1.0 / 3);
    for (const ViewKind view : {ViewKind::model_grid, ViewKind::statistics}) {
        const Panel panel = drawn(called, view).panels.front();
        EXPECT_EQ(panel.column_axis.title, "");
        EXPECT_EQ(panel.column_axis.hidden, std::vector<bool>{true});
        EXPECT_EQ(panel.row_axis.labels, (std::vector<std::string>{"L5H8", "L6H1"}));
    }
}

}  // namespace

}  // namespace headlight::build_figure_heads_test
