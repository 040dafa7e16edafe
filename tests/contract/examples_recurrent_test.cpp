// What the examples of the linear, recurrent and low-rank mechanisms promise to show.

#include "tests/support/example.h"

namespace headlight::examples_recurrent_test {

using namespace test;

namespace {

double largest_elsewhere(const Example& example, Index query) {
    const auto row = example.row(query);
    double most = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
        if (static_cast<Index>(j) != query)
            most = std::max(most, std::abs(row[j]));
    return most;
}

TEST(RecurrentExamples, LinearIsFlatterThanSoftmax) {
    const Example linear("linear"), softmax("causal");
    ASSERT_EQ(linear.words(), softmax.words());
    const Index last = linear.plan().queries - 1;
    EXPECT_LT(*std::ranges::max_element(linear.row(last)), *std::ranges::max_element(softmax.row(last)));
}

TEST(RecurrentExamples, RetentionFadesCopiesByGamma) {
    const Example example("retention", {{"gamma", 0.7}});
    // the old man and the young man saw the sea: "the" at 0, 4 and 8
    for (Index query = 8; query < example.plan().queries; ++query) {
        const auto row = example.row(query);
        EXPECT_NEAR(row[0] / row[4], std::pow(0.7, 4), 1e-6);
        EXPECT_NEAR(row[4] / row[8], std::pow(0.7, 4), 1e-6);
    }
}

// the door was red and then the door was blue: "door" at 1 and 7
TEST(RecurrentExamples, DeltaRulesOverwriteTheFirstDoor) {
    for (const char* id : {"delta", "gated_delta", "kda"}) {
        const Example example(id);
        const auto row = example.row(Index(7));
        EXPECT_LT(std::abs(row[1]), std::abs(row[7])) << id;
    }
    const Example only_added("gla", {{"forgets", false}});
    EXPECT_NEAR(only_added.row(Index(7))[1], only_added.row(Index(7))[7], 1e-9);
}

TEST(RecurrentExamples, MesaSharesOneAnswerBetweenCopies) {
    const Example fitted("mesa", {{"lambda", 0.01}}), summed("mesa", {{"lambda", 1e6}});
    const auto with_copies = fitted.row(Index(8)), linear = summed.row(Index(8));
    EXPECT_LT(with_copies[0] + with_copies[4] + with_copies[8], 1.01);
    EXPECT_NEAR(linear[0] / linear[8], 1, 1e-6);
}

TEST(RecurrentExamples, LinformerComesInStripes) {
    const Example example("linformer");
    const Index keys = example.plan().keys;
    for (Index query = 0; query < example.plan().queries; ++query)
        EXPECT_NEAR(example.row(query)[0], example.row(query)[1], 1e-12);
    EXPECT_GT(keys, 4);
}

TEST(RecurrentExamples, NystromNearsSoftmax) {
    const Example exact("scaled_dot_product");
    const Example all("nystrom", {{"landmarks", Index(64)}, {"iterations", Index(60)}});
    ASSERT_EQ(exact.words(), all.words());
    for (Index query = 0; query < exact.plan().queries; ++query)
        EXPECT_TRUE(near(all.row(query), exact.row(query), 1e-4)) << query;
}

TEST(RecurrentExamples, AttentionFreeQueriesDoNotChoose) {
    const Example example("aft");
    const Index last = example.plan().queries - 1;
    // Of the keys that both see, one has as much more weight than another in either row, channel by channel;
    // on average nearly so.
    const auto row = example.row(last), before = example.row(last - 1);
    EXPECT_NEAR(row[0] / row[1], before[0] / before[1], 0.1);
    EXPECT_LT(largest_elsewhere(example, last), 0.6);
}

}  // namespace

}  // namespace headlight::examples_recurrent_test
