// Weights drawn without some keys: the lens on what heads do beside resting on the first token.

#include "core/analysis/displayed_weights.h"
#include "core/figure/build_figure.h"
#include "core/figure/fit_scales.h"
#include "core/figure/notes.h"
#include "core/figure/view.h"
#include "core/io/capture_file.h"
#include "core/io/image_session.h"
#include "core/io/session_capture.h"
#include "core/io/session_run.h"
#include "core/map/hidden_keys.h"
#include "core/map/maps_trace.h"
#include "core/map/trace_maps.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"
#include "tests/support/sample_pictures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace headlight::hidden_keys_test {

using namespace test;

namespace {

TEST(HiddenKeys, ShareTheirWeightOutAmongTheOthersOfTheRow) {
    const MapWithoutKeys seen = without_keys({0.5, 0.3, 0.2, 0.1, 0.1, 0.8}, 2, 3, std::vector<Index>{0});
    EXPECT_TRUE(std::isnan(seen.weights[0]));
    EXPECT_DOUBLE_EQ(seen.weights[1], 0.6);
    EXPECT_DOUBLE_EQ(seen.weights[2], 0.4);
    EXPECT_TRUE(std::isnan(seen.weights[3]));
    EXPECT_DOUBLE_EQ(seen.weights[4] + seen.weights[5], 1);
    EXPECT_DOUBLE_EQ(seen.hidden_mass, 0.3);
}

TEST(HiddenKeys, LeaveNothingOfARowThatHadNothingElse) {
    const MapWithoutKeys seen = without_keys({1, 0, 0, 0}, 2, 2, std::vector<Index>{0, 7});
    EXPECT_TRUE(std::isnan(seen.weights[1]));
    EXPECT_EQ(seen.weights[3], 0);  // a row of zeros stays one
    EXPECT_DOUBLE_EQ(seen.hidden_mass, 1);
}

TEST(HiddenKeys, CountNegativeWeightsByTheirSize) {
    const MapWithoutKeys seen = without_keys({-0.5, 0.25, -0.25}, 1, 3, std::vector<Index>{0});
    EXPECT_DOUBLE_EQ(seen.weights[1], 0.5);
    EXPECT_DOUBLE_EQ(seen.weights[2], -0.5);
    EXPECT_DOUBLE_EQ(seen.hidden_mass, 0.5);
}

TEST(HiddenKeys, AreSaidInTheCaptionAndLeaveTheScale) {
    const Trace trace =
        captured_traces({.file = HEADLIGHT_SOURCE_DIR "/tests/support/captures/causal.npz"}).trace;
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.range = RangeKind::fitted;
    settings.hidden_keys = {0};
    const Figure figure = build_figure(trace, settings);
    const Panel& panel = figure.panels.front();
    EXPECT_NE(figure.caption.find("Hidden: “"), std::string::npos) << figure.caption;
    EXPECT_NE(figure.caption.find(" % of the weights"), std::string::npos);
    EXPECT_GT(panel.hidden_mass, 0);
    for (Index row = 0; row < panel.rows; ++row)
        EXPECT_TRUE(std::isnan(panel.values[static_cast<std::size_t>(row * panel.columns)]));
    EXPECT_TRUE(panel.row_sums.empty());
}

TEST(HiddenKeys, OfOneNameAreSaidOnceAndManyAreCounted) {
    Session session;
    session.mechanism = "multi_head";
    session.sequence.query_text = "the bank of the river is a bank by the long way home";
    session.view.view = ViewKind::heatmap;
    session.figure.hidden_keys = {0, 1, 3, 7};
    EXPECT_EQ(session_figure(session).hidden_tokens, "2 × “the”, 2 × “bank”");
    session.figure.hidden_keys = {0, 1, 2, 4, 5, 6, 8, 10};
    EXPECT_EQ(session_figure(session).hidden_tokens, "“the”, “bank”, “of”, “river”, “is”, “a” and 2 others");
    session.figure.weights = DrawnWeights::value_norms;
    const std::string caption = session_figure(session).caption;
    EXPECT_NE(caption.find(" % of the norms"), std::string::npos) << caption;
}

TEST(Norms, RunBetweenPercentilesOfNorms) {
    Session session;
    session.mechanism = "multi_head";
    session.sequence.query_text = "the bank of the river is a bank of clouds";
    session.view.view = ViewKind::heatmap;
    session.figure.weights = DrawnWeights::value_norms;
    session.figure.range = RangeKind::fitted;
    const ColourScale fitted = session_figure(session).panels.front().scale;
    session.figure.range = ColourRange(RangeKind::percentiles, 10, 60);
    const ColourScale ranked = session_figure(session).panels.front().scale;
    EXPECT_LT(ranked.high, fitted.high);
    EXPECT_TRUE(ranked.clips_high && ranked.clips_low);
}

TEST(HiddenKeys, AreKeptWithASessionAndHostileOnesAreRefused) {
    Session session = example_session();
    session.figure.hidden_keys = {0, 3};
    const std::string text = write_session(session);
    EXPECT_EQ(parse_session(text).figure.hidden_keys, (std::vector<Index>{0, 3}));
    for (const char* list : {"[3, 0]", "[-1]", "[0.5]", "[\"a\"]", "7", "[1e30]", "{}"}) {
        std::string hostile = text;
        const std::size_t from = hostile.find('[', hostile.find("hidden_keys"));
        hostile.replace(from, hostile.find(']', from) + 1 - from, list);
        expect_refusal([&] { parse_session(hostile); }, {"hidden_keys"});
    }
}

// As a source

constexpr Index layers = 2, heads = 3, queries = 150, keys = 70;

/// Signed, with missing numbers, a row of zeros, and one that only looks at a hidden key.
double weight_at(MapPlace place, Index query, Index key) {
    if (query == 11)
        return 0;
    if (query == 12)
        return key == 4 ? 0.5 : 0;
    if (query == 13 && key == 9)
        return std::numeric_limits<double>::quiet_NaN();
    return scattered(place, query, key) * (query % 7 == 3 && key % 2 ? -1 : 1);
}

const std::vector<Index> hidden{0, 4, 69};

/// The definition: what is left of a row keeps its proportions and has the mass of the whole row.
std::vector<double> left_of(const MapSource& maps, MapPlace place) {
    std::vector<double> map = map_of(maps, place);
    for (Index query = 0; query < queries; ++query) {
        double whole = 0, rest = 0;
        for (Index key = 0; key < keys; ++key) {
            const double size = std::abs(map[static_cast<std::size_t>(query * keys + key)]);
            whole += std::isnan(size) ? 0 : size;
            rest += std::isnan(size) || std::ranges::count(hidden, key) ? 0 : size;
        }
        for (Index key = 0; key < keys; ++key) {
            double& weight = map[static_cast<std::size_t>(query * keys + key)];
            const bool is_left = !std::ranges::count(hidden, key) && (rest > 0 || whole == 0);
            weight = !is_left   ? std::numeric_limits<double>::quiet_NaN()
                     : rest > 0 ? weight * whole / rest
                                : weight;
        }
    }
    return map;
}

void expect_numbers(std::span<const double> got, std::span<const double> expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(std::isnan(got[i]), std::isnan(expected[i])) << i;
        if (!std::isnan(got[i])) {
            ASSERT_NEAR(got[i], expected[i], 1e-12) << i;
        }
    }
}

