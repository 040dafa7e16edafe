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

TEST(RecurrentExamples, TheFourthPowerIsNearSoftmaxAndTheSecondIsReBased) {
    const Example fourth("power", {{"power", std::string("4")}}), second("power"), rebased("rebased");
    const Trace trace = record(planned(spec(R"({"mask": {"type": "causal"}})"), fourth.plan().inputs));
    const auto softmax = stage(trace, "weights");
    const Index n = fourth.plan().queries;
    double of_fourth = 0, of_second = 0;
    for (Index query = 0; query < n; ++query) {
        EXPECT_TRUE(near(second.row(query), rebased.row(query), 1e-9)) << query;
        for (Index key = 0; key < n; ++key) {
            const auto at = static_cast<std::size_t>(key);
            const double exact = softmax[static_cast<std::size_t>(query * n + key)];
            of_fourth = std::max(of_fourth, std::abs(fourth.row(query)[at] - exact));
            of_second = std::max(of_second, std::abs(second.row(query)[at] - exact));
        }
    }
    EXPECT_LT(of_fourth, 0.1);
    EXPECT_GT(of_second, 0.2);
}

// the king met the queen and the man met the woman: "the" at 0, 3, 6 and 9
TEST(RecurrentExamples, TheSecondOrderWeighsLaterCopiesMore) {
    const Example example("higher_order");
    const auto row = example.row(Index(9));
    EXPECT_NEAR(row[0], 27, 0.5);
    EXPECT_NEAR(row[3], 65, 0.5);
    EXPECT_NEAR(row[6], 111, 0.5);
    EXPECT_NEAR(row[9], 154, 0.5);
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

TEST(RecurrentExamples, FourierWeightsAreWaves) {
    const Example example("fourier");
    for (std::size_t key = 0; key < 8; ++key) {
        EXPECT_EQ(example.row(Index(0))[key], 1);
        EXPECT_NEAR(example.row(Index(4))[key], key % 2 == 0 ? 1 : -1, 1e-12);
        EXPECT_NEAR(example.row(Index(1))[key], example.row(Index(7))[key], 1e-12);
    }
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
