// Maps that are recomputed from queries and keys: every part of them against the definition, and the same
// bits whichever part is read.

#include "core/map/joined_maps.h"
#include "core/map/query_key_maps.h"
#include "tests/support/generated_maps.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>

namespace headlight::query_key_maps_test {

using namespace test;

namespace {

using Extents = MapSource::Extents;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Three chunks of keys, the last one short; five batches of rows.
constexpr Index tokens = 600, width = 12, heads = 4, key_heads = 2, layers = 2;

double normal_like(MapPlace place, Index token, Index feature) {
    return 3 * (scattered(place, token, feature) + scattered(place, feature, token) - 1);
}

std::shared_ptr<const MapSource> queries_of(GeneratedMaps::Number number = normal_like) {
    return std::make_shared<GeneratedMaps>(Extents{layers, heads, tokens, width}, std::move(number));
}
std::shared_ptr<const MapSource> keys_of(GeneratedMaps::Number number = normal_like) {
    return std::make_shared<GeneratedMaps>(Extents{layers, key_heads, tokens, width}, std::move(number));
}

struct Case {
    const char* name;
    QueryKeyTerms terms;
};
std::ostream& operator<<(std::ostream& out, const Case& each) { return out << each.name; }

bool is_allowed(const QueryKeyTerms& terms, Index layer, Index query, Index key) {
    std::optional<Index> window;
    if (!terms.windows.empty())
        window = terms.windows[terms.windows.size() == 1 ? 0 : static_cast<std::size_t>(layer)];
    if (window)
        return key <= query && query - key < *window;
    return !terms.causal || key <= query;
}

/// By the definition, a cell at a time.
std::vector<double> expected_map(const QueryKeyTerms& terms, MapPlace place) {
    std::vector<double> map(static_cast<std::size_t>(tokens * tokens));
    for (Index query = 0; query < tokens; ++query) {
        double* row = map.data() + query * tokens;
        double largest = -infinity, sum = 0;
        for (Index key = 0; key < tokens; ++key) {
            row[key] = 0;
            for (Index feature = 0; feature < width; ++feature)
                row[key] += normal_like(place, query, feature) *
                            normal_like({place.layer, place.head / (heads / key_heads)}, key, feature);
            row[key] *= terms.scale;
            if (terms.softcap)
                row[key] = *terms.softcap * std::tanh(row[key] / *terms.softcap);
            if (!is_allowed(terms, place.layer, query, key))
                row[key] = -infinity;
            largest = std::max(largest, row[key]);
        }
        if (!terms.sinks.empty()) {
            const auto& sinks =
                terms.sinks[terms.sinks.size() == 1 ? 0 : static_cast<std::size_t>(place.layer)];
            const double sink = sinks[static_cast<std::size_t>(place.head)];
            largest = std::max(largest, sink);
            sum = std::exp(sink - largest);
        }
        for (Index key = 0; key < tokens; ++key)
            sum += row[key] = std::exp(row[key] - largest);
        for (Index key = 0; key < tokens; ++key)
            row[key] /= sum;
    }
    return map;
}

class QueryKey : public testing::TestWithParam<Case> {
protected:
    std::shared_ptr<const MapSource> maps() const {
        return std::make_shared<QueryKeyMaps>(queries_of(), keys_of(), GetParam().terms);
    }
};

TEST_P(QueryKey, RowsAreTheDefinition) {
    for (const MapPlace place : {MapPlace{0, 0}, MapPlace{1, 2}}) {
        const auto got = map_of(*maps(), place), expected = expected_map(GetParam().terms, place);
        for (std::size_t cell = 0; cell < got.size(); ++cell)
            ASSERT_NEAR(got[cell], expected[cell], 1e-13) << cell / tokens << ", " << cell % tokens;
    }
}

void expect_block(const MapSource& maps, MapPlace place, const MapBlock& block,
                  const std::vector<double>& map) {
    std::vector<double> got(block.size());
    maps.read_block(place, block, got);
    for (Index row = 0; row < block.rows; ++row)
        for (Index column = 0; column < block.columns; ++column)
            ASSERT_EQ(got[static_cast<std::size_t>(row * block.columns + column)],
                      map[static_cast<std::size_t>((block.first_row + row) * maps.extents().keys +
                                                   block.first_column + column)])
                << block.first_row + row << ", " << block.first_column + column;
}

TEST_P(QueryKey, BlocksAreTheSameBitsAsRows) {
    const MapPlace place{1, 3};
    const auto dense = map_of(*maps(), place);
    const auto kept = maps();
    std::mt19937 random(3);
    for (int round = 0; round < 30; ++round) {
        const auto up_to = [&](Index most) { return std::uniform_int_distribution<Index>(0, most)(random); };
        MapBlock block{up_to(tokens - 1), 0, up_to(tokens - 1), 0};
        block.rows = 1 + up_to(tokens - block.first_row - 1);
        block.columns = 1 + up_to(tokens - block.first_column - 1);
        expect_block(*maps(), place, block, dense);  // of whose rows nothing is known yet
        expect_block(*kept, place, block, dense);
    }
}

TEST_P(QueryKey, FoldedRowsAreTheRowsFolded) {
    const MapPlace place{0, 1};
    const auto dense = map_of(*maps(), place);
    for (const Index side : {Index(1), Index(16), Index(64), MapSource::widest_fold}) {
        const Index cells = (tokens + side - 1) / side, first = 64 / side * side, count = tokens - first - 5;
        std::vector<FoldedCell> folded(static_cast<std::size_t>((count + side - 1) / side * cells));
        std::vector<FoldedCell> expected(folded);
        maps()->read_folded(place, first, count, side, folded);
        for (Index row = 0; row < count; ++row)
            fold_row(std::span(dense).subspan(static_cast<std::size_t>((first + row) * tokens), tokens), side,
                     expected.data() + row / side * cells);
        for (std::size_t cell = 0; cell < folded.size(); ++cell) {
            ASSERT_NEAR(folded[cell].maximum, expected[cell].maximum, 1e-7 * expected[cell].maximum) << cell;
            ASSERT_NEAR(folded[cell].sum, expected[cell].sum, 1e-6 * expected[cell].sum) << cell;
            ASSERT_EQ(folded[cell].numbers, expected[cell].numbers) << cell;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    , QueryKey,
    testing::Values(Case{"plain", {.scale = 0.3}}, Case{"causal", {.causal = true}},
                    Case{"window", {.scale = 0.5, .causal = true, .windows = {Index(70)}}},
                    Case{"window_of_one", {.windows = {Index(1)}}},
                    Case{"windows_of_layers", {.causal = true, .windows = {std::nullopt, Index(300)}}},
                    Case{"softcap", {.scale = 2, .causal = true, .softcap = 5}},
                    Case{"sinks", {.causal = true, .sinks = {{1, 2, -3, 4}}}},
                    Case{"sinks_of_layers", {.sinks = {{1, 2, 3, 4}, {0, 40, -40, 700}}}},
                    Case{"all", {0.25, true, {Index(200)}, 8, {{1, 1, 1, 1}}}}),
    testing::PrintToStringParamName());

TEST(QueryKeyMaps, OfForbiddenBlocksReadNothing) {
    std::atomic<Index> read = 0;
    const auto counted = [&](MapPlace place, Index token, Index feature) {
        ++read;
        return normal_like(place, token, feature);
    };
    const QueryKeyMaps maps(queries_of(counted), keys_of(counted), {.causal = true, .windows = {Index(100)}});
    std::vector<double> block(std::size_t(100) * 100, 1);
    maps.read_block({}, {0, 100, 100, 100}, block);
    EXPECT_EQ(block, std::vector<double>(std::size_t(100) * 100));
    maps.read_block({}, {300, 100, 50, 100}, block);
    EXPECT_EQ(read, 0) << "behind the window";
    maps.read_block({}, {200, 100, 200, 100}, block);
    EXPECT_GT(read, 0);
}

TEST(QueryKeyMaps, ReadKeysOnceForTheHeadsThatShareThem) {
    std::atomic<Index> read = 0;
    const QueryKeyMaps maps(queries_of(), keys_of([&](MapPlace place, Index token, Index feature) {
                                read += feature == 0;
                                return normal_like(place, token, feature);
                            }),
                            {});
    std::vector<double> block(10);
    for (const Index head : {0, 1, 0, 1})
        maps.read_block({0, head}, {5, 1, 40, 10}, block);
    EXPECT_EQ(read, tokens);
}

TEST(QueryKeyMaps, OfScoresThatAreNoNumbersHaveRowsThatAreNone) {
    const auto queries = queries_of([](MapPlace place, Index token, Index feature) {
        return token == 300 ? nan : token == 400 ? infinity : normal_like(place, token, feature);
    });
    const QueryKeyMaps maps(queries, keys_of(), {.causal = true});
    const auto map = map_of(maps, {});
    const auto at = [&](Index query, Index key) {
        return map[static_cast<std::size_t>(query * tokens + key)];
    };
    for (const Index query : {300, 400}) {
        for (Index key = 0; key <= query; ++key)
            ASSERT_TRUE(std::isnan(at(query, key))) << query << ", " << key;
        for (Index key = query + 1; key < tokens; ++key)
            ASSERT_EQ(at(query, key), 0) << "the mask forbids it: " << query << ", " << key;
        std::vector<FoldedCell> folded((tokens + 3) / 4);
        maps.read_folded({}, query, 1, 4, folded);
        EXPECT_EQ(folded[0].numbers, 0);
        EXPECT_EQ(folded[static_cast<std::size_t>(query / 4)].numbers, 3) << "of keys that the mask forbids";
        EXPECT_EQ(folded.back().maximum, 0);
    }
    EXPECT_FALSE(std::isnan(at(301, 300)));
}

// The mask

TEST(BandMask, SaysOfABlockWhatItsPairsSay) {
    for (const bool causal : {false, true})
        for (const std::optional<Index> window :
             {std::optional<Index>(), std::optional<Index>(3), std::optional<Index>(40)}) {
            const BandMask mask(30, causal, window);
            const QueryKeyTerms terms{.causal = causal, .windows = {window}};
            for (Index row = 0; row < 30; row += 3)
                for (Index column = 0; column < 30; column += 2)
                    for (const Index side : {1, 4, 9}) {
                        const MapBlock block{row, std::min(side, 30 - row), column,
                                             std::min(side, 30 - column)};
                        Index allowed = 0;
                        for (Index query = row; query < row + block.rows; ++query)
                            for (Index key = column; key < column + block.columns; ++key)
                                allowed += is_allowed(terms, 0, query, key);
                        const auto expected = allowed == 0 ? BandMask::Coverage::none
                                              : allowed == block.rows * block.columns
                                                  ? BandMask::Coverage::all
                                                  : BandMask::Coverage::some;
                        EXPECT_EQ(mask.coverage(block), expected) << row << ", " << column << ", " << side;
                    }
        }
}

// Blocks of other sources

TEST(Blocks, AreTheSameBitsAsRowsInEverySource) {
    const auto part = [](Index seed) {
        return std::make_shared<GeneratedMaps>(
            Extents{1, 2, 70, 90}, [=](MapPlace place, Index query, Index key) {
                return scattered({place.layer + seed, place.head}, query, key);
            });
    };
    const auto joined = std::make_shared<JoinedMaps>(
        std::vector<std::shared_ptr<const MapSource>>{part(0), part(7)}, JoinedMaps::Axis::head);
    for (const MapBlock block : {MapBlock{0, 70, 0, 90}, MapBlock{13, 5, 80, 10}, MapBlock{69, 1, 0, 1}})
        expect_block(*joined, {0, 3}, block, map_of(*joined, {0, 3}));
    std::vector<FoldedCell> folded(3);
    joined->read_folded({0, 3}, 4, 1, 32, folded);
    EXPECT_EQ(folded[2].numbers, 90 - 64);
}

}  // namespace

}  // namespace headlight::query_key_maps_test