std::shared_ptr<const MapSource> signed_maps() {
    return std::make_shared<GeneratedMaps>(MapSource::Extents{layers, heads, queries, keys}, weight_at);
}

TEST(MapsWithoutKeys, AreTheirRowsInAnyBlock) {
    const auto maps = signed_maps();
    for (const bool has_read_rows : {false, true}) {
        const MapsWithoutKeys seen(maps, hidden);
        const MapPlace place{1, 2};
        const std::vector<double> expected = left_of(*maps, place);
        if (has_read_rows)
            expect_numbers(map_of(seen, place), expected);
        EXPECT_EQ(seen.hidden_mass(place).has_value(), has_read_rows) << "nobody has looked at it";
        for (const MapBlock& block :
             {MapBlock{0, 20, 3, 5}, MapBlock{10, 4, 0, keys}, MapBlock{140, 10, 60, 10},
              MapBlock{12, 1, 4, 1}, MapBlock{0, queries, 69, 1}}) {
            std::vector<double> part(block.size()), of_rows;
            for (const int turn : {1, 2}) {  // once by its rows, once by what is known of them
                SCOPED_TRACE(turn);
                seen.read_block(place, block, part);
                of_rows.clear();
                for (Index row = block.first_row; row < block.first_row + block.rows; ++row)
                    for (Index column = block.first_column; column < block.first_column + block.columns;
                         ++column)
                        of_rows.push_back(expected[static_cast<std::size_t>(row * keys + column)]);
                expect_numbers(part, of_rows);
            }
        }
    }
}

