// What selections promise that find their keys by chunks, orders and draws, blocks that are sorted or become
// entries, and caches whose places, pages and digits are their own.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <numeric>
#include <set>

namespace headlight::invariants_found_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index tokens = 13, width = 6;
const Json causal{{"mask", {{"type", "causal"}}}};

struct Found : testing::Test {
    RandomEngine random{140};
    Inputs inputs{.query = random_tensor({tokens, width}, random)};

    static AttentionSpec of(const char* axis, const std::string& type, Json options = Json::object(),
                            const Json& rest = Json::object()) {
        options["type"] = type;
        Json whole = rest;
        whole[axis] = options;
        return spec(whole.dump());
    }
    static AttentionSpec selection(const std::string& type, const Json& options = Json::object(),
                                   const Json& rest = Json::object()) {
        return of("selection", type, options, rest);
    }
    static AttentionSpec algorithm(const std::string& type, const Json& options = Json::object(),
                                   const Json& rest = Json::object()) {
        return of("algorithm", type, options, rest);
    }
    std::vector<double> numbers(const char* name, const AttentionSpec& whole) const {
        return stage(record(planned(whole, inputs)), name);
    }
    Numbers plain(const Json& rest = Json::object()) const { return run(spec(rest.dump()), inputs); }
    static double at(const std::vector<double>& map, Index row, Index column, Index columns = tokens) {
        return map[static_cast<std::size_t>(row * columns + column)];
    }
    static double sum_of_row(const std::vector<double>& map, Index row, Index columns = tokens) {
        double sum = 0;
        for (Index column = 0; column < columns; ++column)
            sum += at(map, row, column, columns);
        return sum;
    }
    static Index seen(const std::vector<double>& map, Index row) {
        Index count = 0;
        for (Index column = 0; column < tokens; ++column)
            count += at(map, row, column) > 0;
        return count;
    }
};

TEST_F(Found, NeighboursAreOfEarlierChunks) {
    for (const bool continued : {false, true}) {
        const auto weights =
            run(selection("neighbour_chunks", {{"chunk", 3}, {"neighbours", 1}, {"continued", continued}}),
                inputs)
                .weights;
        for (Index query = 0; query < tokens; ++query) {
            const Index chunks = (query + 1) / 3;  // read so far
            EXPECT_EQ(seen(weights, query), chunks < 2 ? 0 : continued ? 6 : 3) << query;
            for (Index key = 0; key < tokens; ++key)
                EXPECT_FALSE(at(weights, query, key) > 0 && key >= 3 * (continued ? chunks : chunks - 1));
        }
    }
}

TEST_F(Found, AChunkFindsItsCopy) {
    for (Index token = 0; token < 4; ++token)
        std::ranges::copy(inputs.query.row(token), inputs.query.row(8 + token).begin());
    const auto weights =
        run(selection("neighbour_chunks", {{"chunk", 4}, {"continued", false}}), inputs).weights;
    for (Index key = 0; key < tokens; ++key)
        EXPECT_EQ(at(weights, 11, key) > 0, key < 4);
    EXPECT_EQ(seen(weights, 2), 0) << "no chunk was read";
}

TEST_F(Found, ChunksOfTheHashOrderHaveOneLength) {
    for (const Index chunk : {1, 2, 5}) {
        const auto weights = run(selection("hashing", {{"chunk", chunk}}), inputs).weights;
        std::multiset<Index> counts;
        for (Index query = 0; query < tokens; ++query) {
            counts.insert(seen(weights, query));
            EXPECT_GT(at(weights, query, query), 0) << "the own place is in the own chunk";
        }
        EXPECT_EQ(*counts.begin(), std::min(chunk, tokens));
        EXPECT_LE(*counts.rbegin(), 2 * chunk);
    }
    EXPECT_TRUE(near(run(selection("hashing", {{"chunk", 13}}), inputs), plain(), exact));
}

