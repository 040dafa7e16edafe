// Which depths there are, where a place between two of them is, and where their pictures are drawn then.

#include "core/workbench/depth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace headlight::workbench_depth_test { namespace {

using Stops = std::vector<DepthStop>;

const Stops all_stops(all_depths.begin(), all_depths.end());

struct Known {
    const char* name;
    DepthFacts facts;
    Stops stops;
};

class DepthStops : public testing::TestWithParam<Known> {};

TEST_P(DepthStops, AreThoseThatThereIsSomethingToSeeAt) {
    EXPECT_EQ(depth_stops(GetParam().facts), GetParam().stops);
}

INSTANTIATE_TEST_SUITE_P(Of, DepthStops,
                         testing::Values(Known{"mechanism", {true, true, true, true}, all_stops},
                                         Known{"one_head",
                                               {false, true, true, true},
                                               {DepthStop::model, DepthStop::head, DepthStop::matrix,
                                                DepthStop::cell, DepthStop::arithmetic, DepthStop::formula}},
                                         Known{"computed_elsewhere",
                                               {true, true, true, false},
                                               {DepthStop::model, DepthStop::layer, DepthStop::head,
                                                DepthStop::matrix, DepthStop::cell}},
                                         Known{"weights_alone",
                                               {true, false, false, false},
                                               {DepthStop::model, DepthStop::layer, DepthStop::matrix}},
                                         Known{"nothing", {}, {DepthStop::model, DepthStop::matrix}}),
                         [](const auto& row) { return row.param.name; });

TEST(Depths, ViewsAreAtTheStopThatTheyWereBroughtTo) {
    ViewState view;
    view.selection.stage = "scores";
    for (const DepthStop from : all_stops)
        for (const DepthStop to : all_stops) {
            const ViewState there = at_depth(at_depth(view, from, all_stops), to, all_stops);
            EXPECT_EQ(depth_of(there), to) << depth_name(from) << " " << depth_name(to);
            EXPECT_EQ(there.selection, view.selection);
        }
}

TEST(Depths, InThenOutIsTheSameState) {
    for (const Stops& stops : {all_stops, depth_stops({}), depth_stops({.is_explained = true})})
        for (std::size_t at = 0; at + 1 < stops.size(); ++at) {
            const ViewState here = at_depth({}, stops[at], stops);
            EXPECT_EQ(at_depth(at_depth(here, stops[at + 1], stops), stops[at], stops), here);
        }
}

TEST(Depths, ArithmeticStandsBesideTheNearestPicture) {
    EXPECT_EQ(at_depth({}, DepthStop::arithmetic, all_stops).view, ViewKind::query_key);
    EXPECT_EQ(at_depth({}, DepthStop::arithmetic, depth_stops({.is_explained = true})).view,
              ViewKind::heatmap);
    EXPECT_EQ(at_depth({}, DepthStop::formula, all_stops).level, Level::formula);
}

TEST(Depths, LevelsAreThoseThatStandBesideAPicture) {
    for (const DepthStop stop : all_stops) {
        EXPECT_EQ(at_depth({}, stop, all_stops).level, level_of(stop)) << depth_name(stop);
        EXPECT_EQ(level_of(stop).has_value(), stop > DepthStop::cell) << depth_name(stop);
    }
    EXPECT_EQ(level_of(DepthStop::arithmetic), Level::arithmetic);
    EXPECT_EQ(level_of(DepthStop::formula), Level::formula);
}

TEST(Depths, OtherLevelsLeaveTheStopThatThePictureIs) {
    for (const Level level : {Level::box, Level::parts, Level::tensors, Level::spreadsheet, Level::code})
        for (const DepthStop stop :
             {DepthStop::model, DepthStop::layer, DepthStop::head, DepthStop::matrix, DepthStop::cell}) {
            ViewState view = at_depth({}, stop, all_stops);
            view.level = level;
            EXPECT_EQ(depth_of(view), stop) << depth_name(stop);
            // The page stays open while the picture beside it changes, until another level is asked for.
            EXPECT_EQ(at_depth(view, DepthStop::head, all_stops).level, level);
            EXPECT_EQ(at_depth(view, DepthStop::arithmetic, all_stops).level, Level::arithmetic);
        }
}

TEST(Depths, ArithmeticAndFormulaAreStopsBesideAnyPicture) {
    for (const ViewKind picture : {ViewKind::map, ViewKind::grid, ViewKind::stages, ViewKind::heatmap,
                                   ViewKind::steps, ViewKind::query_key})
        for (const DepthStop stop : {DepthStop::arithmetic, DepthStop::formula}) {
            ViewState view;
            view.view = picture;
            view.level = level_of(stop);
            EXPECT_EQ(depth_of(view), stop) << picture.word();
            const ViewState cell = at_depth(view, DepthStop::cell, all_stops);
            EXPECT_EQ(cell.view, ViewKind::query_key);
            EXPECT_FALSE(cell.level);
        }
}