TEST(MapsWithoutKeys, AreWhatWithoutKeysMakesOfAMap) {
    const auto maps = signed_maps();
    const MapsWithoutKeys seen(maps, hidden);
    for (Index head = 0; head < heads; ++head) {
        const MapPlace place{0, head};
        const MapWithoutKeys whole = without_keys(map_of(*maps, place), queries, keys, hidden);
        expect_numbers(map_of(seen, place), {whole.weights.data(), whole.weights.size()});
        ASSERT_TRUE(seen.hidden_mass(place));
        EXPECT_NEAR(*seen.hidden_mass(place), whole.hidden_mass, 1e-12);
    }
}

TEST(MapsWithoutKeys, AreFoldedAsTheirNumbersAre) {
    const auto maps = signed_maps();
    const MapsWithoutKeys seen(maps, hidden);
    const MapPlace place{1, 0};
    const std::vector<double> expected = left_of(*maps, place);
    constexpr Index width = 16, rows = (queries + width - 1) / width, columns = (keys + width - 1) / width;
    std::vector<FoldedCell> cells(rows * columns);
    seen.read_folded(place, 0, queries, width, cells);
    for (Index row = 0; row < rows; ++row)
        for (Index column = 0; column < columns; ++column) {
            double largest = -std::numeric_limits<double>::infinity(), sum = 0, count = 0;
            for (Index query = row * width; query < std::min(queries, (row + 1) * width); ++query)
                for (Index key = column * width; key < std::min(keys, (column + 1) * width); ++key)
                    if (const double weight = expected[static_cast<std::size_t>(query * keys + key)];
                        !std::isnan(weight)) {
                        largest = std::max(largest, weight);
                        sum += weight;
                        ++count;
                    }
            const FoldedCell& cell = cells[static_cast<std::size_t>(row * columns + column)];
            ASSERT_NEAR(cell.maximum, largest, 1e-12);
            ASSERT_NEAR(cell.sum, sum, 1e-11);
            ASSERT_EQ(cell.numbers, count);
        }
}

// In statistics

TEST(HiddenKeys, AreLeftOutOfStatistics) {
    constexpr Index n = 6;
    const auto source = std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, 1, n, n}, [](MapPlace place, Index query, Index key) {
            return key > query ? 0.0 : 0.1 + scattered(place, query, key);
        });
    LabelledMaps maps{"", source, {{"<s>", "a", "b", "a", "b", "."}, {}, {}, {}}};
    maps.lens.hidden_keys = {0};
    const HeadNumbers numbers = statistics_of(maps, {});
    double entropy = 0, distance = 0, largest = 0, previous = 0, diagonal = 0, hidden_sum = 0;
    const std::vector<double> map = map_of(*source, {});
    for (Index query = 0; query < n; ++query) {
        double whole = 0, rest = 0, most = 0;
        for (Index key = 0; key < n; ++key) {
            whole += map[static_cast<std::size_t>(query * n + key)];
            rest += key == 0 ? 0 : map[static_cast<std::size_t>(query * n + key)];
        }
        hidden_sum += (whole - rest) / whole;
        for (Index key = 1; key <= query; ++key) {
            const double share = map[static_cast<std::size_t>(query * n + key)] / rest;
            entropy -= share * std::log2(share);
            distance += share * static_cast<double>(query - key);
            most = std::max(most, share);
            previous += key == query - 1 ? share : 0;
            diagonal += key == query ? share : 0;
        }
        largest += most;
    }
    const auto number = [&](const char* name) { return numbers[*find_statistic(name)]; };
    EXPECT_NEAR(number("entropy").value(), entropy / 5, 1e-12) << "the first row has nothing left";
    EXPECT_NEAR(number("distance").value(), distance / 5, 1e-12);
    EXPECT_NEAR(number("top_1").value(), largest / 5, 1e-12);
    EXPECT_NEAR(number("diagonal").value(), diagonal / 5, 1e-12);
    EXPECT_NEAR(number("previous_token").value(), previous / 4, 1e-12) << "the second row's is hidden";
    EXPECT_NEAR(number("hidden").value(), hidden_sum / 6, 1e-12);
    EXPECT_FALSE(number("first_token")) << "empty, not 0";
    maps.lens.hidden_keys = {0, 5};  // every delimiter
    EXPECT_FALSE(statistics_of(maps, {})[*find_statistic("delimiter")]);
    maps.lens.hidden_keys.clear();
    EXPECT_FALSE(statistics_of(maps, {})[*find_statistic("hidden")]);
    EXPECT_TRUE(statistics_of(maps, {})[*find_statistic("first_token")]);
}