TEST_F(Found, RoundsThatAgreeAreMergedToOne) {
    inputs.parameters["hash_directions"] = random_tensor({width + 2, 1}, random);
    const Numbers once = run(selection("balanced_hashing"), inputs);
    const Tensor& one = inputs.parameters["hash_directions"];
    Tensor two({width + 2, 2});
    for (Index row = 0; row < width + 2; ++row)
        two(row, 0) = two(row, 1) = one(row, 0);
    inputs.parameters["hash_directions"] = two;
    EXPECT_TRUE(
        near(run(selection("balanced_hashing", {{"rounds", 2}, {"merge", "sums"}}), inputs), once, exact));
}

TEST_F(Found, NeighboursInAnOrderOfSignsDifferInOne) {
    // Signs of two directions in the order 00, 01, 11, 10: the second is the higher one. Half of the tokens
    // are the last of these, which would be the third if the signs were counted up.
    Tensor directions({width, 2});
    directions(0, 0) = directions(1, 1) = 1;
    inputs.parameters["hash_signs"] = directions;
    const auto is_last = [](Index token) { return token % 2 == 0; };
    for (Index token = 0; token < 12; ++token) {
        inputs.query(token, 0) = !is_last(token) && token >= 7 ? 1 : -1;
        inputs.query(token, 1) = is_last(token) || token >= 9 ? 1 : -1;
    }
    inputs.query = Tensor({12, width}, std::vector<double>(inputs.query.values().begin(),
                                                           inputs.query.values().begin() + 12 * width));
    const Json its{{"hash", "signs"}, {"signs", 2}, {"clusters", 2}};
    const auto weights = run(selection("balanced_hashing", its), inputs).weights;
    for (Index query = 0; query < 12; ++query)
        for (Index key = 0; key < 12; ++key)
            EXPECT_EQ(weights[static_cast<std::size_t>(query * 12 + key)] > 0,
                      is_last(query) == is_last(key));
}

TEST_F(Found, KeysThatAreDrawnMoreOftenStandForLess) {
    std::ranges::fill(inputs.query.row(3), 2.0);  // a large value
    const Json its{{"hash", "signs"}, {"clusters", 13}, {"samples", 4000}};
    const auto all = plain().weights;
    for (const char* chances : {"same", "values"}) {
        Json each = its;
        each["chances"] = chances;
        const auto weights = run(selection("balanced_hashing", each), inputs).weights;
        for (std::size_t pair = 0; pair < weights.size(); ++pair)
            EXPECT_NEAR(weights[pair], all[pair], 0.08) << chances;
    }
}

TEST_F(Found, DrawnKeysStandForAllOthers) {
    const auto weights = run(selection("balanced_hashing", {{"samples", 4}}), inputs).weights;
    for (Index query = 0; query < tokens; ++query)
        EXPECT_NEAR(sum_of_row(weights, query), 1, exact);
    EXPECT_TRUE(
        near(run(selection("balanced_hashing", {{"clusters", 1}, {"samples", 4}}), inputs), plain(), exact));
    // Equal keys have equal weights: what is drawn stands for as many as there are for each draw.
    for (Index token = 0; token < tokens; ++token)
        std::ranges::fill(inputs.query.row(token), 0.5);
    const auto equal = run(selection("balanced_hashing", {{"clusters", 13}, {"samples", 1}}), inputs).weights;
    for (Index query = 0; query < tokens; ++query)
        if (seen(equal, query) == 2) {
            EXPECT_NEAR(at(equal, query, query), 1.0 / 14, exact);
        }
    EXPECT_THROW(
        planned(selection("balanced_hashing", {{"samples", 1}}, {{"normalizer", {{"type", "sparsemax"}}}}),
                inputs),
        Error);
}

TEST_F(Found, SortedBlocksAreSharedOut) {
    const AttentionSpec sorted = algorithm("sorted_blocks", {{"rounds", 40}, {"temperature", 5}});
    const auto order = numbers("block_order", sorted), weights = run(sorted, inputs).weights;
    for (Index block = 0; block < 3; ++block) {
        EXPECT_NEAR(sum_of_row(order, block, 3), 1, exact);
        EXPECT_NEAR(at(order, 0, block, 3) + at(order, 1, block, 3) + at(order, 2, block, 3), 1, 1e-6);
    }
    for (Index query = 0; query < tokens; ++query)
        EXPECT_NEAR(sum_of_row(weights, query), 1, exact);
    EXPECT_TRUE(near(run(algorithm("sorted_blocks", {{"blocks", 1}}), inputs), plain(), exact));
}

