// Maps of more numbers than are kept: what is drawn of them.

#include "core/figure/allowed_cells.h"
#include "core/figure/largest_cells.h"
#include "core/figure/panel_part.h"
#include "core/tensor/memory.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/generated_maps.h"
#include "tests/support/large_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace headlight::large_map_test {

using namespace test;
using large_maps::Bright;
using large_maps::large_map;
using large_maps::masked;
using large_maps::one_bright_cell;
using large_maps::SignedMaps;
using large_maps::tokens;

namespace {

/// The largest number of the part that a cell of the picture stands for, by the definition alone.
double expected_largest(const MapSource& maps, const LargeMap& map, const MapBlock& part) {
    std::vector<double> numbers(part.size());
    maps.read_block(
        map.place,
        {map.first_row + part.first_row, part.rows, map.first_column + part.first_column, part.columns},
        numbers);
    return std::ranges::max(numbers);
}

TEST(LargeMap, OfImpliedWeightsShowsTheNegativeOnesAtEveryZoom) {
    const Bright negative{1717, 222}, positive{1718, 223};
    LargeMap map = large_map(std::make_shared<SignedMaps>(negative, positive));
    ASSERT_TRUE(map.is_signed());
    std::mt19937 random(6);
    const auto below = [&](Index end) { return static_cast<Index>(random() % static_cast<unsigned>(end)); };
    for (Index turn = 0; turn < (is_sanitized ? 10 : 100); ++turn) {
        const Index rows = 1 + below(tokens), columns = 1 + below(tokens);
        map.first_row = std::clamp<Index>(negative.row - below(rows), 0, tokens - rows);
        map.first_column = std::clamp<Index>(negative.column - below(columns), 0, tokens - columns);
        const SeenMap seen = seen_map(map, rows, columns, 1 + below(400), 1 + below(400));
        EXPECT_EQ(std::ranges::count(seen.furthest, -5.0F) > 0, true) << rows << " x " << columns;
        const Index row = ((negative.row - map.first_row + 1) * seen.rows - 1) / rows;
        const Index column = ((negative.column - map.first_column + 1) * seen.columns - 1) / columns;
        EXPECT_EQ(seen.furthest[static_cast<std::size_t>(row * seen.columns + column)], -5.0F);
    }
    map.first_row = positive.row;
    map.first_column = positive.column;
    EXPECT_EQ(seen_map(map, 1, 1, 1, 1).furthest, std::vector<float>{3.0F});
}

TEST(LargeMap, OfImpliedWeightsThatDoesNotWaitIsDrawnFromCoarserTiles) {
    LargeMap map = large_map(std::make_shared<SignedMaps>(Bright{10, 20}, Bright{2'000, 2'100}));
    map.waits = false;
    map.tiles->tile({}, map.tiles->levels().overview(), 0, 0);
    const SeenMap seen = seen_map(map, 100, 100, 100, 100);
    EXPECT_FALSE(seen.is_complete);
    EXPECT_EQ(std::ranges::count(seen.furthest, -5.0F), 4) << "a cell of the overview stands for 2 x 2";
}

TEST(LargeMap, ShowsOneBrightCellAtEveryZoomAndSize) {
    const Bright bright{1717, 2222};
    LargeMap map = large_map(one_bright_cell(bright));
    std::mt19937 random(5);
    const auto below = [&](Index end) { return static_cast<Index>(random() % static_cast<unsigned>(end)); };
    for (Index turn = 0; turn < (is_sanitized ? 20 : 200); ++turn) {
        const Index rows = 1 + below(tokens), columns = 1 + below(tokens);
        map.first_row = std::clamp<Index>(bright.row - below(rows), 0, tokens - rows);
        map.first_column = std::clamp<Index>(bright.column - below(columns), 0, tokens - columns);
        const SeenMap seen = seen_map(map, rows, columns, 1 + below(400), 1 + below(400));
        EXPECT_TRUE(seen.is_complete);
        const Index row = ((bright.row - map.first_row + 1) * seen.rows - 1) / rows;
        const Index column = ((bright.column - map.first_column + 1) * seen.columns - 1) / columns;
        EXPECT_EQ(seen.furthest[static_cast<std::size_t>(row * seen.columns + column)], 1.0F)
            << rows << " x " << columns << " in " << seen.rows << " x " << seen.columns;
    }
}

TEST(LargeMap, IsDrawnAsTheLargestNumberOfEachCell) {
    const auto maps = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 2, tokens, tokens}, scattered);
    LargeMap map = large_map(maps);
    map.place.head = 1;
    // Cells of 4 x 4 numbers that begin where those of a level do.
    map.first_row = 256;
    map.first_column = 1024;
    const SeenMap seen = seen_map(map, 400, 800, 100, 200);
    ASSERT_EQ(seen.rows, 100);
    ASSERT_EQ(seen.columns, 200);
    for (Index row = 0; row < seen.rows; row += 9)
        for (Index column = 0; column < seen.columns; column += 11)
            EXPECT_EQ(seen.furthest[static_cast<std::size_t>(row * seen.columns + column)],
                      static_cast<float>(expected_largest(*maps, map, {4 * row, 4, 4 * column, 4})));
}

