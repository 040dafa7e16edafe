// Maps made of other maps, against the definition.

#include "core/map/aligned_maps.h"
#include "core/map/derived_maps.h"
#include "core/map/hidden_keys.h"
#include "core/map/joined_maps.h"
#include "core/map/map_tiles.h"
#include "core/tensor/error.h"
#include "tests/support/generated_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

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

/// Causal maps as a source has them that knows all that a source can know; counts the rows that it computes.
class KnowingMaps : public GeneratedMaps {
public:
    explicit KnowingMaps(const Extents& extents)
        : GeneratedMaps(extents, [](MapPlace place, Index query, Index key) {
              return key <= query ? scattered(place, query, key) : 0.0;
          }) {}
    bool has_rows_alone() const override { return true; }
    bool is_zero(MapPlace, const MapBlock& block) const override {
        return block.first_column >= block.first_row + block.rows;
    }
    KeyRange allowed_keys(MapPlace, Index query) const override { return {0, query + 1}; }
    std::string left_out() const override { return "small ones"; }
    bool is_implied(Index layer) const override { return layer == 1; }
    bool is_signed(Index layer) const override { return layer == 2; }
    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
        rows_read += count;
        GeneratedMaps::read_rows(place, first, count, to);
    }
    mutable std::atomic<Index> rows_read = 0;
};

using Maps = std::shared_ptr<const MapSource>;

/// What maps made of those of layers 0 to 2, of KnowingMaps, know of them.
struct Forwarded {
    const char* name;
    std::function<Maps(const Maps&)> make;
    Index implied_layer = 1;
    std::optional<Index> signed_layer = 2;
    KeyRange allowed_of_fourth{0, 4};
    bool has_zero_blocks = true;
};

void PrintTo(const Forwarded& row, std::ostream* out) { *out << row.name; }

class ForwardedKnowledge : public testing::TestWithParam<Forwarded> {};

TEST_P(ForwardedKnowledge, IsThatOfTheSources) {
    const Forwarded& row = GetParam();
    const Maps made = row.make(std::make_shared<KnowingMaps>(Extents{layers, heads, 40, 40}));
    EXPECT_TRUE(made->has_rows_alone());
    EXPECT_EQ(made->left_out(), "small ones");
    EXPECT_TRUE(made->is_implied(row.implied_layer));
    for (Index layer = 0; layer < made->extents().layers; ++layer) {
        EXPECT_TRUE(layer == row.implied_layer || !made->is_implied(layer)) << layer;
        EXPECT_TRUE(!row.signed_layer || layer == *row.signed_layer || !made->is_signed(layer)) << layer;
    }
    if (row.signed_layer) {
        EXPECT_TRUE(made->is_signed(*row.signed_layer));
    }
    EXPECT_EQ(made->allowed_keys({0, 0}, 3), row.allowed_of_fourth);
    EXPECT_EQ(made->is_zero({0, 0}, {0, 4, 10, 4}), row.has_zero_blocks);
    EXPECT_FALSE(made->is_zero({0, 0}, {10, 4, 4, 8}));
}

Maps twice(const Maps& maps) {
    return std::make_shared<JoinedMaps>(std::vector{maps, maps}, JoinedMaps::Axis::head);
}

std::vector<Index> first_tokens(Index count) {
    std::vector<Index> tokens(static_cast<std::size_t>(count));
    std::iota(tokens.begin(), tokens.end(), Index(0));
    return tokens;
}

/// Words of two tokens.
std::vector<TokenSpan> pairs_of_tokens(Index count) {
    std::vector<TokenSpan> words;
    for (Index word = 0; word < count; ++word)
        words.push_back({2 * word, 2});
    return words;
}

std::span<const double> halves(MapPlace) {
    static const std::vector<double> numbers(40, 0.5);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(
    All, ForwardedKnowledge,
    testing::Values(
        Forwarded{"heads", [](const Maps& maps) { return over_heads(maps, MapReduction::mean); }},
        Forwarded{"layers", [](const Maps& maps) { return over_layers(maps, MapReduction::mean); }, 0, 0},
        Forwarded{"difference", [](const Maps& maps) { return difference_of(maps, maps); }, 1, std::nullopt},
        // Sizes have no sign.
        Forwarded{"sizes", [](const Maps& maps) { return sizes_times(maps, halves); }, 1, std::nullopt},
        Forwarded{
            "words",
            [](const Maps& maps) { return maps_of_words(maps, pairs_of_tokens(20), pairs_of_tokens(20)); },
            1,
            2,
            {0, 4}},
        Forwarded{"joined", twice},
        // Where nothing is left of a row its weights say so, and not the mask.
        Forwarded{
            "hidden",
            [](const Maps& maps) { return std::make_shared<MapsWithoutKeys>(maps, std::vector<Index>{0}); },
            1,
            2,
            {0, 4},
            false},
        Forwarded{"chosen",
                  [](const Maps& maps) { return part_of(maps, first_tokens(20), first_tokens(20)); }}),
    [](const auto& row) { return row.param.name; });

TEST(DerivedMaps, ComputeTheRowsOfATileOnceForAllBesideIt) {
    const auto source = std::make_shared<KnowingMaps>(Extents{1, 2, MapTile::side, 16 * MapTile::side});
    const MapTiles tiles(over_heads(source, MapReduction::mean));
    for (Index column = 0; column < 16; ++column)
        tiles.tile({0, 0}, 0, 0, column);
    EXPECT_EQ(source->rows_read, 2 * MapTile::side);
}

}  // namespace

}  // namespace headlight::derived_maps_test