TEST_F(Found, BlocksThatStayAreBlocks) {
    inputs.query = Tensor({6, 6});
    for (Index token = 0; token < 6; ++token)  // a feature that says which block a token is of
        inputs.query(token, token / 2) = 1 + 0.1 * static_cast<double>(token);
    Tensor W({6, 3});
    for (Index block = 0; block < 3; ++block)
        W(block, block) = 50;
    inputs.parameters["W_sort"] = W;
    EXPECT_TRUE(near(run(algorithm("sorted_blocks", {{"blocks", 3}}), inputs),
                     run(spec(R"({"mask": {"type": "blocks", "size": 2}})"), inputs), 1e-9));
}

TEST_F(Found, BlocksOfADecoderAreSortedAmongThoseBefore) {
    const Json its{{"among", "earlier"}, {"blocks", 4}};
    const AttentionSpec whole = algorithm("sorted_blocks", its);
    inputs.parameters["W_sort"] = random_tensor({width, 4}, random);
    const Numbers before = run(whole, inputs);
    for (Index query = 0; query < tokens; ++query) {
        EXPECT_NEAR(sum_of_row(before.weights, query), 1, exact);
        for (Index key = query + 1; key < tokens; ++key)
            EXPECT_EQ(at(before.weights, query, key), 0);
    }
    for (Index c = 0; c < width; ++c)
        inputs.query(8, c) += 3;  // the first token of the third block
    const Numbers after = run(whole, inputs);
    for (Index query = 0; query < tokens; ++query)
        for (Index c = 0; c < width && query != 8; ++c)
            EXPECT_EQ(before.output[static_cast<std::size_t>(query * width + c)] ==
                          after.output[static_cast<std::size_t>(query * width + c)],
                      query < 8);
    // A first block has nothing before it.
    inputs.parameters.clear();
    const auto alone = run(algorithm("sorted_blocks", {{"among", "earlier"}, {"blocks", 1}}), inputs);
    EXPECT_TRUE(near(alone, plain(causal), exact));
}

TEST_F(Found, EntriesAreSeenWhenTheirWindowIsFull) {
    for (const bool overlap : {false, true}) {
        const Json options{
            {"block", 3}, {"overlap", overlap}, {"entries", 0}, {"window", 1}, {"sink", false}};
        const AttentionSpec whole = algorithm("compressed_entries", options, causal);
        const auto entries = numbers("entry_weights", whole), weights = run(whole, inputs).weights;
        for (Index query = 0; query < tokens; ++query) {
            EXPECT_NEAR(sum_of_row(weights, query), 1, exact);
            for (Index entry = 0; entry < 4; ++entry)
                EXPECT_EQ(at(entries, query, entry, 4) > 0, 3 * (entry + 1) <= query + 1) << query;
        }
    }
    const Json no_entry{{"block", 14}, {"window", 13}, {"sink", false}};
    EXPECT_TRUE(near(run(algorithm("compressed_entries", no_entry, causal), inputs), plain(causal), exact));
}

TEST_F(Found, EntriesWithoutGatesAreMeans) {
    Tensor unit({width, width});
    for (Index feature = 0; feature < width; ++feature)
        unit(feature, feature) = 1;
    inputs.parameters = {
        {"W_entry", unit}, {"W_entry_gate", Tensor({width, width})}, {"B_entry", Tensor({3, width})}};
    const Json options{{"block", 3}, {"overlap", false}, {"entries", 0}};
    const auto entries = numbers("entries", algorithm("compressed_entries", options, causal));
    for (Index entry = 0; entry < 4; ++entry) {
        double squares = 0;
        for (Index feature = 0; feature < width; ++feature)
            squares += at(entries, entry, feature, width) * at(entries, entry, feature, width);
        EXPECT_NEAR(squares, width, 1e-9) << "the root of the mean of squares is 1";
        double mean = 0;
        for (Index token = 3 * entry; token < 3 * entry + 3; ++token)
            mean += inputs.query(token, 0) / 3;
        EXPECT_EQ(mean > 0, at(entries, entry, 0, width) > 0);
    }
}

