// Threads that ask the same maps for tiles. ThreadSanitizer runs these (ctest -L threads).

#include "core/map/map_tiles.h"
#include "core/map/query_key_maps.h"
#include "core/tensor/interruption.h"
#include "tests/support/generated_maps.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace headlight;
using namespace headlight::test;

namespace {

using Extents = MapSource::Extents;

template <class Task>
void on_threads(int count, const Task& task) {
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(count));
    for (int thread = 0; thread < count; ++thread)
        threads.emplace_back(task, thread);
    for (std::thread& thread : threads)
        thread.join();
}

TEST(MapThreads, GetTheSameTilesOfQueriesAndKeys) {
    const auto vectors = std::make_shared<GeneratedMaps>(Extents{1, 2, 600, 8}, scattered);
    const auto maps = [&] {
        return std::make_shared<QueryKeyMaps>(vectors, vectors, QueryKeyTerms{.causal = true});
    };
    const MapTiles alone(maps()), shared(maps(), std::size_t(1) << 20);
    on_threads(4, [&](int thread) {
        for (Index number = 0; number < 16; ++number) {
            const MapPlace place{0, (number + thread) % 2};
            const Index level = number % alone.levels().count();
            const MapLevels::Size size = alone.levels().tiles(level);
            const Index row = number % size.rows, column = (number / 3) % size.columns;
            const auto got = shared.tile(place, level, row, column);
            const auto expected = alone.tile(place, level, row, column);
            ASSERT_EQ(got->maxima, expected->maxima);
            ASSERT_EQ(got->means, expected->means);
        }
    });
}

TEST(MapThreads, ReadTheSameBlocksWhoeverKnowsTheSums) {
    const auto vectors = std::make_shared<GeneratedMaps>(Extents{1, 1, 500, 8}, scattered);
    const QueryKeyMaps maps(vectors, vectors, {}), other(vectors, vectors, {});
    const auto dense = map_of(other, {});
    on_threads(4, [&](int thread) {
        for (Index first = thread; first + 100 < 500; first += 37) {
            std::vector<double> block(std::size_t(100) * 50);
            maps.read_block({}, {first, 100, 400 - first, 50}, block);
            for (Index row = 0; row < 100; ++row)
                for (Index column = 0; column < 50; ++column)
                    ASSERT_EQ(block[static_cast<std::size_t>(row * 50 + column)],
                              dense[static_cast<std::size_t>((first + row) * 500 + 400 - first + column)]);
        }
    });
}

TEST(MapThreads, MakeOneOverviewWhileTheOthersWait) {
    std::atomic<Index> rows = 0;
    const MapTiles tiles(
        std::make_shared<GeneratedMaps>(Extents{1, 1, 900, 64}, [&](MapPlace, Index, Index key) {
            rows += key == 0;
            return 0.25;
        }));
    on_threads(4, [&](int) { EXPECT_EQ(tiles.tile({}, 3, 0, 0)->at(0, 0).mean, 0.25f); });
    EXPECT_EQ(rows, 900);
}

TEST(MapThreads, WaitNoLongerThanTheyWant) {
    std::atomic<bool> has_begun = false, may_end = false;
    const MapTiles tiles(std::make_shared<GeneratedMaps>(Extents{1, 1, 4, 4}, [&](MapPlace, Index, Index) {
        has_begun = true;
        while (!may_end)
            std::this_thread::yield();
        return 1.0;
    }));
    std::thread slow([&] { EXPECT_EQ(tiles.tile({}, 2, 0, 0)->at(0, 0).maximum, 1); });
    while (!has_begun)
        std::this_thread::yield();
    const std::atomic<bool> wanted = true;
    const Interruption interruption(wanted);
    EXPECT_THROW(tiles.tile({}, 2, 0, 0), Interrupted);
    may_end = true;
    slow.join();
}

}  // namespace
