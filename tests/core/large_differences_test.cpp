// Differences of maps that are too large to be kept: the numbers of the difference by its definition, at
// every zoom, of whatever is compared.

#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/figure/comparison.h"
#include "core/figure/fit_scales.h"
#include "core/io/compared_run.h"
#include "core/io/compared_traces.h"
#include "core/io/session_run.h"
#include "core/map/aligned_maps.h"
#include "core/map/derived_maps.h"
#include "core/map/lazy_run.h"
#include "core/map/maps_trace.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>

namespace headlight::large_differences_test {

using namespace test;

namespace {

using Extents = MapSource::Extents;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr Index tokens = 2'300;

std::shared_ptr<const MapSource> generated(GeneratedMaps::Number number, Index count = tokens) {
    return std::make_shared<GeneratedMaps>(Extents{1, 2, count, count}, std::move(number));
}

double shifted(MapPlace place, Index query, Index key) { return scattered(place, query + 7, key); }

Trace large(const std::string& name, GeneratedMaps::Number number, Index count = tokens) {
    return trace_of(std::vector{LabelledMaps{"", generated(std::move(number), count), {}}}, name);
}

LargeMap that_waits(std::shared_ptr<const MapSource> maps, MapPlace place = {}) {
    LargeMap map{std::make_shared<const MapTiles>(std::move(maps)), place};
    map.waits = true;
    return map;
}

ViewSettings differing(ViewKind view) {
    ViewSettings settings;
    settings.view = view;
    settings.differences = true;
    return settings;
}

/// Some rows of what a panel shows, read from its tiles, against `expected` of each cell.
void expect_numbers(const Panel& panel, const GeneratedMaps::Number& expected) {
    ASSERT_TRUE(panel.large) << panel.title;
    std::vector<double> row(static_cast<std::size_t>(panel.columns));
    for (const Index query : {Index(0), panel.rows / 3, panel.rows - 1}) {
        panel.large->tiles->maps()->read_rows(panel.large->place, query, 1, row);
        for (Index key = 0; key < panel.columns; ++key)
            ASSERT_NEAR(row[static_cast<std::size_t>(key)], expected({0, panel.head}, query, key), 1e-12);
    }
}

// The source

TEST(DifferenceOfMaps, SubtractsOneMapFromEachWhereItIsNamed) {
    const auto maps = generated(scattered, 40);
    const auto difference = difference_of(maps, maps, {0, 1});
    const auto first = map_of(*difference, {0, 0}), second = map_of(*difference, {0, 1});
    for (Index query = 0; query < 40; ++query)
        for (Index key = 0; key < 40; ++key) {
            const auto at = static_cast<std::size_t>(query * 40 + key);
            EXPECT_EQ(first[at], scattered({0, 0}, query, key) - scattered({0, 1}, query, key));
            EXPECT_EQ(second[at], 0);
        }
    expect_refusal([&] { difference_of(maps, generated(scattered, 41), {}); }, {"40 × 40", "[1, 2, 41, 41]"});
    expect_refusal([&] { difference_of(maps, maps, {0, 2}); }, {"head 3", "[1, 2, 40, 40]"});
}

TEST(DifferenceOfMaps, LeavesWhatBothForbidForbidden) {
    EXPECT_EQ(difference_of(minus_infinity, minus_infinity), minus_infinity);
    EXPECT_EQ(difference_of(1, minus_infinity), -minus_infinity);
    EXPECT_EQ(difference_of(0.25, 1), -0.75);
    EXPECT_TRUE(std::isnan(difference_of(missing, missing)));
    EXPECT_TRUE(std::isnan(difference_of(minus_infinity, missing)));
}

TEST(DifferenceOfMaps, IsFoldedAsItsNumbersAre) {
    const auto difference = difference_of(generated(scattered, 300), generated(shifted, 300));
    constexpr Index first = 64, count = 130, width = 16, cells = (300 + width - 1) / width;
    std::vector<FoldedCell> folded(static_cast<std::size_t>((count + width - 1) / width * cells));
    difference->read_folded({0, 1}, first, count, width, folded);
    for (std::size_t cell = 0; cell < folded.size(); ++cell) {
        const Index top = first + static_cast<Index>(cell) / cells * width,
                    left = static_cast<Index>(cell) % cells * width;
        double maximum = minus_infinity, least = 0, sum = 0;
        for (Index query = top; query < std::min(top + width, first + count); ++query)
            for (Index key = left; key < std::min<Index>(left + width, 300); ++key) {
                const double number = scattered({0, 1}, query, key) - shifted({0, 1}, query, key);
                maximum = std::max(maximum, number);
                least = std::min(least, number);
                sum += number;
            }
        EXPECT_EQ(folded[cell].maximum, maximum);
        EXPECT_EQ(folded[cell].least, least);
        EXPECT_NEAR(folded[cell].sum, sum, 1e-9);
    }
}

// What is seen of it

TEST(LargeDifference, ShowsOneCellOfEitherSignAtEveryZoom) {
    std::mt19937 random(11);
    const auto below = [&](Index end) { return static_cast<Index>(random() % static_cast<unsigned>(end)); };
    for (Index turn = 0; turn < (is_sanitized ? 2 : 16); ++turn) {
        const Index bright_row = below(tokens), bright_column = below(tokens);
        const double sign = turn % 2 == 0 ? 1 : -1;
        LargeMap map = that_waits(
            difference_of(generated([=](MapPlace, Index query, Index key) {
                              return 0.5 + (query == bright_row && key == bright_column ? sign : 0.0);
                          }),
                          generated([](MapPlace, Index, Index) { return 0.5; })));
        for (Index zoom = 0; zoom < 12; ++zoom) {
            const Index rows = zoom == 0 ? tokens : 1 + below(tokens),
                        columns = zoom == 0 ? tokens : 1 + below(tokens);
            map.first_row = std::clamp<Index>(bright_row - below(rows), 0, tokens - rows);
            map.first_column = std::clamp<Index>(bright_column - below(columns), 0, tokens - columns);
            const SeenMap seen = seen_map(map, rows, columns, 1 + below(300), 1 + below(300));
            const Index row = ((bright_row - map.first_row + 1) * seen.rows - 1) / rows;
            const Index column = ((bright_column - map.first_column + 1) * seen.columns - 1) / columns;
            ASSERT_EQ(seen.furthest[static_cast<std::size_t>(row * seen.columns + column)],
                      static_cast<float>(sign))
                << rows << " x " << columns << " in " << seen.rows << " x " << seen.columns;
        }
    }
}

/// The number of each block of 2^level x 2^level that is furthest from 0, by looking at all.
float furthest_by_definition(const GeneratedMaps::Number& number, Index count, Index level, Index row,
                             Index column) {
    double furthest = 0;
    bool has_number = false;
    for (Index query = row << level; query < std::min((row + 1) << level, count); ++query)
        for (Index key = column << level; key < std::min((column + 1) << level, count); ++key)
            if (const double each = number({}, query, key);
                !std::isnan(each) && (!has_number || std::abs(each) > std::abs(furthest))) {
                furthest = each;
                has_number = true;
            }
    return has_number ? static_cast<float>(furthest) : static_cast<float>(missing);
}

TEST(LargeDifference, IsTheDenseDifferenceAtEveryLevel) {
    constexpr Index few = 2'100;  // more than are made at once
    const auto partly = [](MapPlace place, Index query, Index key) {
        return query % 5 == 3 || key % 7 == 2 ? missing : shifted(place, query, key);  // no partner
    };
    const auto dense = [&](MapPlace place, Index query, Index key) {
        return scattered(place, query, key) - partly(place, query, key);
    };
    const LargeMap map = that_waits(difference_of(generated(scattered, few), generated(partly, few)));
    std::mt19937 random(3);
    for (Index level = 0; level < map.tiles->levels().count(); ++level)
        for (int turn = 0; turn < (level < 7 ? (is_sanitized ? 10 : 40) : 2); ++turn) {
            const Index cells = ((few - 1) >> level) + 1;
            const auto row = static_cast<Index>(random() % static_cast<unsigned>(cells)),
                       column = static_cast<Index>(random() % static_cast<unsigned>(cells));
            const auto tile = map.tiles->tile({}, level, row / MapTile::side, column / MapTile::side);
            const auto at =
                static_cast<std::size_t>(row % MapTile::side * tile->columns + column % MapTile::side);
            const float least = tile->least.empty() ? 0 : tile->least[at], most = tile->maxima[at];
            const float expected = furthest_by_definition(dense, few, level, row, column);
            if (std::isnan(expected))
                EXPECT_TRUE(std::isnan(most));
            else
                EXPECT_NEAR(-least > most ? least : most, expected, 1e-6) << level;
        }
}

TEST(LargeMap, WithNegativeNumbersThatNobodyHasDeclaredShowsThem) {
    const LargeMap map = that_waits(generated([](MapPlace, Index query, Index key) {
        return query == 1'234 && key == 2'001 ? -0.9 : query == 2'299 && key == 4 ? 0.5 : 0.01;
    }));
    EXPECT_FALSE(map.is_signed()) << "nobody has looked";
    const SeenMap seen = seen_map(map, tokens, tokens, 10, 10);
    EXPECT_TRUE(map.is_signed());
    EXPECT_EQ(std::ranges::count(seen.furthest, -0.9F), 1);
    EXPECT_EQ(std::ranges::count(seen.furthest, 0.5F), 1);
    // Tiles without negative numbers have no memory for them.
    const auto least = [&](Index row, Index column) {
        return map.tiles->tile({}, 0, row, column)->least.size();
    };
    EXPECT_EQ(least(0, 0), 0u);
    EXPECT_EQ(least(1'234 / MapTile::side, 2'001 / MapTile::side),
              static_cast<std::size_t>(MapTile::side * MapTile::side));
}

TEST(LargeMap, WithNegativeNumbersHasColoursAroundZeroOnceTheyAreKnown) {
    const auto signed_numbers = [](MapPlace, Index query, Index key) {
        return query == 100 && key == 200 ? -0.25 : 0.125;
    };
    for (const ColourRange& range : {ColourRange(RangeKind::unit), ColourRange(RangeKind::fitted),
                                     ColourRange(RangeKind::numbers, 0, 0.1)}) {
        ViewSettings settings = differing(ViewKind::heatmap);
        settings.range = range;
        Figure figure = build_figure(large("signed", signed_numbers), settings);
        EXPECT_EQ(figure.panels.front().scale.map, "viridis");
        complete_large_maps(figure, range);
        const ColourScale& scale = figure.panels.front().scale;
        EXPECT_EQ(scale.map, "diverging");
        EXPECT_EQ(scale.low, -0.25);
        EXPECT_EQ(scale.high, 0.25);
        EXPECT_NE(figure.caption.find("furthest from 0"), std::string::npos) << figure.caption;
        EXPECT_EQ(figure.caption.find("largest weight"), std::string::npos) << figure.caption;
    }
    const ColourRange asked(RangeKind::numbers, -0.5, 0.5);
    ViewSettings settings = differing(ViewKind::heatmap);
    settings.range = asked;
    Figure figure = build_figure(large("signed", signed_numbers), settings);
    complete_large_maps(figure, asked);
    EXPECT_EQ(figure.panels.front().scale.high, 0.5);
}

// In figures

TEST(LargeDifference, OfTwoCapturesIsDrawnInHeatmapAndHeads) {
    const Trace first = large("a", scattered), second = large("b", shifted);
    const auto expected = [](MapPlace place, Index query, Index key) {
        return scattered(place, query, key) - shifted(place, query, key);
    };
    for (const ViewKind kind : {ViewKind::heatmap, ViewKind::grid}) {
        const ViewSettings settings = differing(kind);
        Figure figure = build_changed_figure(first, second, settings);
        ASSERT_EQ(figure.panels.size(), kind == ViewKind::grid ? 2u : 1u);
        for (const Panel& panel : figure.panels) {
            expect_numbers(panel, expected);
            EXPECT_EQ(panel.subtitle, kind == ViewKind::grid ? "" : "a − b");
        }
        EXPECT_EQ(figure.subtitle, kind == ViewKind::grid ? "a − b" : "") << "once above several heads";
        EXPECT_NE(figure.caption.find("difference under it that is furthest from 0"), std::string::npos);
        complete_large_maps(figure, settings.range);
        const ColourScale& scale = figure.panels.back().scale;
        EXPECT_EQ(scale.map, "diverging");
        EXPECT_EQ(scale.low, -scale.high);
        EXPECT_GT(scale.high, 0.99);
        EXPECT_LT(scale.high, 1);
        // The tiles stay for the next picture of the two.
        EXPECT_EQ(build_changed_figure(first, second, settings).panels.back().large->tiles,
                  figure.panels.back().large->tiles);
    }
    ViewSettings alone = differing(ViewKind::heatmap);
    alone.differences = false;
    EXPECT_FALSE(build_changed_figure(first, second, alone).panels.front().large->rounding);
}

TEST(Difference, SaysHowTokensArePairedOnlyWhereBothTextsAreDrawn) {
    const auto named = [](std::vector<std::string> words) {
        return LabelledMaps{"", generated(scattered, 3), {std::move(words), {}, {}, {}}};
    };
    const ComparedTraces traces = compared_traces(NamedMaps{"a", {named({"the", "cat", "sat"})}},
                                                  NamedMaps{"b", {named({"un", "chat", "dort"})}});
    const auto is_said = [&](const ViewSettings& settings) {
        const Figure figure = build_changed_figure(traces.trace, *traces.other, settings);
        return figure.caption.find(paired_by_places) != std::string::npos;
    };
    ViewSettings settings = differing(ViewKind::heatmap);
    EXPECT_TRUE(is_said(settings));
    EXPECT_TRUE(is_said(differing(ViewKind::compare)));
    settings.differences = false;
    EXPECT_FALSE(is_said(settings));
    settings.view = ViewKind::model_grid;
    EXPECT_FALSE(is_said(settings));
    settings.heads.sorted_by = "change";
    EXPECT_TRUE(is_said(settings));
    settings.view = ViewKind::scatter;
    EXPECT_FALSE(is_said(settings));
    settings.heads.up = "change";
    EXPECT_TRUE(is_said(settings));
}

TEST(LargeDifference, StandsBesideTheTwoMapsInCompare) {
    ViewSettings settings = differing(ViewKind::compare);
    settings.selection.head = 1;
    for (const bool own_scales : {false, true}) {
        settings.own_scales = own_scales;
        settings.range = RangeKind::fitted;
        const auto dim = [](MapPlace place, Index query, Index key) {
            return 0.25 * shifted(place, query, key);
        };
        Figure figure = build_changed_figure(large("a", scattered), large("b", dim), settings);
        ASSERT_EQ(figure.panels.size(), 3u);
        EXPECT_EQ(figure.panels[0].title, "a");
        EXPECT_EQ(figure.panels[1].title, "b");
        EXPECT_EQ(figure.panels[2].title, "first − second");
        expect_numbers(figure.panels[0], scattered);
        expect_numbers(figure.panels[1], dim);
        expect_numbers(figure.panels[2], [&](MapPlace place, Index query, Index key) {
            return scattered(place, query, key) - dim(place, query, key);
        });
        complete_large_maps(figure, settings.range);
        EXPECT_EQ(figure.panels[0].scale == figure.panels[1].scale, !own_scales);
        EXPECT_NEAR(figure.panels[0].scale.high, 1, 1e-3);
        EXPECT_NEAR(figure.panels[1].scale.high, own_scales ? 0.25 : 1, 1e-3);
        EXPECT_EQ(figure.panels[2].scale.low, -figure.panels[2].scale.high);
    }
}

TEST(LargeDifference, OfWhatIsTheSameLooksTheSame) {
    const ViewSettings settings = differing(ViewKind::heatmap);
    const auto nearly = [](MapPlace place, Index query, Index key) {
        return scattered(place, query, key) + 1e-12 * (static_cast<double>(key % 3) - 1);
    };
    Figure figure = build_changed_figure(large("a", scattered), large("b", nearly), settings);
    complete_large_maps(figure, settings.range);
    EXPECT_EQ(figure.panels.front().scale.high, 1) << "rounding is no difference";
}

TEST(LargeDifference, OfMapsOfOtherSizesIsRefusedWithBoth) {
    for (const ViewKind view : {ViewKind::heatmap, ViewKind::compare})
        expect_refusal(
            [&] {
                build_changed_figure(large("a", scattered), large("b", scattered, 2'400), differing(view));
            },
            {"difference", "2300 × 2300", "2400 × 2400"});
}

// Differences of runs

Session session_of(Index count, const std::string& first_word) {
    Session session;
    session.sequence.query_text = first_word;
    for (Index i = 1; i < count; ++i)
        session.sequence.query_text += " w" + std::to_string(i % 97);
    session.sequence.vectors.kind = VectorKind::hashed;
    session.sequence.vectors.dimension = 4;
    session.view.view = ViewKind::heatmap;
    session.figure.differences = true;
    return session;
}

/// Weights of the session's mechanism, all of them.
std::vector<double> weights_of(const Session& session) {
    const auto own = std::make_shared<const Plan>(
        plan(session_spec(session), session_inputs(session), {.seed = session.seed}));
    const Trace trace = record(own);
    const auto values = trace.values(*trace.find("weights"));
    return {values.begin(), values.end()};
}

TEST(LargeDifference, OfTwoLongTextsIsThatOfTheirRuns) {
    constexpr Index count = 2'100;
    Session session = session_of(count, "red");
    Session other = session_of(count, "blue");
    session.counterpart = Counterpart{Counterpart::Kind::text, other.sequence.query_text};
    const SessionRun run = run_session(session);
    ASSERT_TRUE(run.untouched);
    ASSERT_TRUE(run.trace.find("weights")->is_large());
    const Figure figure = build_changed_figure(run.trace, *run.untouched, view_settings(session));
    const std::vector<double> first = weights_of(session), second = weights_of(other);
    expect_numbers(figure.panels.front(), [&](MapPlace, Index query, Index key) {
        const auto at = static_cast<std::size_t>(query * count + key);
        return first[at] - second[at];
    });
}

TEST(LargeDifference, OfTextsOfOtherLengthsHasNoNumberWhereATokenHasNoPartner) {
    constexpr Index count = 2'100;
    Session session = session_of(count, "red");
    Session other = session;
    other.sequence.query_text = "one " + session.sequence.query_text;
    session.counterpart = Counterpart{Counterpart::Kind::text, other.sequence.query_text};
    const SessionRun run = run_session(session);
    const Figure figure = build_changed_figure(run.trace, *run.untouched, view_settings(session));
    const std::vector<double> first = weights_of(session), second = weights_of(other);
    expect_numbers(figure.panels.front(), [&](MapPlace, Index query, Index key) {
        return first[static_cast<std::size_t>(query * count + key)] -
               second[static_cast<std::size_t>((query + 1) * (count + 1) + key + 1)];
    });
    EXPECT_NE(figure.caption.find("1 token of the second text has no partner."), std::string::npos)
        << figure.caption;
    // A stage that the other text has no maps of is drawn as it is.
    ViewSettings scores = view_settings(session);
    scores.selection.stage = "scores";
    EXPECT_FALSE(build_changed_figure(run.trace, *run.untouched, scores).panels.front().large->rounding);
}

TEST(LargeDifference, OfMechanismsIsThatOfTheirRuns) {
    constexpr Index count = 70;
    Session session = session_of(count, "red");
    session.compared = {{"causal", {}, {}}, {"dot", {}, {}}, {"retention", {}, {}}};
    const auto planned = [&](Keeps keeps) {
        return std::make_shared<const Plan>(
            plan(session_spec(session), session_inputs(session), {.seed = session.seed, .keeps = keeps}));
    };
    const auto dense_plan = planned(Keeps::trace), lazy_plan = planned(Keeps::rows);
    Comparison dense = plan_comparison(session, dense_plan), lazy = plan_comparison(session, lazy_plan);
    EXPECT_TRUE(dense[3].plan);
    ASSERT_TRUE(lazy[3].refusal) << "a recurrence has no rows of its own";
    EXPECT_NE(std::string(lazy[3].refusal->what()).find("70 × 70 tokens"), std::string::npos)
        << lazy[3].refusal->what();
    ASSERT_TRUE(lazy[1].plan && lazy[2].plan);
    EXPECT_EQ(lazy[1].plan->keeps, Keeps::rows);

    std::atomic<double> told = 0;
    const Trace of_dense = *run_comparison(dense, record(dense_plan));
    const Trace of_lazy = *run_comparison(lazy, record_as_planned(lazy_plan), {},
                                          [&](double share) { told = std::max(told.load(), share); });
    EXPECT_DOUBLE_EQ(told, 2.0 / 3) << "the third could not be planned";
    for (const std::string& name : {mechanism("causal").name, mechanism("dot").name})
        ASSERT_TRUE(of_lazy.find("weights", name)->is_large()) << name;
    const ViewSettings settings = differing(ViewKind::compare);
    const Figure expected = build_figure(of_dense, settings), figure = build_figure(of_lazy, settings);
    const auto panel_of = [](const Figure& of, const std::string& site, bool is_difference) {
        for (const Panel& panel : of.panels)
            if (!panel.blank && panel.site == site && (panel.title == "Difference") == is_difference)
                return panel;
        ADD_FAILURE() << site;
        return Panel();
    };
    for (const std::string& name : {mechanism("causal").name, mechanism("dot").name})
        for (const bool is_difference : {false, true}) {
            const Panel numbers = panel_of(expected, name, is_difference);
            expect_numbers(panel_of(figure, name, is_difference), [&](MapPlace, Index query, Index key) {
                return numbers.values[static_cast<std::size_t>(query * count + key)];
            });
        }
    EXPECT_EQ(
        std::ranges::count_if(figure.panels, [](const Panel& panel) { return panel.large.has_value(); }), 5)
        << "three maps and two differences; what is blank asks for no tiles";
    Figure complete = figure;
    complete_comparison(complete, lazy, 0);
    EXPECT_NE(complete.caption.find("Statistics of maps of this size are not counted here."),
              std::string::npos);
}

}  // namespace

}  // namespace headlight::large_differences_test