TEST_F(Found, PlacesWithinTheCacheAreThoseOfWhatIsLeft) {
    const Json sinks = Json::parse(
        R"({"mask": {"all": [{"type": "causal"}, {"any": [{"type": "sinks", "sinks": 2}, {"type": "window", "size": 3}]}]}})");
    const AttentionSpec cached = of("position", "self_extend", {{"far", "cache"}}, sinks);
    const auto weights = run(cached, inputs).weights;
    Inputs left{.query = Tensor({5, width})};
    const std::vector<Index> kept{0, 1, 10, 11, 12};
    for (Index token = 0; token < 5; ++token)
        std::ranges::copy(inputs.query.row(kept[static_cast<std::size_t>(token)]),
                          left.query.row(token).begin());
    const auto alone = run(of("position", "rope", Json::object(), causal), left).weights;
    for (Index token = 0; token < 5; ++token)
        EXPECT_NEAR(at(weights, 12, kept[static_cast<std::size_t>(token)]), at(alone, 4, token, 5), exact);
    EXPECT_TRUE(near(run(of("position", "self_extend", {{"far", "cache"}}, causal), inputs),
                     run(of("position", "rope", Json::object(), causal), inputs), exact));
}

TEST_F(Found, AStretchedTableKeepsItsEnds) {
    const AttentionSpec whole = of("position", "learned", {{"trained", 4}});
    inputs.parameters["E_pos"] = random_tensor({4, width}, random);
    const auto terms = numbers("position", whole);
    const Tensor& table = inputs.parameters["E_pos"];
    for (Index feature = 0; feature < width; ++feature) {
        EXPECT_NEAR(at(terms, 0, feature, width), table(0, feature), exact);
        EXPECT_NEAR(at(terms, 12, feature, width), table(3, feature), exact);
        EXPECT_NEAR(at(terms, 4, feature, width), table(1, feature), exact);
        EXPECT_NEAR(at(terms, 2, feature, width), (table(0, feature) + table(1, feature)) / 2, exact);
    }
}

TEST_F(Found, NewTokensAreNotRounded) {
    EXPECT_TRUE(
        near(run(algorithm("quantized_cache", {{"bits", 1}, {"recent", 13}}), inputs), plain(), exact));
    const auto keys = numbers("rounded_key", algorithm("quantized_cache", {{"bits", 1}, {"recent", 4}}));
    for (Index token = 9; token < tokens; ++token)
        for (Index feature = 0; feature < width; ++feature)
            EXPECT_EQ(at(keys, token, feature, width), inputs.query(token, feature));
}

TEST_F(Found, WhatAllKeysHaveInCommonIsNotRounded) {
    inputs.key = inputs.value = random_tensor({tokens, width}, random);
    const Json options{{"bits", 3}, {"keys", "token"}, {"smooth", true}, {"values", false}};
    const AttentionSpec smooth = algorithm("quantized_cache", options, {{"source", {{"type", "cross"}}}});
    const auto weights = run(smooth, inputs).weights;
    for (Index token = 0; token < tokens; ++token)
        (*inputs.key)(token, 1) += 100;
    EXPECT_TRUE(near(run(smooth, inputs).weights, weights, 1e-9));
}

TEST_F(Found, HierarchiesOfADecoderKnowNothingOfLaterTokens) {
    const AttentionSpec decoder = algorithm("h_transformer", {{"block", 1}, {"causal", true}});
    const auto before = run(decoder, inputs).weights;
    for (Index token = 8; token < tokens; ++token)
        inputs.query(token, 2) += 3;
    const auto after = run(decoder, inputs).weights;
    for (Index query = 0; query < tokens; ++query) {
        EXPECT_NEAR(sum_of_row(after, query), 1, exact);
        for (Index key = 0; key < tokens; ++key) {
            EXPECT_EQ(at(after, query, key) > 0, key <= query);
            if (query < 8) {
                EXPECT_NEAR(at(after, query, key), at(before, query, key), exact);
            }
        }
    }
}