TEST(Depths, OtherViewsAreNoStop) {
    ViewState view;
    for (const ViewKind kind : {ViewKind::lines, ViewKind::text, ViewKind::compare, ViewKind::scatter}) {
        view.view = kind;
        for (const std::optional<Level>& level :
             {std::optional<Level>(), std::optional(Level::box), std::optional(Level::arithmetic)}) {
            view.level = level;
            EXPECT_FALSE(depth_of(view)) << kind.word();
        }
    }
}

TEST(Depths, AMatrixThatGrowsStepByStepIsAMatrix) {
    ViewState steps;
    steps.view = ViewKind::steps;
    EXPECT_EQ(depth_of(steps), DepthStop::matrix);
    EXPECT_EQ(at_depth(steps, DepthStop::matrix, all_stops), steps);
    EXPECT_EQ(at_depth(steps, DepthStop::cell, all_stops).view, ViewKind::query_key);
    EXPECT_EQ(at_depth(steps, DepthStop::head, all_stops).view, ViewKind::stages);
    // Where cells have no products the words stand beside the steps.
    const std::vector<DepthStop> without_cells = depth_stops({.is_explained = true});
    const ViewState words = at_depth(steps, DepthStop::arithmetic, without_cells);
    EXPECT_EQ(words.view, ViewKind::steps);
    EXPECT_EQ(depth_of(words), DepthStop::arithmetic);
    EXPECT_EQ(at_depth(words, DepthStop::matrix, without_cells), steps);
}

TEST(Depths, EachHasAName) {
    std::set<std::string> names;
    for (const DepthStop stop : all_stops) {
        names.insert(depth_name(stop));
        for (const std::string& words : {depth_shows(stop), depth_lacks(stop)}) {
            ASSERT_FALSE(words.empty());
            EXPECT_NE(words.back(), '.');
        }
    }
    EXPECT_EQ(std::ssize(names), depth_count);
}

TEST(Depths, EachSaysWhichTabsShowIt) {
    EXPECT_EQ(depth_tabs(DepthStop::model), "Map");
    EXPECT_EQ(depth_tabs(DepthStop::layer), "Heads");
    EXPECT_EQ(depth_tabs(DepthStop::head), "Stages");
    EXPECT_EQ(depth_tabs(DepthStop::matrix), "Heatmap or Steps");
    for (const DepthStop stop : all_stops)
        EXPECT_EQ(depth_tabs(stop).empty(), level_of(stop).has_value()) << depth_name(stop);
}

TEST(Depths, PlacesAreStopsAndFractions) {
    for (double place = 0; place <= 4; place += 0.25) {
        const Depth depth = depth_at(place, 5);
        EXPECT_DOUBLE_EQ(depth.place(), place);
        EXPECT_GE(depth.fraction, 0);
        EXPECT_LT(depth.fraction, 1);
    }
    EXPECT_EQ(depth_at(-3, 5), (Depth{0, 0}));
    EXPECT_EQ(depth_at(9, 5), (Depth{4, 0}));
    EXPECT_EQ(depth_at(2, 0), (Depth{0, 0}));
}

struct Settled {
    double place;
    Index here, stop;
};

class SettledStops : public testing::TestWithParam<Settled> {};

TEST_P(SettledStops, AreLeftHalfWay) {
    EXPECT_EQ(settled_stop(GetParam().place, GetParam().here), GetParam().stop);
}

INSTANTIATE_TEST_SUITE_P(Of, SettledStops,
                         testing::Values(Settled{2, 2, 2}, Settled{2.49, 2, 2}, Settled{2.5, 2, 3},
                                         Settled{1.51, 2, 2}, Settled{1.5, 2, 1}, Settled{4.6, 2, 5},
                                         Settled{0, 3, 0}, Settled{2.5, 3, 2}));

TEST(Depths, TheScaleOfSevenIsMonotoneAndInvertible) {
    for (const Stops& stops :
         {all_stops, depth_stops({}), depth_stops({.has_stages = true, .is_explained = true})}) {
        double before = -1;
        const Index count = std::ssize(stops);
        for (double place = 0; place <= static_cast<double>(count - 1); place += 0.125) {
            const Depth depth = depth_at(place, count);
            const double scale = on_depth_scale(stops, depth);
            EXPECT_GT(scale, before);
            before = scale;
            EXPECT_NEAR(from_depth_scale(stops, scale).place(), place, 1e-12);
        }
        EXPECT_EQ(on_depth_scale(stops, depth_at(9, count)), static_cast<double>(stops.back()));
        EXPECT_EQ(from_depth_scale(stops, 6.0).place(), static_cast<double>(count - 1));
        EXPECT_EQ(from_depth_scale(stops, -1.0).place(), 0);
    }
}

