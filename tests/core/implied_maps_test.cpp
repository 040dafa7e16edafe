// Weights that a linear layer implies, from queries, keys and decay: every part of them against the
// definition, and the same bits whichever part is read.

#include "core/map/implied_maps.h"
#include "core/map/map_levels.h"
#include "core/map/maps_trace.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>

#include <sys/resource.h>

namespace headlight::implied_maps_test {

using namespace test;

namespace {

using Extents = MapSource::Extents;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Three chunks of keys, the last one short; ten batches of rows.
constexpr Index tokens = 600, width = 6, heads = 4, key_heads = 2, layers = 2;

double normal_like(MapPlace place, Index token, Index feature) {
    return 3 * (scattered(place, token, feature) + scattered(place, feature, token) - 1);
}

std::shared_ptr<const MapSource> source(const Extents& extents, GeneratedMaps::Number number = normal_like) {
    return std::make_shared<GeneratedMaps>(extents, std::move(number));
}
std::shared_ptr<const MapSource> queries_of() { return source({layers, heads, tokens, width}); }
std::shared_ptr<const MapSource> keys_of() { return source({layers, key_heads, tokens, width}); }

struct Case {
    const char* name;
    Extents decay{};  ///< no layers: nothing fades
    GeneratedMaps::Number factor{};
    ImpliedTerms terms{};
    Decay::Form form = Decay::Form::factor;
};
std::ostream& operator<<(std::ostream& out, const Case& each) { return out << each.name; }

double slow(MapPlace place, Index token, Index channel) {
    return 0.9 + 0.1 * scattered({place.layer + 5, place.head}, token, channel);
}
double resetting(MapPlace place, Index token, Index channel) {
    return token % 70 == 3 ? 0 : slow(place, token, channel);
}
double half(MapPlace, Index, Index) { return 0.5; }
double fast(MapPlace place, Index token, Index channel) { return 0.02 * scattered(place, token, channel); }

std::shared_ptr<const MapSource> maps_of_case(const Case& each) {
    std::shared_ptr<const Decay> decay;
    if (each.decay.layers > 0)
        decay = std::make_shared<Decay>(source(each.decay,
                                               [each](MapPlace place, Index token, Index channel) {
                                                   const double factor = each.factor(place, token, channel);
                                                   return each.form == Decay::Form::logarithm
                                                              ? std::log(factor)
                                                              : factor;
                                               }),
                                        each.form);
    return std::make_shared<ImpliedMaps>(queries_of(), keys_of(), std::move(decay), each.terms);
}

struct Expected {
    std::vector<double> map;         ///< [query, key]
    std::vector<double> tolerances;  ///< [query]; of a row that sums to nearly nothing few digits are left
};

/// scale * q_i . (a_{j+1} * ... * a_i * k_j), by the definition, a cell at a time.
Expected expected_map(const Case& each, MapPlace place) {
    Expected expected{std::vector<double>(static_cast<std::size_t>(tokens * tokens)), {}};
    const MapPlace key_place{place.layer, place.head / (heads / key_heads)};
    for (Index query = 0; query < tokens; ++query) {
        long double left[width], sum = 0, mass = 0;
        std::fill_n(left, width, 1);
        std::vector<long double> row(tokens);
        for (Index key = each.terms.causal ? query : tokens - 1; key >= 0; --key) {
            for (Index channel = 0; channel < width; ++channel)
                row[static_cast<std::size_t>(key)] += each.terms.scale * normal_like(place, query, channel) *
                                                      left[channel] * normal_like(key_place, key, channel);
            sum += row[static_cast<std::size_t>(key)];
            mass += std::abs(row[static_cast<std::size_t>(key)]);
            for (Index channel = 0; channel < width && each.decay.layers > 0; ++channel)
                left[channel] *=
                    each.factor({place.layer, place.head / (heads / each.decay.heads)},
                                each.decay.queries > 1 ? key : 0, each.decay.keys > 1 ? channel : 0);
        }
        for (Index key = 0; key < tokens; ++key) {
            const long double weight = row[static_cast<std::size_t>(key)];
            expected.map[static_cast<std::size_t>(query * tokens + key)] =
                static_cast<double>(each.terms.normalised ? weight / sum : weight);
        }
        const auto largest = static_cast<double>(mass / std::abs(sum));
        expected.tolerances.push_back(
            1e-13 * (each.terms.normalised ? largest * (1 + largest) : static_cast<double>(mass)));
    }
    return expected;
}

class Implied : public testing::TestWithParam<Case> {};

TEST_P(Implied, RowsAreTheDefinition) {
    const auto maps = maps_of_case(GetParam());
    EXPECT_TRUE(maps->is_implied(1));
    for (const MapPlace place : {MapPlace{0, 0}, MapPlace{1, 2}, MapPlace{1, 3}}) {
        const auto got = map_of(*maps, place);
        const Expected expected = expected_map(GetParam(), place);
        EXPECT_LT(std::ranges::min(expected.map), 0) << "or the test says nothing of signs";
        for (std::size_t cell = 0; cell < got.size(); ++cell)
            ASSERT_NEAR(got[cell], expected.map[cell], expected.tolerances[cell / tokens])
                << cell / tokens << ", " << cell % tokens;
    }
}

TEST_P(Implied, BlocksAreTheSameBitsAsRows) {
    const MapPlace place{1, 3};
    const auto dense = map_of(*maps_of_case(GetParam()), place);
    const auto kept = maps_of_case(GetParam());
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
        const auto up_to = [&](Index most) { return std::uniform_int_distribution<Index>(0, most)(random); };
        MapBlock block{up_to(tokens - 1), 0, up_to(tokens - 1), 0};
        block.rows = 1 + up_to(tokens - block.first_row - 1);
        block.columns = 1 + up_to(tokens - block.first_column - 1);
        std::vector<double> got(block.size(), nan);
        kept->read_block(place, block, got);
        for (Index row = 0; row < block.rows; ++row)
            for (Index column = 0; column < block.columns; ++column)
                ASSERT_EQ(got[static_cast<std::size_t>(row * block.columns + column)],
                          dense[static_cast<std::size_t>((block.first_row + row) * tokens +
                                                         block.first_column + column)])
                    << block.first_row + row << ", " << block.first_column + column;
    }
}

TEST_P(Implied, FoldedRowsAreTheRowsFolded) {
    const MapPlace place{0, 1};
    const auto maps = maps_of_case(GetParam());
    const auto dense = map_of(*maps, place);
    for (const Index side : {Index(1), Index(16), Index(64), MapSource::widest_fold}) {
        const Index cells = (tokens + side - 1) / side, first = 64 / side * side, count = tokens - first - 5;
        std::vector<FoldedCell> folded(static_cast<std::size_t>((count + side - 1) / side * cells));
        std::vector<FoldedCell> expected(folded);
        maps->read_folded(place, first, count, side, folded);
        for (Index row = 0; row < count; ++row)
            fold_row(std::span(dense).subspan(static_cast<std::size_t>((first + row) * tokens), tokens), side,
                     expected.data() + row / side * cells);
        for (std::size_t cell = 0; cell < folded.size(); ++cell) {
            ASSERT_EQ(folded[cell].maximum, expected[cell].maximum) << cell;
            ASSERT_EQ(folded[cell].least, expected[cell].least) << cell;
            ASSERT_NEAR(folded[cell].sum, expected[cell].sum, 1e-9 * (1 + std::abs(expected[cell].sum)))
                << cell;
            ASSERT_EQ(folded[cell].numbers, expected[cell].numbers) << cell;
        }
    }
}

const Extents a_head{layers, heads, 1, 1}, a_token{layers, heads, tokens, 1},
    a_channel{layers, key_heads, tokens, width};

INSTANTIATE_TEST_SUITE_P(
    , Implied,
    testing::Values(Case{"plain", {}, {}, {.scale = 0.3}}, Case{"causal", {}, {}, {.causal = true}},
                    Case{"sums", {}, {}, {.normalised = true}},
                    Case{"causal_sums", {}, {}, {.causal = true, .normalised = true}},
                    Case{"a_number_a_head", a_head, slow, {.scale = 0.25, .causal = true}},
                    Case{"half_a_token", a_head, half, {.causal = true}},
                    Case{"a_gate_a_token", a_token, slow, {.causal = true}},
                    Case{"resets", a_token, resetting, {.causal = true}},
                    Case{
                        "logarithms_of_resets", a_token, resetting, {.causal = true}, Decay::Form::logarithm},
                    Case{"sums_of_faded", a_token, slow, {.causal = true, .normalised = true}},
                    Case{"a_gate_a_channel", a_channel, slow, {.scale = 2, .causal = true}},
                    Case{"resets_of_channels", a_channel, resetting, {.causal = true}},
                    Case{"forgets_at_once", a_channel, fast, {.causal = true}},
                    Case{"sums_of_channels",
                         a_channel,
                         slow,
                         {.causal = true, .normalised = true},
                         Decay::Form::logarithm}),
    testing::PrintToStringParamName());

TEST(ImpliedMaps, OfAVeryLongDecayAreNeverInfiniteAndEndAtZero) {
    constexpr Index many = 20'000;
    const auto ones = [](MapPlace, Index, Index) { return 1.0; };
    const auto decay = std::make_shared<Decay>(
        source({1, 1, many, 1}, [](MapPlace, Index, Index) { return -0.5; }), Decay::Form::logarithm);
    const ImpliedMaps maps(source({1, 1, many, 1}, ones), source({1, 1, many, 1}, ones), decay,
                           {.causal = true});
    std::vector<double> row(many);
    maps.read_rows({}, many - 1, 1, row);
    for (Index distance = 0; distance < many; ++distance) {
        const double weight = row[static_cast<std::size_t>(many - 1 - distance)];
        const double expected = std::exp(-0.5 * static_cast<double>(distance));
        if (expected > 1e-280)
            ASSERT_NEAR(weight / expected, 1, 1e-11) << distance;
        else
            ASSERT_TRUE(weight >= 0 && weight <= 1e-279) << distance;
    }
    EXPECT_EQ(row[0], 0);
    EXPECT_EQ(row[many - 1], 1);
}

TEST(ImpliedMaps, OfBlocksAboveTheDiagonalReadNothing) {
    std::atomic<Index> read = 0;
    const auto counted = [&](MapPlace place, Index token, Index feature) {
        ++read;
        return normal_like(place, token, feature);
    };
    const ImpliedMaps maps(source({1, 1, tokens, width}, counted), source({1, 1, tokens, width}, counted), {},
                           {.causal = true});
    std::vector<double> block(std::size_t(100) * 100, 1);
    maps.read_block({}, {0, 100, 100, 100}, block);
    EXPECT_EQ(block, std::vector<double>(std::size_t(100) * 100));
    EXPECT_EQ(read, 0);
    maps.read_block({}, {150, 100, 100, 100}, block);
    EXPECT_GT(read, 0);
}

TEST(ImpliedMaps, ReadOneTileOfALongTextInBoundedMemory) {
    constexpr Index many = 32'768, features = 16, side = MapTile::side;
    const auto decay = std::make_shared<Decay>(source({1, 1, many, features}, slow), Decay::Form::factor);
    const auto q = source({1, 1, many, features}), k = source({1, 1, many, features});
    const ImpliedMaps maps(q, k, decay, {.causal = true});
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    std::vector<double> tile(std::size_t(side) * side);
    for (const Index column : {Index(0), many / 2, many - side})
        maps.read_block({}, {many - side, side, column, side}, tile);
    getrusage(RUSAGE_SELF, &after);
#if !defined(HEADLIGHT_ADDRESS_SANITIZER) && !defined(HEADLIGHT_THREAD_SANITIZER)
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 * 1024) << "kilobytes; all weights would take 8 GB";
#endif
    double expected = 0;
    for (Index feature = 0; feature < features; ++feature)
        expected += normal_like({}, many - 1, feature) * slow({}, many - 1, feature) *
                    normal_like({}, many - 2, feature);
    EXPECT_NEAR(tile[side * side - 2], expected, 1e-12);
}

