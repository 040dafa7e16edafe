// How far heads look: distances in bins, and the shares in them.

#include "core/analysis/distance_bins.h"
#include "core/analysis/head_table.h"
#include "core/map/sparse_maps.h"
#include "tests/support/generated_maps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace headlight::distance_bins_test {

using namespace test;

namespace {

TEST(DistanceBins, OfAShortTextAreItsDistances) {
    const DistanceBins bins(5, 7);
    ASSERT_EQ(bins.count(), 7);
    for (Index distance = 0; distance < 7; ++distance) {
        EXPECT_EQ(bins.bin_of(distance), distance);
        EXPECT_EQ(bins.label(distance), std::to_string(distance));
    }
    EXPECT_EQ(DistanceBins(1, 1).count(), 1);
}

TEST(DistanceBins, OfALongTextGrowWithTheDistance) {
    const DistanceBins bins(100, 100);
    const std::vector<std::string> expected{"15", "16–23", "24–31", "32–47", "48–63", "64–95", "96–99"};
    ASSERT_EQ(bins.count(), 15 + std::ssize(expected));
    for (std::size_t at = 0; at < expected.size(); ++at)
        EXPECT_EQ(bins.label(15 + static_cast<Index>(at)), expected[at]);
    for (Index distance = 1; distance < 100; ++distance) {
        const Index step = bins.bin_of(distance) - bins.bin_of(distance - 1);
        EXPECT_TRUE(step == 0 || step == 1) << distance;
    }
    EXPECT_EQ(bins.bin_of(23), 16);
    EXPECT_EQ(bins.bin_of(24), 17);
    EXPECT_LE(DistanceBins(32'768, 32'768).count(), 40);
}

TEST(DistanceBins, HaveTheSharesOfAHead) {
    constexpr Index queries = 30, keys = 40;
    const auto source = std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, 2, queries, keys}, [](MapPlace place, Index query, Index key) {
            return query == 3 ? 0.0 : scattered(place, query, key);  // a row without weight has no shares
        });
    LabelledMaps maps{"", source, {}};
    for (const std::vector<Index>& hidden : {std::vector<Index>{}, {0, 7}}) {
        maps.lens.hidden_keys = hidden;
        std::vector<double> of_distance(keys, 0.0);
        const std::vector<double> map = map_of(*source, {0, 1});
        for (Index query = 0; query < queries; ++query) {
            double sum = 0;
            for (Index key = 0; key < keys; ++key)
                sum +=
                    std::ranges::count(hidden, key) ? 0 : map[static_cast<std::size_t>(query * keys + key)];
            for (Index key = 0; query != 3 && key < keys; ++key)
                of_distance[static_cast<std::size_t>(std::abs(query - key))] +=
                    std::ranges::count(hidden, key)
                        ? 0
                        : map[static_cast<std::size_t>(query * keys + key)] / sum / (queries - 1);
        }
        const HeadCounts counts = counts_of(maps, {0, 1});
        const DistanceBins bins(queries, keys);
        ASSERT_EQ(std::ssize(counts.distances), bins.count());
        std::vector<double> expected(counts.distances.size());
        for (Index distance = 0; distance < keys; ++distance)
            expected[static_cast<std::size_t>(bins.bin_of(distance))] +=
                of_distance[static_cast<std::size_t>(distance)];
        double sum = 0;
        for (std::size_t bin = 0; bin < expected.size(); ++bin) {
            EXPECT_NEAR(counts.distances[bin], expected[bin], 1e-12) << bins.label(static_cast<Index>(bin));
            sum += counts.distances[bin];
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

// The word that a query of two streams guesses stands behind the last one that it may see.
TEST(DistanceBins, OfTwoStreamsAreFromThePlaceThatIsGuessed) {
    constexpr Index tokens = 4;
    const auto newest = std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, 1, tokens, tokens},
        [](MapPlace, Index query, Index key) { return query == key ? 1.0 : 0.0; });
    LabelledMaps maps{"", newest, {}};
    maps.tokens.query = {"a", "a", "a", "a"};
    const auto number = [&](const char* name) { return statistics_of(maps, {})[*find_statistic(name)]; };
    maps.sites = {"decoder.0.query"};
    EXPECT_EQ(number("distance"), 1);
    EXPECT_EQ(number("previous_token"), 1);
    EXPECT_EQ(number("diagonal"), 0);
    EXPECT_FALSE(number("duplicate")) << "its own token is not among those that are read";
    EXPECT_EQ(counts_of(maps, {}).distances, (std::vector<double>{0, 1, 0, 0, 0}));
    EXPECT_EQ(DistanceBins(tokens, tokens, 1).count(), 5) << "from the last place to the first token";
    maps.sites = {"decoder.0.content"};
    EXPECT_EQ(number("distance"), 0);
    EXPECT_EQ(number("diagonal"), 1);
    EXPECT_EQ(counts_of(maps, {}).distances, (std::vector<double>{1, 0, 0, 0}));
    double told = 0;
    const std::vector<HeadRow> table = head_table(std::span(&maps, 1), [&](double share) { told = share; });
    EXPECT_EQ(told, 1) << "all rows are counted";
    EXPECT_EQ(distance_csv(table).find("1,1,4,"), std::string::npos);
    maps.sites = {"decoder.0.query"};
    const std::string lines = distance_csv(head_table(std::span(&maps, 1)));
    EXPECT_NE(lines.find("1,1,1,1,1\n"), std::string::npos) << lines;
    EXPECT_NE(lines.find("1,1,4,4,0\n"), std::string::npos) << lines;
}

// Nothing is counted of sparse rows, and nothing is left to count.
TEST(DistanceBins, AreAllCountedWhereSomeMapsAreSparse) {
    const auto whole = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 1, 4, 4},
                                                       [](MapPlace, Index, Index) { return 0.25; });
    const auto sparse = std::make_shared<SparseMaps>(4, 4, std::vector<SparseMaps::Weight>(), "all");
    const std::vector<LabelledMaps> maps{{"whole", whole, {}}, {"sparse", sparse, {}}};
    double told = 0;
    const std::vector<HeadRow> table = head_table(maps, [&](double share) { told = share; });
    EXPECT_EQ(told, 1);
    EXPECT_FALSE(table.front().distances.empty());
    EXPECT_TRUE(table.back().distances.empty());
}

TEST(DistanceBins, OfRowsWithoutWeightAreEmpty) {
    const auto nothing = std::make_shared<GeneratedMaps>(MapSource::Extents{1, 1, 4, 4},
                                                         [](MapPlace, Index, Index) { return 0.0; });
    EXPECT_TRUE(counts_of({"", nothing, {}}, {}).distances.empty());
}

}  // namespace

}  // namespace headlight::distance_bins_test
