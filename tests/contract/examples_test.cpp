// What each mechanism's example promises to show is there to see, with the English vectors that the window
// starts with.

#include "tests/support/example.h"

namespace headlight::examples_test {

using namespace test;

namespace {

TEST(Examples, RunWithNothingButTheirText) {
    for (const Mechanism& mechanism : mechanisms()) {
        const Example example(mechanism.id);
        EXPECT_TRUE(example.knows_every_word()) << mechanism.id;
        EXPECT_GE(example.plan().queries, 6) << mechanism.id;
        EXPECT_LE(example.plan().queries, 16) << mechanism.id;  // a grid of four by four
    }
}

TEST(Examples, BasicSelfAttentionCannotTellTheTwoBanksApart) {
    const Example example("basic_self_attention");
    EXPECT_TRUE(near(example.row(1), example.row(7), 1e-12));
    const Example with_positions("basic_self_attention", {}, PositionType::sinusoidal);
    EXPECT_FALSE(near(with_positions.row(1), with_positions.row(7), 0.01));
}

TEST(Examples, DotSaturatesAndTheScaleUndoesIt) {
    const Example dot("dot");
    const Example scaled("scaled_dot_product");
    for (const std::string word : {"king", "queen", "man", "woman", "met"}) {
        EXPECT_GT(dot.weight(word, word), 0.95) << word;
        EXPECT_LT(scaled.weight(word, word), 0.7) << word;
    }
    EXPECT_EQ(scaled.favourite("king"), "queen");
    EXPECT_EQ(scaled.favourite("queen"), "king");
    EXPECT_EQ(scaled.favourite("man"), "woman");
    EXPECT_EQ(scaled.favourite("woman"), "man");
}

TEST(Examples, SoftFindsTheSeasonsWhenWarm) {
    EXPECT_GT(Example("soft").weight("summer", "summer"), 0.9);
    const Example warm("soft", {{"temperature", 8.0}});
    EXPECT_EQ(warm.favourite("summer"), "winter");
    EXPECT_EQ(warm.favourite("winter"), "summer");
    EXPECT_GT(warm.weight("summer", "winter"), 0.2);
}

TEST(Examples, SelfAttentionIsNotSymmetric) {
    const Example example("self_attention");
    EXPECT_GT(std::abs(example.weight("animal", "tired") - example.weight("tired", "animal")), 0.001);
}

TEST(Examples, AdditiveWithIdentityHasOneRow) {
    const Example example("additive", {{"activation", std::string("identity")}});
    for (Index query = 1; query < example.plan().queries; ++query)
        EXPECT_TRUE(near(example.row(query), example.row(0), 1e-12));
}

TEST(Examples, HardChoosesTheFirstOfEqualsAndTheLongerVector) {
    const Example example("hard");
    for (std::size_t i = 0; i < example.words().size(); ++i)
        if (example.words()[i] == "the") {
            EXPECT_EQ(example.row(static_cast<Index>(i))[0], 1);
        }
    EXPECT_EQ(example.weight("cat", "dog"), 1);
}

TEST(Examples, CausalStartsAtItself) {
    const Example example("causal");
    EXPECT_EQ(example.weight("once", "once"), 1);
    EXPECT_EQ(example.weight("upon", "king"), 0);
}

TEST(Examples, CrossFindsWordsOfLikeMeaning) {
    const Example example("cross");
    EXPECT_EQ(example.favourite("cat"), "kitten");
    EXPECT_EQ(example.favourite("sofa"), "couch");
}

TEST(Examples, MultiHeadHasEightMaps) { EXPECT_EQ(Example("multi_head").plan().heads, 8); }

TEST(Examples, MultiHeadOpensOnHeadsThatDiffer) {
    const Example example("multi_head", mechanism("multi_head").example.values);
    ASSERT_EQ(example.words(),
              (std::vector<std::string>{"the", "king", "and", "the", "queen", "drink", "tea"}));
    ASSERT_EQ(example.plan().heads, 4);
    const auto weight = [&](Index head, Index query, Index key) {
        return example.row(head * 7 + query)[static_cast<std::size_t>(key)];
    };
    constexpr Index the = 0, king = 1, and_ = 2, again = 3, queen = 4, drink = 5, tea = 6;
    for (const Index head : {Index(0), Index(1)})
        for (const Index other : {the, and_, again, drink, tea}) {
            EXPECT_GT(weight(head, king, queen), weight(head, king, other)) << head << ", key " << other;
            EXPECT_GT(weight(head, queen, king), weight(head, queen, other)) << head << ", key " << other;
        }
    for (Index query = the; query <= tea; ++query)
        for (const Index other : {king, and_, queen, drink, tea})
            EXPECT_GT(weight(3, query, the) + weight(3, query, again), weight(3, query, other))
                << query << ", key " << other;
}

}  // namespace

}  // namespace headlight::examples_test