TEST(LargeMap, OfFewRowsIsDrawnInFewColumnsOfManyNumbers) {
    const auto maps = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 2, tokens, tokens}, scattered);
    LargeMap map = large_map(maps);
    map.first_row = 1'000;
    map.first_column = 77;
    const Index rows = 5, columns = 2'003;
    for (const Index drawn : {1, 2, 3, 7, 400, 1'999}) {
        const SeenMap seen = seen_map(map, rows, columns, rows, drawn);
        ASSERT_EQ(seen.columns, drawn);
        for (Index row = 0; row < rows; ++row)
            for (Index column = 0; column < drawn; ++column) {
                const Index first = column * columns / drawn, end = (column + 1) * columns / drawn;
                EXPECT_EQ(seen.furthest[static_cast<std::size_t>(row * drawn + column)],
                          static_cast<float>(expected_largest(*maps, map, {row, 1, first, end - first})))
                    << row << ", " << column << " of " << drawn;
            }
    }
}

TEST(LargeMap, GivesAPanelNumbersWhereItHasAllOfThem) {
    const auto with_numbers = [](Index rows, Index columns) {
        Panel panel;
        panel.rows = rows;
        panel.columns = columns;
        panel.large = large_map(one_bright_cell({5, 1}));
        take_numbers(panel);
        return panel;
    };
    const Panel few = with_numbers(20, 4);
    EXPECT_FALSE(few.large);
    EXPECT_EQ(std::ssize(few.values), 20 * 4);
    // No more than 2,048 rows are seen, of which there are fewer than cells.
    const Panel many = with_numbers(tokens, 4);
    EXPECT_TRUE(many.large);
    EXPECT_TRUE(many.values.empty());
}

