// Maps made of other maps, against the definition.

#include "core/map/derived_maps.h"
#include "core/tensor/error.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::derived_maps_test {

using namespace test;

namespace {

using Extents = MapSource::Extents;
constexpr Index layers = 3, heads = 4, queries = 150, keys = 40;

std::shared_ptr<const MapSource> maps() {
    return std::make_shared<GeneratedMaps>(Extents{layers, heads, queries, keys}, scattered);
}

/// Every cell of every map as `number` says, read whole and in a block.
void expect_maps(const MapSource& got, const Extents& extents, const GeneratedMaps::Number& number) {
    ASSERT_EQ(got.extents(), extents);
    for (Index layer = 0; layer < extents.layers; ++layer)
        for (Index head = 0; head < extents.heads; ++head) {
            const MapPlace place{layer, head};
            const auto map = map_of(got, place);
            const MapBlock block{extents.queries / 3, extents.queries / 2, extents.keys / 4,
                                 extents.keys / 2};
            std::vector<double> part(block.size());
            got.read_block(place, block, part);
            for (Index query = 0; query < extents.queries; ++query)
                for (Index key = 0; key < extents.keys; ++key) {
                    const double expected = number(place, query, key);
                    ASSERT_NEAR(map[static_cast<std::size_t>(query * extents.keys + key)], expected, 1e-12);
                    const Index row = query - block.first_row, column = key - block.first_column;
                    if (row >= 0 && row < block.rows && column >= 0 && column < block.columns) {
                        ASSERT_NEAR(part[static_cast<std::size_t>(row * block.columns + column)], expected,
                                    1e-12);
                    }
                }
        }
}

TEST(DerivedMaps, AreMeanOrMaximumOverHeads) {
    expect_maps(*over_heads(maps(), MapReduction::mean), {layers, 1, queries, keys},
                [](MapPlace place, Index query, Index key) {
                    double sum = 0;
                    for (Index head = 0; head < heads; ++head)
                        sum += scattered({place.layer, head}, query, key);
                    return sum / heads;
                });
    expect_maps(*over_heads(maps(), MapReduction::maximum), {layers, 1, queries, keys},
                [](MapPlace place, Index query, Index key) {
                    double most = 0;
                    for (Index head = 0; head < heads; ++head)
                        most = std::max(most, scattered({place.layer, head}, query, key));
                    return most;
                });
}

TEST(DerivedMaps, AreMeanOrMaximumOverLayers) {
    expect_maps(*over_layers(maps(), MapReduction::mean), {1, heads, queries, keys},
                [](MapPlace place, Index query, Index key) {
                    double sum = 0;
                    for (Index layer = 0; layer < layers; ++layer)
                        sum += scattered({layer, place.head}, query, key);
                    return sum / layers;
                });
    expect_maps(*over_heads(over_layers(maps(), MapReduction::maximum), MapReduction::maximum),
                {1, 1, queries, keys}, [](MapPlace, Index query, Index key) {
                    double most = 0;
                    for (Index layer = 0; layer < layers; ++layer)
                        for (Index head = 0; head < heads; ++head)
                            most = std::max(most, scattered({layer, head}, query, key));
                    return most;
                });
}

TEST(DerivedMaps, OfANumberThatIsMissingMissIt) {
    for (const Index missing : {0, 2}) {
        const auto source =
            std::make_shared<GeneratedMaps>(Extents{1, 3, 2, 2}, [=](MapPlace place, Index query, Index key) {
                return place.head == missing && query == key ? std::nan("") : 0.5;
            });
        for (const MapReduction reduction : {MapReduction::mean, MapReduction::maximum}) {
            const auto map = map_of(*over_heads(source, reduction), {});
            EXPECT_TRUE(std::isnan(map[0]));
            EXPECT_EQ(map[1], 0.5);
        }
    }
}

TEST(DerivedMaps, AreSignedDifferences) {
    const auto minus = std::make_shared<GeneratedMaps>(
        Extents{layers, heads, queries, keys},
        [](MapPlace place, Index query, Index key) { return scattered(place, key, query); });
    expect_maps(*difference_of(maps(), minus), {layers, heads, queries, keys},
                [](MapPlace place, Index query, Index key) {
                    return scattered(place, query, key) - scattered(place, key, query);
                });
    const auto other = std::make_shared<GeneratedMaps>(Extents{layers, heads, queries, keys + 1}, scattered);
    expect_refusal([&] { difference_of(maps(), other); }, {"[3, 4, 150, 40] in both", "[3, 4, 150, 41]"});
}

TEST(DerivedMaps, JoinTokensToWords) {
    // A long word, words of one token, and tokens that belong to none.
    const std::vector<TokenSpan> query_words{{1, 2}, {3, 1}, {10, 100}, {110, 1}, {148, 2}};
    const std::vector<TokenSpan> key_words{{0, 1}, {1, 3}, {8, 30}, {39, 1}};
    expect_maps(*maps_of_words(maps(), query_words, key_words), {layers, heads, 5, 4},
                [&](MapPlace place, Index query, Index key) {
                    const TokenSpan row = query_words[static_cast<std::size_t>(query)];
                    const TokenSpan column = key_words[static_cast<std::size_t>(key)];
                    double sum = 0;
                    for (Index i = row.first; i < row.first + row.count; ++i)
                        for (Index j = column.first; j < column.first + column.count; ++j)
                            sum += scattered(place, i, j);
                    return sum / static_cast<double>(row.count);
                });
}

TEST(DerivedMaps, OfWordsThatDoNotFollowOneAnotherAreRefused) {
    const std::vector<TokenSpan> right{{0, 1}};
    for (const std::vector<TokenSpan>& wrong :
         {std::vector<TokenSpan>{}, {{0, 0}}, {{-1, 2}}, {{39, 2}}, {{4, 2}, {5, 1}}, {{4, 1}, {0, 1}}}) {
        expect_refusal([&] { maps_of_words(maps(), right, wrong); }, {"join tokens to words", "key"});
        if (!wrong.empty() && wrong.front().first != 39) {
            expect_refusal([&] { maps_of_words(maps(), wrong, right); }, {"query"});
        }
    }
}

}  // namespace

}  // namespace headlight::derived_maps_test
