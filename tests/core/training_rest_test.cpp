// A training that rests gives back the memory that its steps work in, and goes on to the same weights.

#include "core/tensor/sanitizers.h"
#include "tests/support/small_models.h"

#include <algorithm>
#include <malloc.h>

namespace headlight::training_rest_test {

using namespace test;

namespace {

/// Bytes that are allocated now, by all threads.
std::size_t allocated() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

TEST(TrainingAtRest, GivesItsWorkingMemoryBack) {
    if (is_sanitized)
        GTEST_SKIP() << "the allocator of a sanitizer is not counted by mallinfo2()";
    TrainingSettings settings = small_settings(small_models[0]);
    settings.batch = 256;
    Training training(settings);
    const std::size_t before = allocated();
    training.step();
    const std::size_t working = allocated() - before;
    training.rest();
    const std::size_t resting = allocated() - before;
    EXPECT_LT(resting, working / 100) << "of " << working << " bytes while it works";
}

TEST(TrainingAtRest, GoesOnToTheSameWeights) {
    Training restless(small_settings(small_models[0])), rested(small_settings(small_models[0]));
    for (int step = 0; step < 3; ++step) {
        restless.step();
        rested.step();
        rested.rest();
    }
    EXPECT_TRUE(std::ranges::equal(restless.weights(), rested.weights()));
    EXPECT_EQ(restless.checkpoint(), rested.checkpoint());
}

}  // namespace

}  // namespace headlight::training_rest_test