// Numbers of NumPy: the rows of a padded text without its padding.
TEST(HiddenKeys, AskNothingInStatisticsWhereTheyAreQueriesToo) {
    constexpr Index n = 4;
    constexpr double weights[n][n] = {
        {0.4, 0.1, 0.3, 0.2}, {0.1, 0.5, 0.1, 0.3}, {0.25, 0.25, 0.25, 0.25}, {0.7, 0.1, 0.1, 0.1}};
    const auto source = std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, 1, n, n},
        [&](MapPlace, Index query, Index key) { return weights[query][key]; });
    LabelledMaps maps{"", source, {{"a", "b", "c", "[PAD]"}, {}, {}, {}}};
    maps.lens.hidden_keys = {3};
    const auto number = [&](const char* name) {
        return statistics_of(maps, {})[*find_statistic(name)].value();
    };
    EXPECT_NEAR(number("distance"), 0.720238, 5e-7);
    EXPECT_NEAR(number("first_token"), 0.325397, 5e-7);
    EXPECT_NEAR(number("previous_token"), 0.238095, 5e-7);
    EXPECT_NEAR(number("entropy"), 1.379812, 5e-7);
    EXPECT_NEAR(number("top_1"), 0.515873, 5e-7);
    EXPECT_NEAR(number("hidden"), (0.2 + 0.3 + 0.25 + 0.1) / 4, 1e-12) << "of the whole map, as captions say";
    // The queries stay where there are two texts: what is hidden is a token of the other one.
    maps.tokens.key = {"d", "e", "f", "[PAD]"};
    EXPECT_NEAR(number("distance"), 1.206845, 5e-7);
    EXPECT_NEAR(number("entropy"), 1.281466, 5e-7);
}

// In views

/// The mass in the caption, as it is printed.
std::string printed_mass(const Figure& figure) {
    const std::size_t at = figure.caption.find("Hidden: “"),
                      end = figure.caption.find(" % of the weights", at);
    if (at == std::string::npos || end == std::string::npos)
        return {};
    return figure.caption.substr(figure.caption.rfind(' ', end - 1) + 1,
                                 end - figure.caption.rfind(' ', end - 1) - 1);
}

TEST(HiddenKeys, AreHiddenInEveryViewOrItSaysWhyNot) {
    Session session = example_session();
    session.mechanism = "multi_head";
    session.values["heads"] = Index(2);
    const Session with_picture = [&] {
        Session on = session;
        on.mechanism = "scaled_dot_product";
        on.values.clear();
        on.sequence.vectors.kind = VectorKind::hashed;
        on.sequence.query_text = "a red square";
        PatchedPicture image = cut(samples::landscape());
        image.columns = 6;
        return with_image(on, image, "landscape.png");
    }();
    for (const View& view : views()) {
        SCOPED_TRACE(view.title);
        const Session& shown = view.kind == ViewKind::image ? with_picture : session;
        const Trace trace = run_session(shown).trace;
        for (const char* stage : {"weights", "scores"}) {
            ViewSettings settings = view_settings(shown);
            settings.view = view.kind;
            settings.selection.stage = stage;
            settings.hidden_keys = {1};
            const Figure figure = build_figure(trace, settings, shown.sequence.image);
            EXPECT_NE(printed_mass(figure).empty(),
                      figure.caption.find("No key is hidden: ") == std::string::npos)
                << stage << ": " << figure.caption;
            const bool draws_no_weights = view.kind == ViewKind::map;  // of a mechanism: its stages
            EXPECT_TRUE(std::string(stage) != "weights" || draws_no_weights || !printed_mass(figure).empty())
                << figure.caption;
        }
    }
}

