// From which number to which colours run: what a person types, percentiles, and what lies outside.

#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/figure/fit_scales.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/ticks.h"
#include "core/io/json_text.h"
#include "core/io/session.h"
#include "core/map/maps_trace.h"
#include "core/map/thumbnail.h"
#include "tests/support/generated_maps.h"
#include "tests/support/large_maps.h"
#include "tests/support/refusal.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numeric>

namespace headlight::colour_range_test {

using namespace test;

namespace {

/// By the definition: the numbers in order, and between two of them in proportion.
double by_definition(std::vector<double> numbers, double percent) {
    std::ranges::sort(numbers);
    const double place = percent / 100 * static_cast<double>(numbers.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    if (below + 1 == numbers.size())
        return numbers.back();
    return numbers[below] + (place - std::floor(place)) * (numbers[below + 1] - numbers[below]);
}

TEST(Percentile, IsThatOfNumPy) {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/tests/support/numpy_percentiles/golden.json");
    const auto rows = nlohmann::json::parse(file);
    ASSERT_FALSE(rows.empty());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row["percents"].size(); ++i) {
            auto numbers = row["numbers"].get<std::vector<double>>();
            const auto expected = row["percentiles"][i].get<double>();
            EXPECT_NEAR(percentile(numbers, row["percents"][i].get<double>()), expected,
                        1e-14 * std::abs(expected))
                << row["name"] << " " << row["percents"][i];
        }
}

TEST(EvenSample, HasEveryFiniteNumberWhereTheyAreFew) {
    const double infinity = std::numeric_limits<double>::infinity();
    EvenSample sample(7);
    sample.take(std::vector<double>{1, std::nan(""), 2});
    sample.take(std::vector<double>{3, infinity, 4, -infinity}, std::vector<std::uint8_t>{0, 0, 1, 0});
    EXPECT_EQ(sample.numbers(), (std::vector<double>{1, 2, 3}));
}

TEST(EvenSample, OfManyNumbersIsSpreadOverAllOfThem) {
    // Rising numbers in uneven parts: percentiles of the sample are places in the whole.
    constexpr std::size_t total = 3'000'001;
    std::vector<double> all(total);
    std::iota(all.begin(), all.end(), 0);
    EvenSample sample(total);
    for (std::size_t first = 0, part = 1; first < total; first += part, part = part * 3 + 1)
        sample.take(std::span(all).subspan(first, std::min(part, total - first)));
    std::vector<double> numbers = sample.numbers();
    EXPECT_LE(numbers.size(), EvenSample::most);
    EXPECT_GT(numbers.size(), EvenSample::most / 2);
    EXPECT_EQ(std::ranges::adjacent_find(numbers, std::greater_equal()), numbers.end()) << "none twice";
    for (const double percent : {1, 50, 99})
        EXPECT_NEAR(percentile(numbers, percent) / total, percent / 100, 1e-4);
}

TEST(RangeOfNumbers, IsThatOfTheFiniteOnesThatAreNotLeftOut) {
    const double infinity = std::numeric_limits<double>::infinity();
    // More than are looked at together, and some after these.
    const std::vector<double> numbers{0, 3, std::nan(""), 2, -infinity, 5, 0, 4, 0, 0, infinity};
    const std::vector<std::uint8_t> left_out{1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0};
    const NumberRange all = range_of_numbers(numbers), counted = range_of_numbers(numbers, left_out);
    EXPECT_EQ(all.low, 0);
    EXPECT_EQ(all.high, 5);
    EXPECT_EQ(all.smallest_positive, 2);
    EXPECT_EQ(counted.low, 2);
    EXPECT_EQ(counted.high, 4);
    EXPECT_EQ(counted.smallest_positive, 2);
    EXPECT_TRUE(range_of_numbers(numbers, std::vector<std::uint8_t>(numbers.size(), 1)).empty());
    EXPECT_TRUE(range_of_numbers({}).empty());
}

TEST(ColourRange, IsAWord) {
    for (const char* word :
         {"unit", "fitted", "p1..p99", "p0.5..p100", "0..0.2", "-3..3", "-1e-05..-1e-06"}) {
        const auto range = range_from_word(word);
        ASSERT_TRUE(range) << word;
        EXPECT_EQ(range_word(*range), word);
    }
    EXPECT_EQ(range_from_word("p1..p99"), ColourRange(RangeKind::percentiles));
    for (const char* word :
         {"", "Unit", "p1", "p1..99", "1..p99", "p99..p1", "p5..p5", "p-1..p99", "p1..p101", "0.2..0", "..",
          "0..", "..1", "0..nan", "0..inf", "0..1e308", "0 ..1", "0...p1"})
        EXPECT_FALSE(range_from_word(word)) << word;
    EXPECT_EQ(range_in_words(ColourRange(RangeKind::percentiles)), "1st to 99th percentile");
    EXPECT_EQ(range_in_words({RangeKind::percentiles, 2.5, 93}), "2.5th to 93rd percentile");
    EXPECT_EQ(range_in_words({RangeKind::percentiles, 11, 92}), "11th to 92nd percentile");
    EXPECT_EQ(range_in_words({RangeKind::numbers, 0, 0.2}), "0 to 0.2");
}

TEST(ColourRange, IsInTheSessionFile) {
    for (const char* word : {"unit", "fitted", "p2..p98", "0..0.2"}) {
        Session session;
        session.figure.range = *range_from_word(word);
        EXPECT_EQ(parse_session(write_session(session)).figure.range, session.figure.range);
        EXPECT_EQ(to_json(session)["view"]["range"], word);
    }
    EXPECT_EQ(parse_session(R"({"format": "headlight-session/1"})").figure.range,
              ColourRange(RangeKind::unit));
    expect_refusal([] { parse_session(R"({"format": "headlight-session/1", "view": {"range": "p9..p1"}})"); },
                   {"/view/range", "such as p1..p99", "p9..p1"});
}

// In figures

ViewSettings settings_of(ViewKind view, const ColourRange& range) {
    ViewSettings settings;
    settings.view = view;
    settings.range = range;
    return settings;
}

/// Returns the weights of the first `heads`, without the pairs that come later.
std::vector<double> allowed_weights(const Trace& trace, Index heads) {
    const Stage& stage = *trace.find("weights");
    std::vector<double> weights;
    for (Index head = 0; head < heads; ++head)
        for (Index query = 0; query < stage.extent(Axis::query); ++query)
            for (Index key = 0; key <= query; ++key)
                weights.push_back(trace.matrix(
                    stage, head)[static_cast<std::size_t>(query * stage.extent(Axis::key) + key)]);
    return weights;
}

TEST(Percentiles, AreThoseOfTheHeadsThatAreDrawnWithoutWhatTheMaskForbids) {
    const Trace trace = samples::sentence();
    const Index heads = trace.find("weights")->extent(Axis::head);
    ASSERT_GT(heads, 1);
    const ColourRange range{RangeKind::percentiles, 10, 90};
    for (const ViewKind kind : {ViewKind::heatmap, ViewKind::grid, ViewKind::lines, ViewKind::compare}) {
        const std::vector<double> weights =
            allowed_weights(trace, kind == ViewKind::heatmap || kind == ViewKind::lines ? 1 : heads);
        const Figure figure = build_figure(trace, settings_of(kind, range));
        for (const Panel& panel : figure.panels) {
            EXPECT_NEAR(panel.scale.low, by_definition(weights, 10), 1e-15);
            EXPECT_NEAR(panel.scale.high, by_definition(weights, 90), 1e-15);
            EXPECT_TRUE(panel.scale.clips_low && panel.scale.clips_high);
        }
    }
}

TEST(FittedRange, IsThatOfWhatTheMaskAllows) {
    const Trace trace = samples::sentence();
    const Index heads = trace.find("weights")->extent(Axis::head);
    for (const ViewKind kind :
         {ViewKind::heatmap, ViewKind::grid, ViewKind::lines, ViewKind::compare, ViewKind::model_grid}) {
        const std::vector<double> weights =
            allowed_weights(trace, kind == ViewKind::heatmap || kind == ViewKind::lines ? 1 : heads);
        const Figure figure = build_figure(trace, settings_of(kind, RangeKind::fitted));
        for (const Panel& panel : figure.panels) {  // whose numbers are floats in maps of every head
            EXPECT_NEAR(panel.scale.low, std::ranges::min(weights), 1e-7);
            EXPECT_NEAR(panel.scale.high, std::ranges::max(weights), 1e-7);
        }
    }
    const std::vector<double> weights = allowed_weights(trace, heads);
    const double least = std::ranges::min(weights);
    ASSERT_GT(least, 0);
    const ColourRange below_all{RangeKind::numbers, 0.5 * least, 1};
    EXPECT_FALSE(
        build_figure(trace, settings_of(ViewKind::heatmap, below_all)).panels.front().scale.clips_low);
}

TEST(FittedRange, OfStepsIsThatOfTheScoresThatAreNotHatched) {
    Inputs inputs;  // the second key, which the first query may not see, fits it best
    inputs.query = Tensor({{3, 0}, {0, 1}});
    inputs.key = Tensor({{1, 0}, {8, 1}});
    inputs.value = *inputs.key;
    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::dot;
    spec.mask = {CausalMask{}};
    const Trace trace = record(std::make_shared<const Plan>(plan(spec, inputs)));
    for (const RangeKind kind : {RangeKind::unit, RangeKind::fitted}) {
        const auto scale_in = [&](ViewKind view) {
            ViewSettings settings = settings_of(view, kind);
            settings.selection.stage = "scores";
            return build_figure(trace, settings).panels.front().scale;
        };
        EXPECT_EQ(scale_in(ViewKind::steps).high, 3);
        EXPECT_EQ(scale_in(ViewKind::steps).low, -3);
        EXPECT_EQ(scale_in(ViewKind::heatmap).high, 24) << "there the mask comes after the scores";
    }
}

TEST(Percentiles, OfSignedNumbersReachAsFarOnBothSidesOfZero) {
    const Trace trace = samples::sentence();
    ViewSettings settings = settings_of(ViewKind::heatmap, {RangeKind::percentiles, 5, 95});
    settings.selection.stage = "scaled_scores";
    const Panel panel = build_figure(trace, settings).panels.front();
    std::vector<double> numbers;
    for (const char* stage : {"scores", "scaled_scores", "masked_scores"}) {
        const auto of_stage = trace.matrix(*trace.find(stage), settings.selection.head);
        const bool shares_scale = build_figure(trace,
                                               [&] {
                                                   auto other = settings;
                                                   other.selection.stage = stage;
                                                   return other;
                                               }())
                                      .panels.front()
                                      .scale == panel.scale;
        if (!shares_scale)
            continue;
        for (const double number : of_stage)
            if (std::isfinite(number))
                numbers.push_back(number);
    }
    ASSERT_FALSE(numbers.empty());
    const double reach = std::max(std::abs(by_definition(numbers, 5)), std::abs(by_definition(numbers, 95)));
    EXPECT_NEAR(panel.scale.high, reach, 1e-14);
    EXPECT_EQ(panel.scale.low, -panel.scale.high);
}

TEST(Percentiles, ThatAreTheSameNumberLeaveTheRangeFitted) {
    ColourScale scale;
    const NumberRange all{0, 0.7, 0.1};
    scale = ranged_scale(scale, ColourRange(RangeKind::percentiles), all, std::vector<double>(500, 0.0));
    EXPECT_EQ(scale, (ColourScale{.map = "viridis", .low = 0, .high = 0.7}));
}

TEST(GivenNumbers, AreForWeightsOrForSignedNumbers) {
    const Trace trace = samples::sentence();
    const auto scale = [&](const char* stage, const char* range) {
        ViewSettings settings = settings_of(ViewKind::heatmap, *range_from_word(range));
        settings.selection.stage = stage;
        return build_figure(trace, settings).panels.front().scale;
    };
    EXPECT_EQ(scale("weights", "0..0.2").high, 0.2);
    EXPECT_TRUE(scale("weights", "0..0.2").clips_high);
    EXPECT_FALSE(scale("weights", "0..0.2").clips_low) << "no weight is below 0";
    EXPECT_EQ(scale("scores", "0..0.2"), scale("scores", "unit"));
    EXPECT_EQ(scale("scores", "-0.5..0.25").low, -0.5);
    EXPECT_EQ(scale("scores", "-0.5..0.25").high, 0.5);
    EXPECT_EQ(scale("weights", "-0.5..0.25"), scale("weights", "unit"));
}

TEST(LargeMaps, HavePercentilesOfTheCellsInSight) {
    constexpr Index tokens = 2'100;
    const LabelledMaps maps{
        "",
        std::make_shared<GeneratedMaps>(MapSource::Extents{1, 1, tokens, tokens},
                                        [](MapPlace place, Index query, Index key) {
                                            return query < 5 ? 1.0 : 0.01 * scattered(place, query, key);
                                        }),
        {}};
    const Trace trace = trace_of(std::span(&maps, 1), "long");
    const ColourRange range{RangeKind::percentiles, 1, 99};
    Figure figure = build_figure(trace, settings_of(ViewKind::heatmap, range));
    complete_large_maps(figure, range);
    // Five rows of 2,100 are in 2 of 512 rows of blocks, far below one hundredth.
    const ColourScale& scale = figure.panels.front().scale;
    EXPECT_LT(scale.high, 0.0101);
    EXPECT_GT(scale.high, 0.009);
    EXPECT_GT(scale.low, 0);
    EXPECT_TRUE(scale.clips_low && scale.clips_high);
}

TEST(LargeMaps, AreFittedToWhatTheMaskAllows) {
    for (const Index window : {0, 1'000}) {
        const LabelledMaps maps{"", large_maps::masked(window), {}};
        const Trace trace = trace_of(std::span(&maps, 1), "long");
        for (const ColourRange& range :
             {ColourRange(RangeKind::fitted), ColourRange(RangeKind::percentiles, 10, 90)}) {
            Figure figure = build_figure(trace, settings_of(ViewKind::heatmap, range));
            complete_large_maps(figure, range);
            EXPECT_GT(figure.panels.front().scale.low, 0) << window << ' ' << range_word(range);
        }
        const Thumbnail small = thumbnail_of(*maps.maps, {}, 40);
        EXPECT_GT(small.range.low, 0) << window;
    }
}

// On the colour bar

std::string labels(const ColourScale& scale, int limit) {
    std::string text;
    for (const Tick& tick : nice_ticks(scale, limit))
        text += (text.empty() ? "" : " ") + tick.label;
    return text;
}

TEST(ClippedEnds, AreNamedOnTheColourBar) {
    ColourScale scale{.map = "viridis", .low = 0.003, .high = 0.473};
    EXPECT_EQ(labels(scale, 6), "0.1 0.2 0.3 0.4");
    scale.clips_high = true;
    EXPECT_EQ(labels(scale, 6), "0.1 0.2 0.3 0.4 ≥\u20090.473");
    scale.clips_low = true;
    EXPECT_EQ(labels(scale, 6), "≤\u20090.003 0.1 0.2 0.3 0.4 ≥\u20090.473");
    EXPECT_EQ(labels(scale, 2), "≤\u20090.003 ≥\u20090.473");
    scale.low = 2.1e-5;
    EXPECT_EQ(labels(scale, 2), "≤\u20092·10⁻⁵ ≥\u20090.473");
    scale.low = 0.003;
    scale.kind = ScaleKind::logarithmic;
    EXPECT_EQ(labels(scale, 6), "≤\u20090.003 0.01 0.1 ≥\u20090.473");
    for (int limit = 2; limit < 9; ++limit)
        EXPECT_LE(nice_ticks(scale, limit).size(), static_cast<std::size_t>(limit));
}

}  // namespace

}  // namespace headlight::colour_range_test
