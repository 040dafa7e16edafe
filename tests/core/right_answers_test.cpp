// Answers that are read are right where a model that says them token by token says the same.

#include "tests/support/greedy.h"
#include "tests/support/small_copier.h"
#include "tests/support/small_models.h"

#include <gtest/gtest.h>

#include <array>

namespace headlight::right_answers_test {

using namespace test;

namespace {

class RightAnswers : public testing::TestWithParam<SmallModel> {};

TEST_P(RightAnswers, AreThoseThatTheModelSays) {
    const TrainedModel& trained = small_trained(GetParam());
    const TaskModel& model = *trained.model;
    std::vector<Example> right, wrong;
    for (Index number = 0; number < 12; ++number) {
        Example asked = example(model.task, 3, number, Split::held_out);
        const GreedyAnswer answer = say_greedily(trained, asked);
        if (!answer.is_over || answer.words.empty())
            continue;
        asked.target.resize(static_cast<std::size_t>(asked.given));
        asked.target.insert(asked.target.end(), answer.words.begin(), answer.words.end());
        right.push_back(asked);
        const auto& words = model.target.words();
        asked.target.back() = words[words.size() - (asked.target.back() == words.back() ? 2 : 1)];
        wrong.push_back(asked);
    }
    if (right.empty())
        GTEST_SKIP() << "has not learned to come to an end";
    EXPECT_EQ(model.right_answers(trained.weights, right), std::ssize(right));
    EXPECT_EQ(model.right_answers(trained.weights, wrong), 0);
}

INSTANTIATE_TEST_SUITE_P(Models, RightAnswers, testing::ValuesIn(small_models), [](const auto& row) {
    std::string name = row.param.name;
    std::ranges::replace(name, ' ', '_');
    return name;
});

/// Whose share of right answers is that of the answers it says; the number of them.
Index right_of(const TrainedModel& trained, Index count) {
    Index right = 0;
    for (Index number = 0; number < count; ++number) {
        const Example asked = example(trained.model->task, 5, number, Split::held_out);
        right += say_greedily(trained, asked) == GreedyAnswer{asked.target, true} ? 1 : 0;
    }
    EXPECT_EQ(exact_match_rate(*trained.model, trained.weights, 5, count, 1),
              static_cast<double>(right) / static_cast<double>(count));
    return right;
}

// When some of the answers are right, and not all, depends on the last bit of a compiler's sums: over all of
// these they are neither none nor all.
TEST(RightAnswers, OfAModelThatLearnsAreTheShareThatIsMeasured) {
    constexpr Index count = 64;
    constexpr std::array<Index, 4> steps = {10, 60, 90, 150};
    Index right = 0;
    for (const Index each : steps)
        right += right_of(small_copier(true, each), count);
    EXPECT_GT(right, 0);
    EXPECT_LT(right, count * std::ssize(steps));
}

}  // namespace
}  // namespace headlight::right_answers_test
