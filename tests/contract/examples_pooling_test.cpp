// What the examples promise to show of rows that learned vectors make of a text, of hops, memory tokens and
// slots, and of layers of which each reads something of those below it.

#include "tests/support/example.h"
#include "tests/support/map_rows.h"

namespace headlight::examples_pooling_test {

using namespace test;

namespace {

Trace traced(const Example& example) { return record(std::make_shared<const Plan>(example.plan())); }

/// Every query has the weights of the first one.
void expect_one_row(const Example& example) {
    for (Index query = 1; query < example.plan().queries; ++query)
        EXPECT_TRUE(within(example.row(query), example.row(Index(0)), 0)) << query;
}

// king queen dog cat apple orange banana
TEST(PoolingExamples, EachTwoWordsAskAsOne) {
    const Example example("pooled_queries");
    for (const auto& [first, second] :
         {std::pair("queen", "dog"), std::pair("cat", "apple"), std::pair("orange", "banana")}) {
        EXPECT_TRUE(near(example.row(first), example.row(second), 0)) << first;
        EXPECT_FALSE(near(example.row(first), example.row("king"), 1e-3)) << first;
    }
    const auto plain = run(build_spec(mechanism("scaled_dot_product"), {}), example.plan().inputs).weights;
    EXPECT_TRUE(near(example.row("king"), row_of(plain, 0, 7), 1e-12)) << "it asks alone";
}

// the storm was terrible but the harbour was safe: "the" at 0 and 5, "was" at 2 and 7
TEST(PoolingExamples, EachSeedGivesCopiesOneShare) {
    const Example example("attention_pooling");
    const auto weights = stage(traced(example), "pooling_weights");
    ASSERT_EQ(weights.size(), 4u * 9u);
    std::vector<double> mean(9);
    for (std::size_t seed = 0; seed < 4; ++seed) {
        const auto row = row_of(weights, seed, 9);
        EXPECT_NEAR(row[0], row[5], 1e-12);
        EXPECT_NEAR(row[2], row[7], 1e-12);
        EXPECT_NEAR(total_of(row), 1, 1e-12);
        for (std::size_t word = 0; word < 9; ++word)
            mean[word] += row[word] / 4;
    }
    expect_one_row(example);
    EXPECT_TRUE(near(example.row(Index(0)), mean, 1e-12));
}

TEST(PoolingExamples, CuesAreDrawnToTheSameWords) {
    const auto furthest_apart = [](Index steps) {
        const auto weights =
            stage(traced(Example("hopfield_pooling", {{"steps", steps}})), "pooling_weights");
        double most = 0;
        for (std::size_t cue = 1; cue < 4; ++cue)
            for (std::size_t word = 0; word < 7; ++word)
                most = std::max(most, std::abs(weights[cue * 7 + word] - weights[word]));
        return most;
    };
    EXPECT_GT(furthest_apart(1), 0.005);
    EXPECT_LT(furthest_apart(3), 0.05);
    EXPECT_LT(furthest_apart(50), 1e-3);
    const auto flat = stage(traced(Example("hopfield_pooling", {{"steps", Index(1)}})), "pooling_weights");
    for (const double weight : flat)
        EXPECT_NEAR(weight, 1.0 / 7, 0.05);
    const auto row = Example("hopfield_pooling").row(Index(0));  // king queen man woman apple orange banana
    EXPECT_GT(std::min(row[2], row[3]), std::max({row[0], row[1], row[4], row[5], row[6]}));
}

// dog cat horse cow dog pig music sheep dog
TEST(PoolingExamples, TheMeanAsksForWhatThereIsMost) {
    for (const char* query : {"mean_token", "mean"}) {
        const Example example("mean_query", {{"query", std::string(query)}});
        expect_one_row(example);
        const auto row = example.row(Index(0));
        EXPECT_NEAR(total_of(row), 1, 1e-12);
        EXPECT_NEAR(row[0], row[4], 1e-12);
        EXPECT_NEAR(row[0], row[8], 1e-12);
        EXPECT_EQ(*std::ranges::max_element(row), std::max({row[0], row[4], row[8]}));
        EXPECT_EQ(std::ranges::min_element(row) - row.begin(), 6) << "music";
    }
}

TEST(PoolingExamples, OverlapsAreSquaresOnTheDiagonal) {
    const auto overlaps = stage(traced(Example("structured_embedding")), "row_overlaps");
    ASSERT_EQ(overlaps.size(), 16u);
    for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b) {
            EXPECT_NEAR(overlaps[a * 4 + b], overlaps[b * 4 + a], 1e-15);
            EXPECT_GE(overlaps[a * 5] + 1e-15, 1.0 / 9);
            EXPECT_LE(overlaps[a * 4 + b], std::sqrt(overlaps[a * 5] * overlaps[b * 5]) + 1e-15);
        }
}

// dog cat horse cow dog pig music sheep cat
TEST(PoolingExamples, ABagGivesCopiesOneWeight) {
    const Example example("gated_pooling");
    expect_one_row(example);
    const auto row = example.row(Index(0));
    EXPECT_NEAR(row[0], row[4], 1e-12);
    EXPECT_NEAR(row[1], row[8], 1e-12);
    for (const double gate : stage(traced(example), "pooling_gates"))
        EXPECT_TRUE(gate >= 0 && gate <= 1) << gate;
}

// the cat slept all | day the stock market fell
TEST(PoolingExamples, SentencesShareOutTheirOwnWords) {
    const Example example("hierarchical_pooling");
    const Trace trace = traced(example);
    const auto words = stage(trace, "word_weights"), sentences = stage(trace, "sentence_weights");
    ASSERT_EQ(words.size(), 18u);
    for (std::size_t word = 0; word < 9; ++word) {
        EXPECT_EQ(words[word] > 0, word < 4);
        EXPECT_EQ(words[9 + word] > 0, word >= 4);
        EXPECT_NEAR(example.row(Index(0))[word],
                    sentences[word < 4 ? 0 : 1] * words[word < 4 ? word : 9 + word], 1e-12);
    }
    EXPECT_NEAR(total_of(row_of(words, 0, 9)), 1, 1e-12);
    EXPECT_NEAR(total_of(row_of(words, 1, 9)), 1, 1e-12);
    expect_one_row(example);
    const auto alone = stage(traced(Example("hierarchical_pooling", {{"first", Index(1)}})), "word_weights");
    EXPECT_NEAR(alone[0], 1, 1e-12);
}

// where is the milk and the man: man took milk to kitchen while woman went to garden
TEST(PoolingExamples, TheFirstHopFindsTheSameWord) {
    const Example example("memory_hops");
    const auto hops = stage(traced(example), "hop_weights");
    ASSERT_EQ(hops.size(), 7u * 30u);
    EXPECT_GT(hops[3 * 30 + 2], 0.99) << "milk";
    EXPECT_GT(hops[6 * 30], 0.95) << "man";
    for (std::size_t hop = 0; hop < 7 * 3; ++hop)
        EXPECT_NEAR(total_of(row_of(hops, hop, 10)), 1, 1e-12);
    const Trace once = traced(Example("memory_hops", {{"hops", Index(1)}}));
    const auto query = stage(once, "query"), found = stage(once, "attended"), output = stage(once, "output");
    for (std::size_t at = 0; at < output.size(); ++at)
        EXPECT_NEAR(output[at], query[at] + found[at], 1e-12);
}

// the government raises the tax while my kitten sleeps: "the" at 0 and 3
TEST(PoolingExamples, TheMemoryReadsAndIsRead) {
    const Example example("memory_tokens");
    const Trace trace = traced(example);
    const auto reads = stage(trace, "memory_reads"), taken = stage(trace, "memory_token_weights");
    for (std::size_t token = 0; token < 4; ++token) {
        EXPECT_NEAR(reads[token * 9], reads[token * 9 + 3], 1e-12);
        EXPECT_LT(total_of(row_of(reads, token, 9)), 1);
    }
    for (std::size_t word = 0; word < 9; ++word)
        EXPECT_NEAR(total_of(example.row(static_cast<Index>(word))) + total_of(row_of(taken, word, 4)), 1,
                    1e-12);
}

// dog cat dog tree house cat dog: "dog" at 0, 2 and 6, "cat" at 1 and 5
TEST(PoolingExamples, CopiesReadTheSameSlots) {
    const Example example("product_keys");
    const auto slots = stage(traced(example), "slot_weights");
    ASSERT_EQ(slots.size(), 7u * 16u);
    for (std::size_t word = 0; word < 7; ++word) {
        EXPECT_EQ(std::ranges::count(row_of(slots, word, 16), 0.0), 13) << word;
        EXPECT_NEAR(total_of(row_of(slots, word, 16)), 1, 1e-12);
    }
    for (const auto& [word, copy] : {std::pair{0u, 2u}, {0u, 6u}, {1u, 5u}})
        EXPECT_TRUE(within(row_of(slots, word, 16), row_of(slots, copy, 16), 1e-12));
    for (Index word = 0; word < 7; ++word)
        for (std::size_t other = 0; other < 7; ++other) {
            bool reads_together = false;
            for (std::size_t slot = 0; slot < 16; ++slot)
                reads_together |= row_of(slots, static_cast<std::size_t>(word), 16)[slot] > 0 &&
                                  row_of(slots, other, 16)[slot] > 0;
            EXPECT_EQ(example.row(word)[other] > 0, reads_together) << word << ", " << other;
        }
}

// the dog chased the cat and the cat ran: "the" at 0, 3 and 6
TEST(PoolingExamples, ParameterTokensHaveNoShares) {
    const auto weights = stage(traced(Example("token_parameters")), "queries_parameter_weights");
    ASSERT_EQ(weights.size(), 9u * 8u);
    EXPECT_TRUE(within(row_of(weights, 0, 8), row_of(weights, 3, 8), 1e-12));
    EXPECT_TRUE(within(row_of(weights, 0, 8), row_of(weights, 6, 8), 1e-12));
    EXPECT_GT(std::ranges::min(weights), -0.17);
}

// the small cat sleeps on the; a kitten rests on our couch
TEST(PoolingExamples, TwoSequencesShareOneSoftmax) {
    const Example example("merged_sources");
    const auto own = stage(traced(example), "own_weights");
    EXPECT_NEAR(row_of(own, 4, 6)[4], 0.36, 0.005);
    EXPECT_NEAR(example.weight("on", "on"), 0.36, 0.005);
    EXPECT_NEAR(total_of(example.row("on")), 0.53, 0.005);
    EXPECT_NEAR(total_of(row_of(own, 3, 6)), 0.67, 0.005);
    for (std::size_t word = 0; word < 6; ++word)
        EXPECT_NEAR(total_of(example.row(static_cast<Index>(word))) + total_of(row_of(own, word, 6)), 1,
                    1e-12);
}

// king queen man woman apple orange banana
TEST(PoolingExamples, SparseRetrievalEndsInFewPatterns) {
    const Example sparse("sparse_hopfield"), soft("hopfield");
    for (const auto& [word, partner] : {std::pair{0, 1}, {1, 0}, {2, 3}, {3, 2}}) {
        const auto row = sparse.row(Index(word));
        EXPECT_EQ(std::ranges::count(row, 0.0), 5) << word;
        EXPECT_GT(row[static_cast<std::size_t>(partner)], 0.2) << word;
    }
    for (Index fruit = 4; fruit < 7; ++fruit)
        EXPECT_NEAR(sparse.row(fruit)[static_cast<std::size_t>(fruit)], 1, 1e-12) << fruit;
    for (Index word = 0; word < 7; ++word)
        EXPECT_GT(std::ranges::min(soft.row(word)), 0.01) << word;
}

// king queen man woman apple orange banana
TEST(PoolingExamples, WordsGoDownTheirEnergy) {
    const Example example("energy_descent");
    const auto energies = stage(traced(example), "energies");
    ASSERT_EQ(energies.size(), 7u * 5u);
    std::vector<double> sums(5);
    for (std::size_t at = 0; at < energies.size(); ++at)
        sums[at % 5] += energies[at];
    EXPECT_TRUE(std::ranges::is_sorted(sums, std::greater<>()));
    for (Index word = 0; word < 7; ++word)
        EXPECT_EQ(example.row(word)[static_cast<std::size_t>(word)], 0) << word;
}

// we read the book and then the book was lost: "the" at 2 and 6, "book" at 3 and 7
TEST(PoolingExamples, AColumnThatIsPassedOverStaysEmpty) {
    const Example example("dynamic_mask");
    for (std::size_t key = 0; key < 10; ++key)
        for (Index query = static_cast<Index>(key) + 1; query < 10; ++query)
            EXPECT_LE(example.row(query)[key] > 0, example.row(query - 1)[key] > 0) << query << ", " << key;
    for (Index query = 7; query < 10; ++query) {
        EXPECT_EQ(example.row(query)[2] > 0, example.row(query)[6] > 0) << query;
        EXPECT_EQ(example.row(query)[3] > 0, example.row(query)[7] > 0) << query;
    }
}

// the king and the queen drink tea in the garden
TEST(PoolingExamples, EachHeadChoosesFourWords) {
    const auto trace = traced(Example("expert_choice"));
    const auto chosen = stage(trace, "chosen"), weights = stage(trace, "weights");
    ASSERT_EQ(chosen.size(), 4u * 10u);
    for (std::size_t head = 0; head < 4; ++head) {
        EXPECT_EQ(total_of(row_of(chosen, head, 10)), 4);
        for (std::size_t word = 0; word < 10; ++word)
            EXPECT_EQ(total_of(row_of(weights, head * 10 + word, 10)) > 0,
                      row_of(chosen, head, 10)[word] == 1);
    }
}

// animal the black cat and the dog sleep on the green sofa
TEST(PoolingExamples, PointsTakeTheWordsThatMeanSomething) {
    const Example eight("token_sampling"), twelve("token_sampling", {{"points", Index(12)}});
    const auto significance = stage(traced(eight), "significance");
    EXPECT_NEAR(significance[6], 0.28, 0.005);
    EXPECT_NEAR(significance[3], 0.12, 0.005);
    EXPECT_NEAR(significance[11], 0.02, 0.005);
    const auto left_out = [](const Example& example) {
        std::vector<std::size_t> words;
        for (std::size_t word = 0; word < 12; ++word)
            if (total_of(example.row(static_cast<Index>(word))) == 0)
                words.push_back(word);
        return words;
    };
    EXPECT_EQ(left_out(eight), (std::vector<std::size_t>{2, 4, 5, 7, 11}));
    EXPECT_EQ(left_out(twelve), (std::vector<std::size_t>{4, 11}));
}

// red green blue dog cat horse bread cheese
TEST(PoolingExamples, LikeWordsBecomeOne) {
    const auto are_one = [](const Example& example, Index a, Index b) {
        return bool(within(example.row(a), example.row(b), 1e-12));
    };
    const Example two("token_merging"), three("token_merging", {{"merged", Index(3)}});
    for (Index a = 0; a < 8; ++a)
        for (Index b = 0; b < a; ++b) {
            const bool animals = a == 4 && b == 3, colours = a <= 2;
            EXPECT_EQ(are_one(two, a, b), animals || (a == 1 && b == 0)) << a << ", " << b;
            EXPECT_EQ(are_one(three, a, b), animals || colours) << a << ", " << b;
        }
}

// dog dog cat tree tree tree house red
TEST(PoolingExamples, AClassLooksWhereItShows) {
    const auto shares = [](double sharpness) {
        return stage(traced(Example("class_residual", {{"sharpness", sharpness}})), "class_shares");
    };
    for (const double sharpness : {0.0, 1.0, 1000.0})
        for (std::size_t row = 0; row < 4; ++row)
            EXPECT_NEAR(total_of(row_of(shares(sharpness), row, 8)), 1.2, 1e-12);
    for (const double share : shares(0))
        EXPECT_NEAR(share, 0.15, 1e-12);
    const auto sharp = shares(1000);
    for (std::size_t row = 0; row < 4; ++row) {
        const auto of_class = row_of(sharp, row, 8);
        EXPECT_LE(std::ranges::count_if(of_class, [](double share) { return share > 0.126; }), 3);
    }
}

// animal city food music science sport: the dog ate bread while london played a song
TEST(PoolingExamples, SlotsKeepWhatTheyHaveWon) {
    const Example example("slot_attention", {{"cell", false}, {"layer", false}});
    const auto rounds = stage(traced(example), "round_weights");
    ASSERT_EQ(rounds.size(), 6u * 27u);
    for (std::size_t round = 1; round < 3; ++round) {
        EXPECT_GT(rounds[9 * round + 1], rounds[9 * (round - 1) + 1]) << "animal, dog";
        EXPECT_GT(rounds[2 * 27 + 9 * round + 3], rounds[2 * 27 + 9 * (round - 1) + 3]) << "food, bread";
    }
    EXPECT_GT(example.weight("animal", "dog"), 0.5);
    EXPECT_GT(example.weight("food", "bread"), 0.5);
    EXPECT_EQ(stage(traced(Example("slot_attention")), "round_weights").size(), 6u * 27u);
}

// first second third: the dog ate bread while london played a song
TEST(PoolingExamples, CapsulesShareOutEachWord) {
    const Example example("capsules");
    const auto rounds = stage(traced(example), "round_weights");
    ASSERT_EQ(rounds.size(), 6u * 27u);
    double moved = 0;
    for (std::size_t column = 0; column < 27; ++column) {
        double sum = 0;
        for (std::size_t parent = 0; parent < 6; ++parent) {
            const double share = rounds[parent * 27 + column];
            sum += share;
            if (column < 9) {
                EXPECT_NEAR(share, 1.0 / 6, 1e-12);
            } else {
                moved = std::max(moved, std::abs(share - 1.0 / 6));
            }
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
    EXPECT_GT(moved, 0.01);
}

// a king and a queen met a man and a woman
TEST(LayerExamples, ScoresOfTheLayerBelowAreRemembered) {
    const Example linked("realformer"), alone("realformer", {{"link", std::string("none")}});
    EXPECT_NEAR(linked.weight("woman", "woman"), 0.60, 0.005);
    EXPECT_NEAR(alone.weight("woman", "woman"), 0.31, 0.005);
    const auto maps = stage(traced(linked), "layer_weights"), others = stage(traced(alone), "layer_weights");
    ASSERT_EQ(maps.size(), 11u * 22u);
    EXPECT_NEAR(maps[10 * 22 + 10], 0.35, 0.005);
    EXPECT_TRUE(near(row_of(maps, 10, 22).first(11), row_of(others, 10, 22).first(11), 0));
}

// the king and the queen drink tea: "the" at 0 and 3
TEST(LayerExamples, ValuesStandHalfway) {
    const Trace trace = traced(Example("value_residual"));
    const auto mixed = stage(trace, "mixed_values"), words = stage(trace, "value"),
               input = stage(trace, "layer_input");
    ASSERT_EQ(mixed.size(), words.size());
    for (std::size_t at = 0; at < mixed.size(); ++at)
        EXPECT_NEAR(mixed[at], (words[at] + input[at]) / 2, 1e-12);
    const std::size_t width = mixed.size() / 7;
    EXPECT_TRUE(near(row_of(mixed, 0, width), row_of(mixed, 3, width), 1e-12));
}

TEST(LayerExamples, LayersShareOutWhatIsBelow) {
    const Trace trace = traced(Example("attention_residuals"));
    const auto map = stage(trace, "depth_map"), weights = stage(trace, "depth_weights");
    ASSERT_EQ(map.size(), 16u);
    for (std::size_t layer = 0; layer < 4; ++layer) {
        EXPECT_NEAR(total_of(row_of(map, layer, 4)), 1, 1e-12);
        for (std::size_t below = 0; below < 4; ++below)
            EXPECT_EQ(map[layer * 4 + below] > 0, below <= layer);
    }
    EXPECT_TRUE(near(row_of(weights, 0, 4), row_of(weights, 3, 4), 1e-12));
}

// animal fruit animal colour place number: the red apple and the black dog lie on the green grass
TEST(LayerExamples, QueriesThatAreAlikeFindTheSame) {
    const Example example("object_queries");
    const Trace trace = traced(example);
    EXPECT_EQ(stage(trace, "among_weights").size(), 36u);
    EXPECT_EQ(stage(trace, "weights").size(), 6u * 12u);
    EXPECT_TRUE(near(example.row(Index(0)), example.row(Index(2)), 1e-12));
}

// new york is a city on the coast, in the order york, city, on, coast, the, new, a, is
TEST(LayerExamples, NoPlaceLooksAtItsOwnWord) {
    const Example example("two_stream");
    for (Index place = 0; place < 8; ++place)
        EXPECT_EQ(example.row(place)[static_cast<std::size_t>(place)], 0);
    EXPECT_EQ(total_of(example.row("york")), 0);
    EXPECT_EQ(example.weight("city", "york"), 1);
    EXPECT_EQ(stage(traced(example), "content_stream_weights")[1 * 8 + 1], 1) << "york sees itself";
}

}  // namespace

}  // namespace headlight::examples_pooling_test