TEST(LargeMap, HasItsOwnNumbersWhereACellIsOne) {
    const auto maps = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 2, tokens, tokens}, scattered);
    LargeMap map = large_map(maps);
    map.first_row = 2'990;
    map.first_column = 250;
    const SeenMap seen = seen_map(map, 10, 12, 1'000, 1'000);
    ASSERT_EQ(seen.rows, 10);
    ASSERT_EQ(seen.columns, 12);
    for (Index row = 0; row < 10; ++row)
        for (Index column = 0; column < 12; ++column)
            EXPECT_EQ(seen.furthest[static_cast<std::size_t>(row * 12 + column)],
                      static_cast<float>(scattered({}, 2'990 + row, 250 + column)));
}

TEST(LargeMap, ThatDoesNotWaitIsDrawnFromWhatIsKnown) {
    const Bright bright{10, 20};
    LargeMap map = large_map(one_bright_cell(bright));
    map.waits = false;
    const auto is_unknown = [](float number) { return std::isnan(number); };
    SeenMap seen = seen_map(map, 100, 100, 100, 100);
    EXPECT_FALSE(seen.is_complete);
    EXPECT_TRUE(std::ranges::all_of(seen.furthest, is_unknown));

    // First the overview, then what is in sight.
    std::vector<WantedTile> wanted = wanted_tiles(map, 100, 100, 100, 100);
    ASSERT_EQ(wanted.size(), 2u);
    EXPECT_EQ(wanted[0], (WantedTile{map.tiles->levels().overview(), 0, 0}));
    EXPECT_EQ(wanted[1], (WantedTile{0, 0, 0}));
    const auto make = [&](const WantedTile& tile) {
        map.tiles->tile(map.place, tile.level, tile.row, tile.column);
    };
    make(wanted[0]);
    seen = seen_map(map, 100, 100, 100, 100);
    EXPECT_FALSE(seen.is_complete);
    EXPECT_TRUE(std::ranges::none_of(seen.furthest, is_unknown));
    EXPECT_EQ(std::ranges::count(seen.furthest, 1.0F), 4) << "a cell of the overview stands for 2 x 2";

    make(wanted[1]);
    seen = seen_map(map, 100, 100, 100, 100);
    EXPECT_TRUE(seen.is_complete);
    EXPECT_EQ(seen.furthest[10 * 100 + 20], 1.0F);
    EXPECT_EQ(std::ranges::count(seen.furthest, 1.0F), 1);
    EXPECT_TRUE(wanted_tiles(map, 100, 100, 100, 100).empty());
}

/// A cell has the largest number of the cells of tiles that it lies on, whatever level these are of.
TEST(LargeMap, IsDrawnFromTilesOfSeveralLevels) {
    LargeMap map = large_map(one_bright_cell({1'100, 900}));
    map.waits = false;
    map.first_row = 837;
    map.first_column = 611;
    constexpr Index rows = 713, columns = 747, size = 401, level = 0;
    std::vector<double> numbers(std::size_t(tokens * tokens));
    map.tiles->maps()->read_block(map.place, {0, tokens, 0, tokens}, numbers);
    const auto largest_at = [&](Index coarse, Index row, Index column) {
        const Index side = Index(1) << coarse, top = row / side * side, left = column / side * side;
        double largest = 0;
        for (Index i = top; i < std::min(top + side, tokens); ++i)
            for (Index j = left; j < std::min(left + side, tokens); ++j)
                largest = std::max(largest, numbers[std::size_t(i * tokens + j)]);
        return static_cast<float>(largest);
    };
    const Index overview = map.tiles->levels().overview();
    ASSERT_GT(overview, level);
    const auto expect_drawn = [&](bool has_fine) {
        const SeenMap seen = seen_map(map, rows, columns, size, size);
        EXPECT_FALSE(seen.is_complete);
        for (Index row = 0; row < size; row += 7)
            for (Index column = 0; column < size; column += 3) {
                float expected = 0;
                constexpr Index cell = Index(1) << level;
                for (Index i = (map.first_row + row * rows / size) / cell * cell;
                     i < map.first_row + (row + 1) * rows / size; i += cell)
                    for (Index j = (map.first_column + column * columns / size) / cell * cell;
                         j < map.first_column + (column + 1) * columns / size; j += cell) {
                        const bool is_fine =
                            has_fine && i / cell / MapTile::side == 4 && j / cell / MapTile::side == 3;
                        expected = std::max(expected, largest_at(is_fine ? level : overview, i, j));
                    }
                ASSERT_EQ(seen.furthest[std::size_t(row * size + column)], expected) << row << ", " << column;
            }
    };
    map.tiles->tile(map.place, overview, 0, 0);
    expect_drawn(false);
    map.tiles->tile(map.place, level, 4, 3);
    expect_drawn(true);
}

TEST(LargeMap, IsReadInTheColumnsThatAreAskedFor) {
    std::mt19937 random(11);
    const auto any = [&](Index end) { return static_cast<Index>(random() % static_cast<unsigned>(end)); };
    const std::shared_ptr<const MapSource> sources[] = {
        one_bright_cell({1'100, 900}),
        std::make_shared<SignedMaps>(Bright{1'100, 900}, Bright{1'200, 1'000})};
    for (const auto& source : sources) {
        LargeMap map = large_map(source);
        for (int trial = 0; trial < 12; ++trial) {
            const Index rows = 300 + any(tokens - 300), columns = 300 + any(tokens - 300);
            map.first_row = any(tokens - rows + 1);
            map.first_column = any(tokens - columns + 1);
            const SeenSize size{40 + any(200), 40 + any(200)};
            const SeenMap whole = seen_map(map, rows, columns, size.rows, size.columns);
            std::vector<KeyRange> asked;
            for (Index row = 0; row < size.rows; ++row) {
                const Index begin = any(size.columns);
                asked.push_back({begin, begin + any(size.columns - begin + 1)});
            }
            std::vector<Index> wrong(asked.size());
            read_seen_map(
                map, rows, columns, size,
                [&](Index row, std::span<const float> furthest) {
                    const auto at = static_cast<std::size_t>(row);
                    for (Index column = asked[at].begin; column < asked[at].end; ++column)
                        wrong[at] += furthest[std::size_t(column)] !=
                                     whole.furthest[std::size_t(row * size.columns + column)];
                },
                asked);
            EXPECT_EQ(std::ranges::count(wrong, 0), std::ssize(wrong)) << trial;
        }
    }
}

/// (row, column) of the panel, largest number first, by looking at every number.
std::vector<std::pair<Index, Index>> largest_by_definition(const MapSource& maps, const Panel& panel,
                                                           std::size_t count) {
    std::vector<std::tuple<float, Index, Index>> all;
    for (Index row = 0; row < panel.rows; ++row) {
        std::vector<double> numbers(static_cast<std::size_t>(panel.columns));
        maps.read_block(panel.large->place,
                        {panel.large->first_row + row, 1, panel.large->first_column, panel.columns}, numbers);
        for (Index column = 0; column < panel.columns; ++column)
            all.emplace_back(-static_cast<float>(numbers[static_cast<std::size_t>(column)]), row, column);
    }
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<std::pair<Index, Index>> places;
    for (std::size_t i = 0; i < count; ++i)
        places.emplace_back(std::get<1>(all[i]), std::get<2>(all[i]));
    return places;
}

TEST(LargeMap, LeadsToItsLargestNumbers) {
    const auto maps = std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, 2, tokens, tokens}, [](MapPlace place, Index query, Index key) {
            return query % 500 == 499 && key % 300 == 7 ? 2.0 : scattered(place, query, key);
        });
    Panel panel;
    panel.rows = 1'200;
    panel.columns = 900;
    panel.large = large_map(maps);
    panel.large->first_row = 700;
    panel.large->first_column = 33;
    std::vector<std::pair<Index, Index>> found;
    for (const LargestCell& cell : largest_cells(panel, 20))
        found.emplace_back(cell.row, cell.column);
    EXPECT_EQ(found, largest_by_definition(*maps, panel, 20)) << "six alike, from the top left, then others";
}

TEST(LargeMap, OfACaptureHasItsMaskInEveryCell) {
    std::mt19937 random(5);
    const auto any = [&](Index end) { return static_cast<Index>(random() % static_cast<unsigned>(end)); };
    for (const Index window : {0, 40, 1'000}) {
        LargeMap map = large_map(masked(window));
        const auto is_allowed = [&](Index query, Index key) {
            return key <= query && (window == 0 || query - key < window);
        };
        for (int trial = 0; trial < 40; ++trial) {
            const Index rows = 1 + any(trial < 20 ? 60 : tokens), columns = 1 + any(trial < 20 ? 60 : tokens);
            map.first_row = any(tokens - rows + 1);
            map.first_column = any(tokens - columns + 1);
            const Index cell_rows = 1 + any(std::min<Index>(rows, 40)),
                        cell_columns = 1 + any(std::min<Index>(columns, 40));
            const auto allowed = allowed_cells(map, rows, columns, cell_rows, cell_columns);
            for (Index row = 0; row < cell_rows; ++row)
                for (Index column = 0; column < cell_columns; ++column) {
                    // A corner of the cell is allowed, or the band passes between its corners.
                    bool some = false;
                    const Index end = map.first_column + (column + 1) * columns / cell_columns;
                    for (Index query = map.first_row + row * rows / cell_rows;
                         query < map.first_row + (row + 1) * rows / cell_rows && !some; ++query)
                        for (Index key = map.first_column + column * columns / cell_columns;
                             key < end && !some; ++key)
                            some = is_allowed(query, key);
                    const bool is_drawn =
                        allowed.empty() || (column >= allowed[static_cast<std::size_t>(row)].begin &&
                                            column < allowed[static_cast<std::size_t>(row)].end);
                    // What is allowed is never drawn as forbidden.
                    EXPECT_TRUE(is_drawn || !some) << window << ' ' << row << ' ' << column;
                    if (cell_rows == rows) {
                        EXPECT_EQ(is_drawn, some) << window << ' ' << row << ' ' << column;
                    }
                }
        }
    }
}

}  // namespace

TEST(LargeMap, GivesAFileAllNumbersOfAPartThatNoPictureDraws) {
    const auto maps = one_bright_cell({700, 800});
    Figure figure;
    figure.panels.emplace_back();
    Panel& panel = figure.panels.front();
    panel.rows = 150;
    panel.columns = 1'000;
    panel.large = large_map(maps);
    panel.large->place = {0, 1};
    panel.large->first_row = 600;
    panel.large->first_column = 50;
    const Figure whole = with_all_numbers(figure, "write CSV");
    std::vector<double> expected(150'000);
    maps->read_block({0, 1}, {600, 150, 50, 1'000}, expected);
    EXPECT_FALSE(whole.panels.front().large);
    EXPECT_EQ(whole.panels.front().values, Storage<const double>(expected));
    EXPECT_EQ(whole.panels.front().values[100 * 1'000 + 750], 1.0);
    const MemoryLimit limit(1'000'000);
    EXPECT_NE(refusal([&] { with_all_numbers(figure, "write CSV"); }).find("memory"), std::string::npos);
}

}  // namespace headlight::large_map_test
