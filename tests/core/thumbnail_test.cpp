#include "core/attention/lazy_maps.h"
#include "core/attention/trace.h"
#include "core/map/hidden_keys.h"
#include "core/map/maps_trace.h"
#include "core/map/thumbnail.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>
#include <thread>

namespace headlight::thumbnail_test { namespace {

class Numbers : public MapSource {
public:
    Numbers(Extents extents, std::vector<double> numbers)
        : MapSource(extents), numbers_(std::move(numbers)) {}

    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
        const auto& [layers, heads, queries, keys] = extents();
        const auto begin = numbers_.begin() + ((place.layer * heads + place.head) * queries + first) * keys;
        std::copy(begin, begin + count * keys, to.begin());
    }

private:
    std::vector<double> numbers_;
};

constexpr double none = std::numeric_limits<double>::quiet_NaN();

TEST(Thumbnail, OfASmallMapIsTheMap) {
    const Thumbnail small = thumbnail_of(Numbers({1, 1, 2, 3}, {1, 2, 3, 4, none, 6}), {}, 4);
    EXPECT_EQ(small.rows, 2);
    EXPECT_EQ(small.columns, 3);
    EXPECT_EQ(small.largest[3], 4);
    EXPECT_TRUE(std::isnan(small.largest[4]));
}

TEST(Thumbnail, OneBrightCellNeverVanishes) {
    std::mt19937 random(7);
    for (const auto& [rows, columns, most] : {std::tuple<Index, Index, Index>{1, 100, 7},
                                              {100, 1, 7},
                                              {33, 65, 8},
                                              {257, 64, 16},
                                              {96, 96, 96}}) {
        for (int trial = 0; trial < 20; ++trial) {
            std::vector<double> numbers(static_cast<std::size_t>(rows * columns), 0.01);
            const Index row = static_cast<Index>(random() % static_cast<unsigned>(rows)),
                        column = static_cast<Index>(random() % static_cast<unsigned>(columns));
            numbers[static_cast<std::size_t>(row * columns + column)] = 1;
            const Thumbnail small = thumbnail_of(Numbers({1, 1, rows, columns}, numbers), {}, most);
            EXPECT_LE(small.rows, most);
            EXPECT_LE(small.columns, most);
            Index width = 1;
            while (std::max(rows, columns) > width * most)
                width *= 2;
            for (Index y = 0; y < small.rows; ++y)
                for (Index x = 0; x < small.columns; ++x)
                    EXPECT_EQ(small.largest[static_cast<std::size_t>(y * small.columns + x)],
                              y == row / width && x == column / width ? 1.0f : 0.01f);
        }
    }
}

TEST(Thumbnail, OfABlockWithoutANumberHasNone) {
    std::vector<double> numbers(16, none);
    numbers[15] = -2;
    const Thumbnail small = thumbnail_of(Numbers({1, 1, 4, 4}, numbers), {}, 2);
    EXPECT_TRUE(std::isnan(small.largest[0]));
    EXPECT_EQ(small.largest[3], -2);
}

TEST(Thumbnail, OneNegativeCellNeverVanishes) {
    std::vector<double> numbers(64, 0.25);
    numbers[9] = -2;
    numbers[63] = -0.125;
    const Thumbnail small = thumbnail_of(Numbers({1, 1, 8, 8}, numbers), {}, 2);
    EXPECT_EQ(small.largest, (std::vector<float>{-2, 0.25F, 0.25F, 0.25F}));
}

/// A query sees no later key.
class CausalNumbers : public Numbers {
public:
    using Numbers::Numbers;
    KeyRange allowed_keys(MapPlace, Index query) const override { return {0, query + 1}; }
};

TEST(Thumbnail, HasTheRangeOfWhatTheMaskAllows) {
    const CausalNumbers numbers({1, 1, 4, 4},
                                {1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.25, 0.5, 0, 0.25, 0.25, 0.25, 0.25});
    const Thumbnail small = thumbnail_of(numbers, {}, 2);
    EXPECT_EQ(small.largest, (std::vector<float>{1, 0, 0.25F, 0.5F}));
    EXPECT_EQ(small.forbidden, (std::vector<std::uint8_t>{0, 1, 0, 0}));
    EXPECT_EQ(small.range.low, 0.25);
    EXPECT_EQ(small.range.high, 1);
    EXPECT_TRUE(thumbnail_of(Numbers({1, 1, 1, 2}, {0, 1}), {}, 2).forbidden.empty());
}

// Keys that any mask leaves, which the recorded scores tell.
TEST(Thumbnail, HasTheRangeOfWhatARecordedMaskAllows) {
    constexpr double forbidden = -std::numeric_limits<double>::infinity();
    auto trace = std::make_shared<Trace>(
        std::vector<Stage>{{"", "masked_scores", {Axis::head, Axis::query, Axis::key}, {1, 2, 3}},
                           {"", "weights", {Axis::head, Axis::query, Axis::key}, {1, 2, 3}}});
    std::ranges::copy(std::vector<double>{1, forbidden, 1, forbidden, 1, forbidden},
                      trace->values(trace->stages()[0]).begin());
    std::ranges::copy(std::vector<double>{0.5, 0, 0.5, 0, 1, 0}, trace->values(trace->stages()[1]).begin());
    const std::vector<LabelledMaps> maps = maps_of(std::shared_ptr<const Trace>(trace));
    for (const bool has_hidden : {false, true}) {
        const auto seen =
            has_hidden ? std::make_shared<const MapsWithoutKeys>(maps.front().maps, std::vector<Index>{2})
                       : maps.front().maps;
        const Thumbnail small = thumbnail_of(*seen, {}, 3);
        EXPECT_EQ(small.forbidden, (std::vector<std::uint8_t>{0, 1, 0, 1, 0, 1}));
        EXPECT_EQ(small.range.low, has_hidden ? 1 : 0.5);
        EXPECT_EQ(small.range.high, 1);
    }
}

TEST(Thumbnail, OfForbiddenScoresIsWhatIsAllowed) {
    constexpr double forbidden = -std::numeric_limits<double>::infinity();
    const Thumbnail small = thumbnail_of(
        Numbers({1, 1, 2, 4}, {-3, forbidden, forbidden, forbidden, 1, 2, forbidden, forbidden}), {}, 2);
    EXPECT_EQ(small.largest[0], -3);
    EXPECT_EQ(small.largest[1], static_cast<float>(forbidden));
}

TEST(LazyMaps, AreReadOnceAHead) {
    std::atomic<int> reads = 0;
    const LazyMaps maps(3, 2, 2, [&](Index head, Index, Index count, std::span<double> to) {
        ++reads;
        std::fill_n(to.begin(), count * 2, static_cast<double>(head));
    });
    EXPECT_EQ(reads, 0);
    EXPECT_EQ(maps.head(1)[3], 1);
    EXPECT_EQ(maps.head(1)[0], 1);
    EXPECT_EQ(reads, 1);
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([&] { EXPECT_EQ(maps.all()[11], 2); });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(reads, 3);
}

TEST(LazyMaps, ThatCannotBeReadHaveNoNumbersAndSayWhy) {
    const LazyMaps maps(1, 1, 2, [](Index, Index, Index, std::span<double>) {
        throw Error({"read maps", "weights.npz", "a file as long as before", "a shorter one"});
    });
    EXPECT_TRUE(maps.problem().empty());
    EXPECT_TRUE(std::isnan(maps.head(0)[1]));
    EXPECT_NE(maps.problem().find("weights.npz"), std::string::npos);
}

TEST(LazyMaps, OfATraceAreSharedWithWhatIsDrawn) {
    auto source = std::make_shared<Numbers>(MapSource::Extents{2, 1, 2, 2},
                                            std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
    Trace trace = trace_of(std::vector<LabelledMaps>{{"", source, {}}}, "numbers");
    const Stage& second = *trace.find("weights", "layer.1");
    const Storage<const double> map = trace.shared_matrix(second, 0);
    EXPECT_EQ(map[3], 8);
    Trace copy;
    copy = trace;
    EXPECT_EQ(copy.matrix(*copy.find("weights", "layer.1"), 0).data(), map.data());
    std::vector<double> row(2);
    trace.read_rows(*trace.find("weights", "layer.0"), 0, 1, 1, row);
    EXPECT_EQ(row, (std::vector<double>{3, 4}));
}

TEST(NumbersOfAStage, OfATraceStayAsTheyWereWhenItIsWrittenTo) {
    Trace trace({{"", "weights", {Axis::query, Axis::key}, {1, 2}}});
    trace.values(trace.stages().front())[0] = 1;
    const Storage<const double> before = trace.shared_matrix(trace.stages().front(), 0);
    trace.values(trace.stages().front())[0] = 2;
    EXPECT_EQ(before[0], 1);
    EXPECT_EQ(trace.values(trace.stages().front())[0], 2);
}

}}  // namespace headlight::thumbnail_test