// Pictures

double moved_x(const PictureMove& move, double x) { return move.scale * x + move.across; }
double moved_y(const PictureMove& move, double y) { return move.scale * y + move.down; }

constexpr PictureRect zoom_area{0, 0, 900, 600};

class ZoomParts : public testing::TestWithParam<PictureRect> {};

TEST_P(ZoomParts, BeginWithTheOuterPictureAndEndWithTheInnerOne) {
    const ZoomMoves begin = zoom_moves(GetParam(), zoom_area, 0), end = zoom_moves(GetParam(), zoom_area, 1);
    EXPECT_NEAR(begin.outer.scale, 1, 1e-9);
    EXPECT_NEAR(begin.outer.across, 0, 1e-9);
    EXPECT_NEAR(begin.outer.down, 0, 1e-9);
    EXPECT_EQ(begin.inner_opacity, 0);
    EXPECT_NEAR(end.inner.scale, 1, 1e-9);
    EXPECT_NEAR(end.inner.across, 0, 1e-9);
    EXPECT_NEAR(end.inner.down, 0, 1e-9);
    EXPECT_EQ(end.inner_opacity, 1);
}

TEST_P(ZoomParts, KeepTheMiddleOfThePartUnderThatOfTheInnerPicture) {
    const PictureRect& part = GetParam();
    for (double fraction = 0; fraction <= 1; fraction += 0.1) {
        const ZoomMoves moves = zoom_moves(part, zoom_area, fraction);
        if (moves.outer.scale == 1 && moves.inner.scale == 1)
            continue;  // they fade where they are
        EXPECT_NEAR(moved_x(moves.outer, part.x + part.width / 2), moved_x(moves.inner, 450), 1e-9);
        EXPECT_NEAR(moved_y(moves.outer, part.y + part.height / 2), moved_y(moves.inner, 300), 1e-9);
        // The whole part lies in the inner picture.
        EXPECT_GE(moves.inner.scale * zoom_area.width + 1e-9, moves.outer.scale * part.width);
        EXPECT_GE(moves.inner.scale * zoom_area.height + 1e-9, moves.outer.scale * part.height);
    }
}

TEST_P(ZoomParts, GrowByTheSameFactorInEachStep) {
    double before = 0, opacity = -1;
    for (int step = 0; step <= 8; ++step) {
        const ZoomMoves moves = zoom_moves(GetParam(), zoom_area, step / 8.0);
        EXPECT_GE(moves.outer.scale, before);
        EXPECT_GT(moves.inner_opacity, opacity);
        before = moves.outer.scale;
        opacity = moves.inner_opacity;
        const double whole = zoom_moves(GetParam(), zoom_area, 1).outer.scale;
        EXPECT_NEAR(moves.outer.scale, std::pow(whole, step / 8.0), 1e-9 * whole);
        EXPECT_NEAR(moves.outer.scale / moves.inner.scale, whole, 1e-9 * whole);
    }
}

INSTANTIATE_TEST_SUITE_P(Of, ZoomParts,
                         testing::Values(PictureRect{100, 80, 90, 60}, PictureRect{0, 0, 30, 200},
                                         PictureRect{700, 500, 300, 10}, PictureRect{450, 300, 1, 1}));

TEST(Zooms, OfAPartThatFillsTheAreaFadeWhereTheyAre) {
    for (const PictureRect& part :
         {zoom_area, PictureRect{0, 100, 900, 40}, PictureRect{-5, -5, 1000, 700}}) {
        const ZoomMoves moves = zoom_moves(part, zoom_area, 0.3);
        EXPECT_EQ(moves.outer.scale, 1);
        EXPECT_EQ(moves.outer.across, 0);
        EXPECT_EQ(moves.inner.scale, 1);
        EXPECT_NEAR(moves.inner_opacity, 0.3, 1e-12);
    }
}

TEST(Zooms, OfNothingAreFinite) {
    const ZoomMoves moves = zoom_moves({}, zoom_area, 0.5);
    EXPECT_TRUE(std::isfinite(moves.outer.scale) && std::isfinite(moves.inner.across));
}

}}  // namespace headlight::workbench_depth_test