TEST_F(Found, AHeadIsOfSpaceOrOfTime) {
    const Json heads{{"projections", {{"type", "learned"}}}, {"heads", {{"type", "multi"}, {"heads", 2}}}};
    const auto weights = run(selection("frame_heads", {{"frame", 4}}, heads), inputs).weights;
    for (std::size_t head = 0; head < 2; ++head) {
        bool is_of_space = true, is_of_time = true;
        for (Index i = 0; i < tokens; ++i)
            for (Index j = 0; j < tokens; ++j) {
                const double each =
                    weights[head * tokens * tokens + static_cast<std::size_t>(i * tokens + j)];
                is_of_space = is_of_space && (each > 0) == (i / 4 == j / 4 || j < 4);
                is_of_time = is_of_time && (each > 0) == (i % 4 == j % 4 || j < 4);
            }
        EXPECT_NE(is_of_space, is_of_time);
    }
    EXPECT_TRUE(near(run(selection("frame_heads", {{"frame", 13}}), inputs), plain(), exact));
}

// Every region has as many regions, and all of their tokens; the heads choose together.
TEST_F(Found, RegionsAreKeptAsAWholeByAllHeads) {
    const Json heads{{"projections", {{"type", "learned"}}}, {"heads", {{"type", "multi"}, {"heads", 2}}}};
    const auto weights =
        run(selection("region_means", {{"columns", 4}, {"side", 2}, {"regions", 1}}, heads), inputs).weights;
    const auto region = [](Index token) { return token / 4 / 2 * 2 + token % 4 / 2; };
    const auto is_kept = [&](Index head, Index query, Index key) {
        return weights[static_cast<std::size_t>((head * tokens + query) * tokens + key)] > 0;
    };
    for (Index query = 0; query < tokens; ++query) {
        std::set<Index> kept;
        for (Index key = 0; key < tokens; ++key) {
            if (is_kept(0, query, key))
                kept.insert(region(key));
            EXPECT_EQ(is_kept(0, query, key), is_kept(1, query, key)) << query << ", " << key;
            for (Index other = 0; other < tokens; ++other)
                if (region(other) == region(query)) {
                    EXPECT_EQ(is_kept(0, query, key), is_kept(0, other, key)) << query << ", " << key;
                }
        }
        EXPECT_EQ(kept.size(), 1u) << query;
        for (Index key = 0; key < tokens; ++key)
            EXPECT_EQ(is_kept(0, query, key), kept.contains(region(key))) << query << ", " << key;
    }
}

TEST_F(Found, RegionsOfOneRowAreBlocksAndThoseOfOneTokenTheLargestScores) {
    EXPECT_TRUE(
        near(run(selection("region_means", {{"columns", 100}, {"side", 3}, {"regions", 2}}), inputs),
             run(selection("prefill_patterns", {{"pattern", "blocks"}, {"size", 3}, {"blocks", 2}}), inputs),
             exact));
    EXPECT_TRUE(near(run(selection("region_means", {{"side", 1}, {"regions", 4}}), inputs),
                     run(selection("top_k", {{"k", 4}}), inputs), exact));
    for (const Json& options : {Json{{"regions", 100}}, Json{{"side", 100}, {"regions", 1}}})
        EXPECT_TRUE(near(run(selection("region_means", options), inputs), plain(), exact));
}

TEST_F(Found, BlocksOfAVideoChooseTogether) {
    const AttentionSpec whole = algorithm("video_sparse", {{"block", 4}, {"selected", 2}});
    const auto fine = numbers("fine_weights", whole), coarse = numbers("coarse_weights", whole);
    for (Index query = 0; query < tokens; ++query) {
        EXPECT_NEAR(sum_of_row(fine, query), 1, exact);
        EXPECT_NEAR(sum_of_row(coarse, query / 4, 4), 1, exact);
        for (Index key = 0; key < tokens; ++key)
            EXPECT_EQ(at(fine, query, key) > 0, at(fine, query / 4 * 4, key / 4 * 4) > 0)
                << query << ", " << key;
    }
}

