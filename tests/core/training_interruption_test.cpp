// A training step, a measurement and a word of an answer stop in the middle when nobody wants them any more,
// and leave the training as it was.

#include "core/model/generation.h"
#include "core/tensor/interruption.h"
#include "tests/support/small_models.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace headlight::training_interruption_test {

using namespace test;

namespace {

class SmallTraining : public testing::TestWithParam<SmallModel> {};

std::vector<float> weights_of(const Training& training) {
    return {training.weights().begin(), training.weights().end()};
}

TEST_P(SmallTraining, TakesAStepWhollyOrNotAtAll) {
    Training undisturbed(small_settings(GetParam())), disturbed(small_settings(GetParam()));
    undisturbed.step();
    disturbed.step();
    const std::vector<float> before = weights_of(disturbed);
    {
        const std::atomic<bool> wanted = true;
        const Interruption interruption(wanted);
        EXPECT_THROW(disturbed.step(), Interrupted);
    }
    EXPECT_EQ(disturbed.steps(), 1);
    EXPECT_EQ(weights_of(disturbed), before);
    // At any moment in between: it is asked for again until it has been taken.
    for (int microseconds = 0; disturbed.steps() < 2; microseconds = 2 * microseconds + 20) {
        std::atomic<bool> wanted = false;
        std::thread impatient([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
            wanted = true;
        });
        try {
            const Interruption interruption(wanted);
            disturbed.step();
        } catch (const Interrupted&) {
            EXPECT_EQ(weights_of(disturbed), before);
        }
        impatient.join();
    }
    undisturbed.step();
    EXPECT_EQ(weights_of(disturbed), weights_of(undisturbed));
}

TEST_P(SmallTraining, IsNotMeasuredForNobody) {
    const Training training(small_settings(GetParam()));
    const std::atomic<bool> wanted = true;
    const Interruption interruption(wanted);
    EXPECT_THROW(training.exact_match_rate(64), Interrupted);
}

TEST_P(SmallTraining, SaysNothingForNobody) {
    const Training training(small_settings(GetParam()));
    const std::atomic<bool> wanted = true;
    const Interruption interruption(wanted);
    EXPECT_THROW(Generation(*training.model().host, training.weights(), {2, 3}).read(0), Interrupted);
}

INSTANTIATE_TEST_SUITE_P(Models, SmallTraining, testing::ValuesIn(small_models), [](const auto& row) {
    std::string name = row.param.name;
    std::ranges::replace(name, ' ', '_');
    return name;
});

}  // namespace

}  // namespace headlight::training_interruption_test