TEST(ImpliedMaps, OfAKeyThatIsNoNumberAreNoneUntilItIsForgotten) {
    const auto keys = source({1, 1, tokens, width}, [](MapPlace place, Index token, Index feature) {
        return token == 20 ? nan : normal_like(place, token, feature);
    });
    const auto decay = std::make_shared<Decay>(
        source({1, 1, tokens, 1}, [](MapPlace, Index token, Index) { return token == 300 ? 0.0 : 1.0; }),
        Decay::Form::factor);
    const ImpliedMaps maps(source({1, 1, tokens, width}), keys, decay, {.causal = true});
    const auto map = map_of(maps, {});
    const auto at = [&](Index query, Index key) {
        return map[static_cast<std::size_t>(query * tokens + key)];
    };
    EXPECT_FALSE(std::isnan(at(19, 20)));
    EXPECT_TRUE(std::isnan(at(20, 20)));
    EXPECT_TRUE(std::isnan(at(299, 20)));
    EXPECT_FALSE(std::isnan(at(299, 21)));
    EXPECT_EQ(at(599, 20), 0) << "two chunks after a reset";
}

// What is refused

TEST(Decay, IsAFactorFrom0To1) {
    const auto decay_of = [](double number, Decay::Form form) {
        return Decay(source({2, 3, 40, 2},
                            [=](MapPlace place, Index token, Index) {
                                return place == MapPlace{1, 2} && token == 17
                                           ? number
                                           : (form == Decay::Form::factor ? 0.5 : -0.5);
                            }),
                     form);
    };
    for (const double factor : {1.001, -0.1, nan, HUGE_VAL})
        expect_refusal([&] { decay_of(factor, Decay::Form::factor); },
                       {"decay of layer 2, head 3, token 18", "a factor from 0 to 1"});
    for (const double logarithm : {0.001, nan, HUGE_VAL})
        expect_refusal([&] { decay_of(logarithm, Decay::Form::logarithm); },
                       {"decay of layer 2, head 3, token 18", "a logarithm of at most 0"});
    decay_of(1, Decay::Form::factor);
    decay_of(-HUGE_VAL, Decay::Form::logarithm);
    expect_refusal(
        [] {
            Decay(source({1, 2, 1, 1}, [](MapPlace, Index, Index) { return 2.0; }), Decay::Form::factor);
        },
        {"decay of layer 1, head 1", "got 2"});
    expect_refusal(
        [] {
            Decay(source({1, 2, 1, 1}, [](MapPlace, Index, Index) { return 2.0; }), Decay::Form::factor, {6});
        },
        {"decay of layer 7, head 1", "got 2"});
}