/// The identity as the layer behind linear attention, and nothing added to it.
Inputs with_open_layer(Inputs inputs) {
    inputs.parameters["W_linear"] = identity(width);
    inputs.parameters["b_linear"] = Tensor({width});
    return inputs;
}

TEST_F(Found, BlocksOfTheSoftmaxAloneAreSoftmaxAttentionAndNoneIsLinear) {
    const Inputs given = with_open_layer(inputs);
    EXPECT_TRUE(
        near(run(algorithm("sparse_linear", {{"block", 4}, {"selected", 4}}), given), plain(), exact));
    for (const char* over : {"rest", "all"})
        EXPECT_TRUE(
            near(run(algorithm("sparse_linear", {{"selected", 0}, {"map", "elu"}, {"over", over}}), given),
                 run(algorithm("linear"), inputs), exact))
            << over;
}

TEST_F(Found, EveryBlockIsOfTheSoftmaxOrOfLinearAttentionOrOfNeither) {
    const AttentionSpec split = algorithm("sparse_linear", {{"block", 2}, {"selected", 2}, {"skipped", 3}}),
                        all = algorithm("sparse_linear", {{"block", 2}, {"selected", 2}, {"over", "all"}});
    const auto fine = numbers("fine_weights", split), linear = numbers("linear_weights", split),
               coarse = numbers("coarse_weights", split), of_all = numbers("linear_weights", all);
    for (Index query = 0; query < tokens; ++query) {
        EXPECT_NEAR(sum_of_row(fine, query), 1, exact);
        EXPECT_NEAR(sum_of_row(linear, query), 1, exact);
        EXPECT_NEAR(sum_of_row(of_all, query), 1, exact);
        for (Index key = 0; key < tokens; ++key) {
            Index before = 0;
            for (Index block = 0; block < 7; ++block)
                before += at(coarse, query / 2, block, 7) > at(coarse, query / 2, key / 2, 7);
            EXPECT_EQ(at(fine, query, key) > 0, before < 2) << query << ", " << key;
            EXPECT_EQ(at(linear, query, key) > 0, before >= 2 && before < 4) << query << ", " << key;
            EXPECT_GT(at(of_all, query, key), 0);
        }
    }
}

TEST_F(Found, TilesChangeNothingAndSayWhatTheMaskLeaves) {
    const Json window{{"mask", {{"type", "window"}, {"size", 3}}}};
    for (const Json& rest : {Json::object(), causal, window})
        for (const Index queries : {1, 2, 5, 13})
            for (const Index keys : {1, 4, 13})
                EXPECT_TRUE(near(
                    run(algorithm("online_softmax", {{"tile", keys}, {"query_tile", queries}}, rest), inputs),
                    plain(rest), exact));
    const auto kinds =
        numbers("tile_kinds", algorithm("online_softmax", {{"tile", 2}, {"query_tile", 2}}, causal));
    for (Index query = 0; query < 12; ++query)
        for (Index tile = 0; tile < 6; ++tile)
            EXPECT_EQ(at(kinds, query, tile, 7), query / 2 == tile ? 1 : query / 2 > tile ? 2 : 0);
}

TEST_F(Found, PagesChangeNothingAndLoseLessThanOne) {
    for (const Index capacity : {0, 5})
        for (const Index page : {1, 3, 4}) {
            const Json whole{{"capacity", capacity}}, paged{{"capacity", capacity}, {"page", page}};
            EXPECT_TRUE(near(run(algorithm("kv_cache", paged, causal), inputs),
                             run(algorithm("kv_cache", whole, causal), inputs), exact));
            const auto rows = numbers("memory_rows", algorithm("kv_cache", paged, causal)),
                       empty = numbers("empty_rows", algorithm("kv_cache", paged, causal));
            EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), capacity > 0 ? 5u : 13u);
            for (const double each : empty) {
                EXPECT_GE(each, 0);
                EXPECT_LT(each, static_cast<double>(page));
            }
        }
}

}  // namespace

}  // namespace headlight::invariants_found_test
