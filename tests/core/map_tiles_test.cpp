// Levels of tiles against what a person would compute by hand, and the promise that they are there for: one
// bright cell never vanishes.

#include "core/map/map_tiles.h"
#include "core/tensor/interruption.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/generated_maps.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>

namespace headlight::map_tiles_test {

using namespace test;

namespace {

using Extents = MapSource::Extents;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

MapTile::Cell cell_of(const MapTiles& tiles, Index level, Index row, Index column) {
    constexpr Index side = MapTile::side;
    return tiles.tile({}, level, row / side, column / side)->at(row % side, column % side);
}

/// By the definition alone.
MapTile::Cell expected_cell(const std::vector<double>& map, const Extents& extents, Index level, Index row,
                            Index column) {
    double maximum = -infinity, sum = 0, numbers = 0;
    for (Index query = row << level; query < std::min((row + 1) << level, extents.queries); ++query)
        for (Index key = column << level; key < std::min((column + 1) << level, extents.keys); ++key)
            if (const double number = map[static_cast<std::size_t>(query * extents.keys + key)];
                !std::isnan(number)) {
                maximum = std::max(maximum, number);
                sum += number;
                ++numbers;
            }
    if (numbers == 0)
        return {static_cast<float>(nan), static_cast<float>(nan)};
    return {static_cast<float>(maximum), static_cast<float>(sum / numbers)};
}

void expect_same(float got, float expected) {
    if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(got)) << got;
    else if (std::isinf(expected))
        EXPECT_EQ(got, expected);
    else
        EXPECT_NEAR(got, expected, 1e-6);
}

void expect_every_level(const std::shared_ptr<const MapSource>& maps) {
    const auto map = map_of(*maps, {});
    const MapTiles tiles(maps);
    for (Index level = 0; level < tiles.levels().count(); ++level) {
        SCOPED_TRACE("level " + std::to_string(level));
        const MapLevels::Size size = tiles.levels().cells(level);
        for (Index row = 0; row < size.rows; ++row)
            for (Index column = 0; column < size.columns; ++column) {
                const MapTile::Cell got = cell_of(tiles, level, row, column);
                const MapTile::Cell expected = expected_cell(map, maps->extents(), level, row, column);
                expect_same(got.maximum, expected.maximum);
                expect_same(got.mean, expected.mean);
            }
    }
}

class LevelsOfTiles : public testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(LevelsOfTiles, HaveTheMaximumAndTheMeanOfWhatACellStandsFor) {
    const auto [queries, keys] = GetParam();
    expect_every_level(std::make_shared<GeneratedMaps>(Extents{1, 1, queries, keys}, scattered));
}

TEST_P(LevelsOfTiles, EndInASingleCell) {
    const MapLevels levels({1, 1, GetParam().first, GetParam().second});
    const MapLevels::Size last = levels.cells(levels.count() - 1);
    EXPECT_EQ(last.rows, 1);
    EXPECT_EQ(last.columns, 1);
    if (levels.count() > 1) {
        const MapLevels::Size before = levels.cells(levels.count() - 2);
        EXPECT_GT(before.rows * before.columns, 1);
    }
}

INSTANTIATE_TEST_SUITE_P(, LevelsOfTiles,
                         testing::Values(std::pair<Index, Index>(1, 1), std::pair<Index, Index>(1, 700),
                                         std::pair<Index, Index>(300, 1), std::pair<Index, Index>(13, 7),
                                         std::pair<Index, Index>(255, 257), std::pair<Index, Index>(65, 513),
                                         std::pair<Index, Index>(129, 64)));

TEST(Tiles, FinerThanTheOverviewAreTheSameNumbers) {
    // Longer than 2048 x 2048, so that level 0 is made tile by tile.
    const auto maps = std::make_shared<GeneratedMaps>(Extents{1, 1, 2100, 2500}, scattered);
    const MapTiles tiles(maps);
    EXPECT_EQ(tiles.levels().overview(), 1);
    const auto map = map_of(*maps, {});
    std::mt19937 random(5);
    for (Index level = 0; level < 3; ++level)
        for (int round = 0; round < 300; ++round) {
            const MapLevels::Size size = tiles.levels().cells(level);
            const Index row = std::uniform_int_distribution<Index>(0, size.rows - 1)(random);
            const Index column = std::uniform_int_distribution<Index>(0, size.columns - 1)(random);
            const MapTile::Cell got = cell_of(tiles, level, row, column);
            const MapTile::Cell expected = expected_cell(map, maps->extents(), level, row, column);
            expect_same(got.maximum, expected.maximum);
            expect_same(got.mean, expected.mean);
        }
}

TEST(Tiles, LeaveOutWhatIsNotANumber) {
    expect_every_level(
        std::make_shared<GeneratedMaps>(Extents{1, 1, 70, 90}, [](MapPlace place, Index query, Index key) {
            const bool is_missing = (query < 16 && key < 16) || (query * 7 + key * 3) % 11 == 0;
            return is_missing ? nan : scattered(place, query, key);
        }));
}

TEST(Tiles, OfInfiniteNumbersAreInfinite) {
    const auto maps =
        std::make_shared<GeneratedMaps>(Extents{1, 1, 8, 8}, [](MapPlace, Index query, Index key) {
            return query != key ? 0.5 : query < 4 ? infinity : -infinity;
        });
    const MapTiles tiles(maps);
    EXPECT_EQ(cell_of(tiles, 1, 0, 0).maximum, infinity);
    EXPECT_EQ(cell_of(tiles, 1, 0, 0).mean, infinity);
    EXPECT_EQ(cell_of(tiles, 1, 3, 3).maximum, 0.5);
    EXPECT_EQ(cell_of(tiles, 1, 3, 3).mean, -infinity);
    EXPECT_EQ(cell_of(tiles, 3, 0, 0).maximum, infinity);
    EXPECT_TRUE(std::isnan(cell_of(tiles, 3, 0, 0).mean)) << "both infinities have no mean";
}

// One bright cell

/// Zeros, and a single 1.
class OneBrightCell : public MapSource {
public:
    OneBrightCell(Index queries, Index keys, Index query, Index key)
        : MapSource({1, 1, queries, keys}), query_(query), key_(key) {}