TEST(Decay, OfManyNumbersIsCheckedWhereItIsRead) {
    constexpr Index many = Decay::most_checked / 4 + 1;
    const auto decay = std::make_shared<Decay>(
        source({1, 1, many, 4}, [](MapPlace, Index token, Index) { return token == many - 1 ? 3.0 : 0.5; }),
        Decay::Form::factor);
    std::vector<double> factors(8);
    decay->read({}, 10, 2, factors);
    EXPECT_EQ(factors, std::vector<double>(8, 0.5));
    expect_refusal([&] { decay->read({}, many - 2, 2, factors); }, {"token " + std::to_string(many)});
}

TEST(ImpliedMaps, RefuseADecayOfOthers) {
    const auto refused = [](const Extents& extents, const ImpliedTerms& terms, const char* says) {
        expect_refusal(
            [&] {
                ImpliedMaps(queries_of(), keys_of(),
                            std::make_shared<Decay>(source(extents, half), Decay::Form::factor), terms);
            },
            {"implied weights", says});
    };
    const ImpliedTerms causal{.causal = true};
    refused({1, heads, 1, 1}, causal, "layers");
    refused({layers, 3, 1, 1}, causal, "4, as q has, or 2, as k has, got 3");
    refused({layers, heads, tokens - 1, 1}, causal, "600, as k has, got 599");
    refused({layers, heads, tokens, width - 1}, causal, "channels");
    refused(a_token, {}, "causal");
}

// In a trace

TEST(ImpliedMaps, AreMarkedInATrace) {
    const LabelledMaps implied{"linear", maps_of_case({"causal", {}, {}, {.causal = true}}), {}};
    const LabelledMaps others{"softmax", source({1, 1, 3, 3}, scattered), {}};
    const std::vector<LabelledMaps> both{implied, others};
    const auto trace = std::make_shared<const Trace>(trace_of(both, "hybrid"));
    EXPECT_TRUE(has_implied_weights(*trace));
    for (const Stage& stage : trace->stages())
        EXPECT_EQ(is_implied(*trace, stage), stage.site.starts_with("linear")) << stage.site;
    EXPECT_TRUE(maps_of(trace).front().maps->is_implied(1));
    EXPECT_FALSE(maps_of(trace).back().maps->is_implied(0));
}

}  // namespace

}  // namespace headlight::implied_maps_test
