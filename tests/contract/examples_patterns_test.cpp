// What the examples of masks and selections promise to show.

#include "tests/support/example.h"

#include <numeric>

namespace headlight::examples_patterns_test {

using namespace test;

namespace {

/// Keys with a weight in each row.
std::vector<Index> seen(const Example& example) {
    std::vector<Index> counts;
    for (Index query = 0; query < example.plan().queries; ++query)
        counts.push_back(std::ranges::count_if(example.row(query), [](double weight) { return weight > 0; }));
    return counts;
}

using Counts = std::vector<Index>;

TEST(PatternExamples, PaddingHasNoWeight) {
    const Example example("padding");
    EXPECT_EQ(seen(example), Counts(8, 5));
    EXPECT_EQ(example.weight("train", "pad"), 0);
}

TEST(PatternExamples, WindowsHaveTheirWidth) {
    EXPECT_EQ(seen(Example("window")), (Counts{1, 2, 3, 3, 3, 3, 3, 3, 3, 3}));
    EXPECT_EQ(seen(Example("symmetric_window")), (Counts{2, 3, 3, 3, 3, 3, 3, 2}));
    EXPECT_EQ(seen(Example("streaming_sinks")), (Counts{1, 2, 3, 4, 4, 4, 4, 4, 4, 4}));
    EXPECT_EQ(seen(Example("log_sparse")), (Counts{1, 2, 3, 3, 4, 4, 4, 4, 5, 5}));
}

// the cat sat and the dog sat and the bird sat: "sat" at 2, 6 and 10
TEST(PatternExamples, AnAdaptiveSpanFades) {
    const Example example("adaptive_span");
    EXPECT_EQ(seen(example), (Counts{1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5}));
    const auto row = example.row(Index(10));
    EXPECT_NEAR(row[6], 0.21, 0.005);
    EXPECT_EQ(row[2], 0);
    const Example whole("adaptive_span", {{"span", 4096.0}});
    EXPECT_NEAR(whole.row(Index(10))[6], 0.26, 0.005);
}

TEST(PatternExamples, AQueryWithoutAMaskSeesAllAndTheOthersTheirs) {
    const Example example("predicted_mask");
    const auto count_seen = [&](const std::string& query) {
        const auto row = example.row(query);
        return std::ranges::count_if(row, [](double weight) { return weight > 0; });
    };
    EXPECT_EQ(count_seen("animal"), 11);
    EXPECT_EQ(example.favourite("animal"), "dog");
    EXPECT_NEAR(example.weight("animal", "dog"), 0.295, 0.001);
    for (const char* query : {"fruit", "colour", "place", "person"})
        EXPECT_EQ(example.weight(query, "grass"), 1) << query;
    EXPECT_EQ(count_seen("number"), 7);
}

TEST(PatternExamples, LongformerIsACrossOnABand) {
    const Example example("longformer");
    EXPECT_EQ(seen(example).front(), 9);
    for (Index query = 0; query < 9; ++query)
        EXPECT_GT(example.row(query)[0], 0);
}

TEST(PatternExamples, BigBirdStrewsCellsOverIt) {
    const auto total = [](const Counts& counts) {
        return std::accumulate(counts.begin(), counts.end(), Index(0));
    };
    EXPECT_GT(total(seen(Example("bigbird"))), total(seen(Example("longformer"))));
}

TEST(PatternExamples, DilatedKeepsColoursAndNumbersApart) {
    const Example example("dilated");
    EXPECT_EQ(example.weight("red", "one"), 0);
    EXPECT_GT(example.weight("red", "blue"), 0);
    EXPECT_EQ(example.weight("three", "black"), 0);
    EXPECT_GT(example.weight("three", "one"), 0);
}

TEST(PatternExamples, FixedHasColumnsOfSummaries) {
    const Example example("fixed");
    for (const std::string later : {"four", "seven", "ten"}) {
        EXPECT_GT(example.weight(later, "three"), 0) << later;
        EXPECT_EQ(example.weight(later, "two"), 0) << later;
    }
}

TEST(PatternExamples, BlocksKeepToThemselves) {
    const Example example("blocks");
    EXPECT_EQ(seen(example), Counts(9, 3));
    EXPECT_GT(example.weight("cat", "cow"), 0);
    EXPECT_EQ(example.weight("cat", "blue"), 0);
}

TEST(PatternExamples, TheSecondDocumentStartsAgain) {
    EXPECT_EQ(seen(Example("documents")), (Counts{1, 2, 3, 4, 5, 1, 2, 3, 4}));
}

TEST(PatternExamples, ThePrefixSeesItself) {
    EXPECT_EQ(seen(Example("prefix_lm")), (Counts{3, 3, 3, 4, 5, 6, 7, 8}));
}

TEST(PatternExamples, BranchesOfTheTreeAreBlindToEachOther) {
    const Example example("tree");
    EXPECT_GT(example.weight("down", "sat"), 0);
    EXPECT_EQ(example.weight("down", "slept"), 0);
    EXPECT_GT(example.weight("well", "slept"), 0);
    EXPECT_EQ(example.weight("well", "sat"), 0);
    EXPECT_GT(example.weight("well", "cat"), 0);
}

TEST(PatternExamples, TopKKeepsTheStrongest) {
    const Example example("top_k");
    EXPECT_GT(example.weight("king", "queen"), 0);
    EXPECT_EQ(example.weight("king", "met"), 0);
}

TEST(PatternExamples, EqualWordsShareABucket) {
    const Example example("reformer");
    EXPECT_GT(example.row(3)[0], 0);  // the second "the" sees the first
    const auto cells = [](const Example& each) {
        const Counts counts = seen(each);
        return std::accumulate(counts.begin(), counts.end(), Index(0));
    };
    EXPECT_GE(cells(Example("reformer", {{"rounds", Index(8)}})), cells(example));
}

TEST(PatternExamples, BlocksOfThreeAreKept) {
    for (const std::string id : {"moba", "quest"})
        for (const Index count : seen(Example(id)))
            EXPECT_LE(count, 6) << id;
    for (const Index count : seen(Example("dsa")))
        EXPECT_LE(count, 3);
}

// the cat sat, on the mat, and the king, saw paris
TEST(PatternExamples, GroupsChooseBlocksForThemselves) {
    const Example example("minimax_sparse");
    const auto n = static_cast<std::size_t>(example.plan().queries);
    const auto weights = stage(record(std::make_shared<const Plan>(example.plan())), "weights");
    const auto kept = [&](std::size_t head) {
        std::vector<bool> cells;
        for (std::size_t cell = 0; cell < n * n; ++cell)
            cells.push_back(weights[head * n * n + cell] > 0);
        return cells;
    };
    for (const std::size_t head : {1u, 2u, 3u})
        EXPECT_EQ(kept(head), kept(0)) << head;
    for (const std::size_t head : {5u, 6u, 7u})
        EXPECT_EQ(kept(head), kept(4)) << head;
    for (std::size_t query = 6; query < n; ++query)
        for (std::size_t key = 0; key < 6; ++key) {
            EXPECT_EQ(kept(0)[query * n + key], key < 3) << query << ", " << key;
            EXPECT_EQ(kept(4)[query * n + key], key >= 3) << query << ", " << key;
        }
    for (const Index count : seen(example))
        EXPECT_LE(count, 6);
}

// the cat sat on the mat and the king saw paris
TEST(PatternExamples, RowsKeepAsManyKeysAsTheyNeed) {
    const Example example("top_p");
    const Counts counts = seen(example);
    EXPECT_EQ(counts[10], 4);
    EXPECT_GT(example.weight("paris", "paris"), 0.8);
    EXPECT_EQ(counts[1], 7);
}

// paris is in france and london is in england now
TEST(PatternExamples, SparqLeavesAnEvenGround) {
    const Example example("sparq");
    const auto row = example.row("now");
    const double ground = std::ranges::min(row);
    EXPECT_EQ(std::ranges::count_if(row, [=](double weight) { return weight > ground + 1e-9; }), 3);
    EXPECT_NEAR(10 * ground, 0.52, 0.05);
}

// the cat sat and the dog sat and the bird sat
TEST(PatternExamples, ATextThatRepeatsItselfHasDiagonals) {
    const Example example("minference");
    EXPECT_EQ(seen(example), (Counts{1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 5}));
    for (std::size_t query = 0; query < 11; ++query)
        for (std::size_t key = 0; key <= query; ++key)
            EXPECT_EQ(example.row(static_cast<Index>(query))[key] > 0,
                      key == 0 || key == 9 || (query - key) % 4 == 0)
                << query << ", " << key;
}

// one two three four, cat dog horse cow, paris london france england, cat dog horse cow
TEST(PatternExamples, TheBlockOfTheSameAnimalsIsKept) {
    EXPECT_EQ(seen(Example("xattention")), (Counts{1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 9, 10, 11, 12}));
    const Example example("xattention");
    const auto row = example.row(Index(12));
    EXPECT_GT(row[4], 0);
    EXPECT_EQ(row[8], 0);
}

// paris is in, france and london, is in england, and rome in, italy
TEST(PatternExamples, WordsOfABlockKeepTheSameBlocks) {
    const Example example("seer_attention", {{"threshold", 0.2}});
    EXPECT_EQ(seen(example), (Counts{1, 2, 3, 4, 5, 6, 4, 5, 6, 10, 11, 12, 9}));
    for (Index query = 0; query < 13; ++query)
        for (std::size_t key = 0; key <= static_cast<std::size_t>(query / 3 * 3); ++key)
            EXPECT_EQ(example.row(query)[key] > 0, example.row(query / 3 * 3)[key / 3 * 3] > 0)
                << query << ", " << key;
}

TEST(PatternExamples, RadialBandsThinOut) {
    const Example example("radial");
    EXPECT_EQ(seen(example), (Counts{8, 8, 10, 10, 11, 11, 12, 12, 12, 12, 12, 12, 11, 11, 10, 10}));
    const auto row = example.row(Index(4));  // the first place of the third frame
    EXPECT_GT(row[3], 0);
    EXPECT_GT(row[8], 0);
    EXPECT_EQ(row[9], 0);
    EXPECT_EQ(row[14], 0);
}

TEST(PatternExamples, WhatIsDroppedIsGone) {
    for (const char* policy : {"h2o", "tova"}) {
        const Example example("eviction", {{"policy", std::string(policy)}});
        const Index n = example.plan().queries;
        const Counts counts = seen(example);
        for (Index query = 0; query < n; ++query) {
            EXPECT_EQ(counts[static_cast<std::size_t>(query)], std::min<Index>(query + 1, 5)) << policy;
            for (std::size_t key = 0; query > 0 && key < static_cast<std::size_t>(query); ++key)
                EXPECT_FALSE(example.row(query)[key] > 0 && example.row(query - 1)[key] == 0)
                    << policy << ": " << query << ", " << key;
        }
    }
    const Counts after_six = seen(Example("eviction", {{"policy", std::string("snapkv")}}));
    for (std::size_t query = 0; query < after_six.size(); ++query)
        EXPECT_EQ(after_six[query], static_cast<Index>(query < 6 ? query + 1 : query - 1));
}

TEST(PatternExamples, ClustersOfSmyrfAreEqual) {
    const Example example("smyrf");
    EXPECT_EQ(seen(example), Counts(9, 3));
    for (std::size_t key = 0; key < 9; ++key) {
        Index looks = 0;
        for (Index query = 0; query < 9; ++query)
            looks += example.row(query)[key] > 0;
        EXPECT_EQ(looks, 3);
    }
    for (const Index count : seen(Example("smyrf", {{"rounds", Index(2)}}))) {
        EXPECT_GE(count, 3);
        EXPECT_LE(count, 6);
    }
}

TEST(PatternExamples, AChunkFindsTheOneThatIsLikeIt) {
    const Example example("retro");
    const Counts counts = seen(example);
    for (std::size_t query = 0; query < 7; ++query)
        EXPECT_EQ(counts[query], 0) << query;
    for (Index query = 11; query < 15; ++query)
        for (std::size_t key = 0; key < 16; ++key)
            EXPECT_EQ(example.row(query)[key] > 0, key < 8) << query << ", " << key;
}

TEST(PatternExamples, SortedBlocksStandBesideTheOwnOne) {
    const Example example("sorted_blocks");
    for (Index query = 0; query < 9; ++query)
        for (Index key = query / 3 * 3; key < query / 3 * 3 + 3; ++key)
            EXPECT_GT(example.row(query)[static_cast<std::size_t>(key)], 0);
    const auto order = stage(record(planned(example.plan().spec, example.plan().inputs)), "block_order");
    for (std::size_t block = 0; block < 3; ++block)
        EXPECT_NEAR(order[3 * block] + order[3 * block + 1] + order[3 * block + 2], 1, 1e-9);
}

TEST(PatternExamples, EntriesAreReadInPlaceOfTheirWords) {
    const Example example("compressed_entries");
    const auto entries = stage(record(planned(example.plan().spec, example.plan().inputs)), "entry_weights");
    const Index n = example.plan().queries, count = n / 3;
    for (Index query = 0; query < n; ++query) {
        Index read = 0;
        for (Index entry = 0; entry < count; ++entry)
            read += entries[static_cast<std::size_t>(query * count + entry)] > 0;
        EXPECT_EQ(read, std::min<Index>((query + 1) / 3, 2)) << query;
    }
}

TEST(PatternExamples, LocalPSumsToLessThanOne) {
    const Example example("local_p");
    for (Index query = 0; query < example.plan().queries; ++query) {
        const auto row = example.row(query);
        EXPECT_LT(std::accumulate(row.begin(), row.end(), 0.0), 1);
    }
}

TEST(PatternExamples, LocalMIsABand) {
    const Example example("local_m");
    EXPECT_GT(example.weight("beer", "drank"), 0);
    EXPECT_EQ(example.weight("beer", "beer"), 0);
    for (const Index count : seen(example))
        EXPECT_LE(count, 3);
}

TEST(PatternExamples, GridsShowTheirWindows) {
    EXPECT_EQ(seen(Example("swin")), Counts(8, 4));
    EXPECT_GT(Example("swin").weight("red", "black"), 0);
    EXPECT_EQ(Example("swin").weight("blue", "cat"), 0);
    EXPECT_GT(Example("shifted_swin").weight("blue", "cat"), 0);
    EXPECT_EQ(seen(Example("shifted_swin")).front(), 1);
    EXPECT_EQ(seen(Example("axial")), Counts(9, 5));
    EXPECT_EQ(seen(Example("neighbourhood")), Counts(9, 4));
    EXPECT_EQ(seen(Example("halo")), (Counts{6, 6, 8, 8, 6, 6, 6, 6, 8, 8, 6, 6}));
    EXPECT_EQ(Example("halo").weight("cat", "red"), 0);
    EXPECT_GT(Example("halo").weight("cat", "blue"), 0);
    EXPECT_EQ(seen(Example("grid_stride")), Counts(16, 4));
    EXPECT_GT(Example("grid_stride").weight("red", "black"), 0);
    EXPECT_EQ(Example("grid_stride").weight("red", "cat"), 0);
    EXPECT_EQ(seen(Example("sliding_tile")), Counts(12, 8));
    EXPECT_GT(Example("sliding_tile").weight("three", "cat"), 0);
    EXPECT_EQ(Example("sliding_tile").weight("three", "red"), 0);
}

TEST(PatternExamples, WiderPatternsTakeFewerWords) {
    const Example example("longnet");
    const auto counts = stage(record(planned(example.plan().spec, example.plan().inputs)), "pattern_counts");
    const Index n = example.plan().queries;
    ASSERT_EQ(n, 16);
    const auto row = [&](Index head, Index query) {
        const auto first = counts.begin() + (head * n + query) * n;
        return std::vector<double>(first, first + 8);
    };
    EXPECT_EQ(row(0, 0), (std::vector<double>{2, 1, 2, 1, 1, 0, 1, 0}));
    EXPECT_EQ(row(0, 1), (std::vector<double>{1, 1, 1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(row(1, 1), (std::vector<double>{1, 2, 1, 2, 0, 1, 0, 1}));
}

// the cat sleeps here the dog drinks there the king is old: landmarks at 3, 7 and 11
TEST(PatternExamples, LandmarksPassOnWhatTheyGet) {
    const Example example("landmark");
    const auto chosen = stage(record(planned(example.plan().spec, example.plan().inputs)), "group_weights");
    const auto king = example.row("king");
    for (Index query = 0; query < 12; ++query)
        for (const std::size_t landmark : {3u, 7u, 11u})
            EXPECT_EQ(example.row(query)[landmark], 0) << query;
    EXPECT_GT(chosen[9 * 12 + 3], 0);
    EXPECT_NEAR(king[0] + king[1] + king[2], chosen[9 * 12 + 3], 1e-12);
}

TEST(PatternExamples, WaitKIsAStaircase) {
    EXPECT_EQ(seen(Example("wait_k")), (Counts{2, 3, 4, 5, 6, 7, 7}));
    EXPECT_EQ(Example("wait_k").weight("we", "we"), 0) << "not yet said";
    EXPECT_GT(Example("wait_k").weight("night", "beer"), 0);
}

// red blue green cat dog horse king queen prince
TEST(PatternExamples, WhatNoPeakIsInIsFlat) {
    const Example example("sparse_linear");
    const Trace trace = record(planned(example.plan().spec, example.plan().inputs));
    const auto fine = stage(trace, "fine_weights"), linear = stage(trace, "linear_weights");
    for (std::size_t row = 0; row < 9; ++row)
        for (std::size_t column = 0; column < 9; ++column) {
            const bool is_own = row / 3 == column / 3;
            EXPECT_EQ(fine[row * 9 + column] > 0, is_own) << row << ", " << column;
            EXPECT_NEAR(linear[row * 9 + column], is_own ? 0 : 1.0 / 6, is_own ? 0 : 0.03);
        }
}

// the king spoke and the queen and the king and the people heard the king: "king" at 1, 8 and 14
TEST(PatternExamples, WhatOneQueryFoundIsGivenToThoseAfterIt) {
    const Example example("delta_correction"), full("causal");
    const Plan& plan = example.plan();
    const auto of_causal = run(planned(full.plan().spec, plan.inputs)).weights;
    const auto is_full = [&](Index row) {
        const auto expected = std::span(of_causal).subspan(static_cast<std::size_t>(row * 15), 15);
        return bool(near(example.row(row), expected, 1e-12));
    };
    for (Index row = 0; row < 15; ++row)
        EXPECT_EQ(is_full(row), row < 4 || row % 4 == 0) << row;
    for (Index row = 8; row < 12; ++row) {
        EXPECT_NEAR(example.row(row)[1], 0.36, 0.005) << row;
        EXPECT_EQ(example.row(row)[8]<-0.4, row> 8) << row;
    }
}

TEST(PatternExamples, APermutedOrderIsATriangleInItsRows) {
    const Example example("permutation");
    EXPECT_EQ(seen(example), (Counts{6, 1, 8, 7, 2, 3, 5, 4}));
    const std::vector<std::string> turns{"york", "city", "on", "coast", "the", "new", "a", "is"};
    for (std::size_t i = 0; i < turns.size(); ++i)
        for (std::size_t j = 0; j < turns.size(); ++j)
            EXPECT_EQ(example.weight(turns[i], turns[j]) > 0, j <= i) << turns[i] << ", " << turns[j];
    EXPECT_EQ(seen(Example("permutation", {{"stream", std::string("query")}})),
              (Counts{5, 0, 7, 6, 1, 2, 4, 3}));
}

// Six noised words, of which three are "blank", before the six clean ones.
TEST(PatternExamples, NoisedBlocksSeeCleanOnesBeforeThem) {
    const Example example("block_diffusion");
    EXPECT_EQ(seen(example), (Counts{2, 2, 4, 4, 6, 6, 2, 2, 4, 4, 6, 6}));
    EXPECT_EQ(example.row(Index(1))[7], 0) << "the answer";
    EXPECT_GT(example.row(Index(3))[7], 0);
    EXPECT_EQ(example.row(Index(7))[1], 0) << "clean words see no noise";
}

TEST(PatternExamples, WordsSeeTheImageBeforeThem) {
    const Example example("flamingo");
    EXPECT_EQ(seen(example), (Counts{0, 2, 2, 2, 2, 2, 2, 2, 2, 2}));
    EXPECT_GT(example.weight("cat", "kitten"), 0);
    EXPECT_EQ(example.weight("car", "kitten"), 0);
    EXPECT_GT(example.row(Index(4))[0], 0) << "the first “here”";
    EXPECT_GT(example.row(Index(9))[3], 0) << "the second one";
}

}  // namespace

}  // namespace headlight::examples_patterns_test