TEST(HiddenKeys, OfALargeMapAreCountedWhenItHasBeenRead) {
    constexpr Index n = 2'100;
    const LabelledMaps maps{
        "",
        std::make_shared<GeneratedMaps>(
            MapSource::Extents{1, 1, n, n},
            [](MapPlace, Index, Index key) { return key == 0 ? 0.75 : 0.25 / static_cast<double>(n - 1); }),
        {}};
    const Trace trace = trace_of(std::span(&maps, 1), "long");
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.hidden_keys = {0};
    Figure figure = build_figure(trace, settings);
    EXPECT_EQ(figure.caption.find('%'), std::string::npos) << "nobody has read it: " << figure.caption;
    EXPECT_NE(figure.caption.find("Hidden: 1;"), std::string::npos) << figure.caption;
    complete_large_maps(figure, settings.range);
    EXPECT_NE(figure.caption.find("Hidden: 1, 75.0 % of the weights; the others"), std::string::npos)
        << figure.caption;
    const SeenMap seen = seen_map(*figure.panels.front().large, 1, n, 1, n);
    EXPECT_NEAR(static_cast<double>(seen.furthest[1]), 1 / static_cast<double>(n - 1), 1e-9);
    EXPECT_EQ(build_figure(trace, settings).panels.front().large->tiles, figure.panels.front().large->tiles);
}

TEST(HiddenKeys, OfALargeMapOfAllHeadsAreTheMeanOverTheHeads) {
    constexpr Index n = 2'100;
    const auto weight = [](MapPlace place, Index, Index key) {
        const double of_first = place.head == 0 ? 0.75 : 0.25;
        return key == 0 ? of_first : (1 - of_first) / static_cast<double>(n - 1);
    };
    const LabelledMaps maps{"", std::make_shared<GeneratedMaps>(MapSource::Extents{1, 2, n, n}, weight), {}};
    const Trace trace = trace_of(std::span(&maps, 1), "long");
    for (const PooledHeads pooled : {PooledHeads::mean, PooledHeads::maximum}) {
        ViewSettings settings;
        settings.view = ViewKind::heatmap;
        settings.hidden_keys = {0};
        settings.pooled = pooled;
        Figure figure = build_figure(trace, settings);
        EXPECT_EQ(figure.caption.find('%'), std::string::npos) << "nobody has read it: " << figure.caption;
        complete_large_maps(figure, settings.range);
        EXPECT_NE(
            figure.caption.find("Hidden: 1, 50.0 % of the weights of the 2 heads on average; the others"),
            std::string::npos)
            << figure.caption;
    }
}

TEST(HiddenKeys, OfGpt2LeaveNoFirstTokenShare) {
    const char* shared = std::getenv("HEADLIGHT_SHARED");
    const std::filesystem::path folder = std::filesystem::path(shared ? shared : "") / "models/captures";
    if (!shared || !std::filesystem::exists(folder))
        GTEST_SKIP() << "HEADLIGHT_SHARED has no models/captures";
    const std::string file = (folder / "ex0.npz").string();
    const auto trace = std::make_shared<const Trace>(captured_traces({.file = file}).trace);
    const std::size_t first = *find_statistic("first_token"), had = *find_statistic("hidden");
    const std::vector<HeadRow> before = head_table(seen_maps(trace, nullptr, {})),
                               after = head_table(seen_maps(trace, nullptr, {DrawnWeights::raw, {0}}));
    ASSERT_EQ(after.size(), 144u);
    double mass = 0;
    for (std::size_t head = 0; head < after.size(); ++head) {
        EXPECT_FALSE(after[head].numbers[first]);
        // What the first key had is its share of rows that sum to 1.
        EXPECT_NEAR(*after[head].numbers[had], *before[head].numbers[first], 1e-3);
        mass += *after[head].numbers[had] / 144;
    }
    EXPECT_GT(mass, 0.4) << "many heads of GPT-2 rest on the first token";
    for (const ViewKind kind : {ViewKind::model_grid, ViewKind::scatter, ViewKind::statistics}) {
        ViewSettings settings;
        settings.view = kind;
        settings.hidden_keys = {0};
        if (kind == ViewKind::scatter)
            settings.heads.colour = "hidden";
        EXPECT_EQ(std::stod(printed_mass(build_figure(*trace, settings))), std::round(1000 * mass) / 10);
    }
}

}  // namespace

}  // namespace headlight::hidden_keys_test