    void read_rows(MapPlace, Index first, Index count, std::span<double> to) const override {
        std::fill_n(to.begin(), count * extents().keys, 0);
        if (query_ >= first && query_ < first + count)
            to[static_cast<std::size_t>((query_ - first) * extents().keys + key_)] = 1;
    }

private:
    Index query_, key_;
};

void expect_bright(Index queries, Index keys, Index query, Index key) {
    SCOPED_TRACE(to_string(Shape{queries, keys}) + " at " + to_string(Shape{query, key}));
    const MapTiles tiles(std::make_shared<OneBrightCell>(queries, keys, query, key));
    for (Index level = 0; level < tiles.levels().count(); ++level)
        ASSERT_EQ(cell_of(tiles, level, query >> level, key >> level).maximum, 1) << "level " << level;
}

TEST(Tiles, NeverLoseABrightCell) {
    std::mt19937 random(11);
    const auto up_to = [&](Index most) { return std::uniform_int_distribution<Index>(1, most)(random); };
    for (int round = 0; round < 60; ++round) {
        const Index queries = round % 5 == 0 ? 1 : up_to(600), keys = round % 7 == 0 ? 1 : up_to(600);
        expect_bright(queries, keys, up_to(queries) - 1, up_to(keys) - 1);
    }
    expect_bright(2049, 2300, 2048, 2299);
    expect_bright(1, 100'000, 0, 77'777);
}

TEST(Tiles, NeverLoseABrightCellOfALongText) {
    const Index tokens = is_sanitized ? 3'000 : 32'768;
    expect_bright(tokens, tokens, tokens / 3 + 1, tokens - 2);
}

// What is kept

TEST(Tiles, AreKeptWhileThereIsRoom) {
    const std::size_t room = 3 * MapTile(MapTile::side, MapTile::side).bytes();
    const MapTiles tiles(std::make_shared<GeneratedMaps>(Extents{1, 2, 2100, 2100}, scattered), room);
    const auto first = tiles.tile({}, 0, 0, 0);
    EXPECT_EQ(tiles.tile({}, 0, 0, 0), first);
    EXPECT_EQ(tiles.kept_tile({}, 0, 0, 0), first);
    EXPECT_EQ(tiles.kept_tile({0, 1}, 0, 0, 0), nullptr);
    for (Index column = 1; column < 8; ++column) {
        tiles.tile({0, 1}, 0, 0, column);
        EXPECT_LE(tiles.bytes(), room);
    }
    EXPECT_EQ(tiles.kept_tile({}, 0, 0, 0), nullptr) << "the one that was asked for longest ago goes first";
    EXPECT_EQ(first->at(0, 0).maximum, static_cast<float>(scattered({}, 0, 0))) << "who holds it keeps it";
    const auto coarse = tiles.tile({}, 2, 0, 0);
    EXPECT_EQ(coarse->rows, MapTile::side);
    EXPECT_LE(tiles.bytes(), room);
    EXPECT_NE(tiles.kept_tile({}, tiles.levels().count() - 1, 0, 0), nullptr) << "the coarsest stay longest";
}

// Interruption

TEST(Tiles, CanBeInterrupted) {
    std::atomic<bool> wanted = false;
    std::atomic<Index> rows = 0;
    const MapTiles tiles(
        std::make_shared<GeneratedMaps>(Extents{1, 1, 2'500, 2'500}, [&](MapPlace, Index, Index key) {
            if (key == 0 && ++rows == 200)
                wanted = true;
            return 0.0;
        }));
    const Interruption interruption(wanted);
    EXPECT_THROW(tiles.tile({}, 5, 0, 0), Interrupted);
    EXPECT_LT(rows, 2'000);
    EXPECT_EQ(tiles.bytes(), 0u);
    EXPECT_THROW(tiles.tile({}, 0, 0, 0), Interrupted);
    wanted = false;
    EXPECT_EQ(tiles.tile({}, 5, 0, 0)->at(0, 0).mean, 0) << "whoever asks again gets it";
}

}  // namespace

}  // namespace headlight::map_tiles_test
