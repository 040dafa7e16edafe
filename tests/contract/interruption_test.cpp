// Whoever waits for a run that nobody wants any more waits a tenth of a second at most: every mechanism, at a
// size that would take seconds, and every phase that its first moments reach. In the short form every second
// has a later moment too, and of those that the graph runs, all by the same steps, one in four. What counts
// is the processor time of the thread that works, from the moment of asking until it returns: other programs
// cannot disturb that.

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"
#include "core/tensor/memory.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/attention_runs.h"
#include "tests/support/catalogue_plans.h"
#include "tests/support/long_tests.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <pthread.h>
#include <thread>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr double longest_wait = is_sanitized ? 2 : 0.1;

double seconds_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Asks the calling thread to stop when it has worked for so long; for no time at all, before it begins.
class Impatience {
public:
    explicit Impatience(double seconds) {
        pthread_getcpuclockid(pthread_self(), &clock_);
        if (seconds == 0) {
            ask();
            return;
        }
        const double end = seconds_of(clock_) + seconds;
        waiting_ = std::thread([this, end] {
            while (!is_over_ && seconds_of(clock_) < end)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ask();
        });
    }
    ~Impatience() {
        is_over_ = true;
        if (waiting_.joinable())
            waiting_.join();
    }
    const std::atomic<bool>& wanted() const { return wanted_; }
    /// Processor time that the thread has gone on working.
    double waited() const { return seconds_of(clock_) - asked_; }

private:
    void ask() {
        asked_ = seconds_of(clock_);
        wanted_ = true;
    }

    clockid_t clock_{};
    std::atomic<bool> wanted_ = false, is_over_ = false;
    std::atomic<double> asked_ = 0;
    std::thread waiting_;
};

Inputs inputs_of(const AttentionSpec& spec, Index tokens, Index width) {
    const auto vectors = [&](Index rows) {
        Tensor tensor({rows, width});
        for (Index i = 0; i < tensor.size(); ++i)
            tensor[i] = static_cast<double>(i * 7919 % 2003) / 2003 - 0.5;
        return tensor;
    };
    Inputs inputs;
    inputs.query = vectors(tokens);
    if (spec.source.type == SourceType::cross)
        inputs.key = vectors(tokens);
    return inputs;
}

void plan_and_record(const AttentionSpec& spec, const Inputs& inputs) {
    record(std::make_shared<const Plan>(plan(spec, inputs)), {.threads = 1});
}

class InterruptedMechanism : public testing::TestWithParam<std::string> {};

TEST_P(InterruptedMechanism, ReturnsWhenNobodyWantsItsResult) {
    const AttentionSpec spec = build_spec(mechanism(GetParam()), {});
    constexpr Index width = 256;
    const MemoryLimit limit(std::uint64_t(1) << 28);  // to free a GiB takes the kernel up to 0.1 s by itself
    Index tokens = is_sanitized ? 512 : 4096;
    const auto fits = [&] {
        try {
            // A program's memory is known when there is one, which takes its time.
            const std::atomic<bool> at_once = !runs_by_program(spec);
            const Interruption interruption(at_once);
            plan(spec, inputs_of(spec, tokens, width));
        } catch (const Interrupted&) {
        } catch (const Error&) {
            return false;
        }
        return true;
    };
    while (!fits() && tokens > 16)
        tokens /= 2;
    const Inputs inputs = inputs_of(spec, tokens, width);
    bool was_interrupted = false;
    // A small input, or a quick machine, may be done before the second.
    std::vector<double> moments{0, 0.03};
    if (!is_sanitized && has_turn(number_of(mechanism(GetParam())), runs_by_program(spec) ? 8 : 4))
        moments.push_back(0.15);
    if (is_long())
        moments.insert(moments.end(), {0.3, 0.5, 0.8, 1.2, 1.8, 2.5});
    for (const double seconds : moments) {
        // A neighbour on the same core slows a program down: the shortest of three turns counts, where the
        // first takes too long.
        double shortest = 1e9;
        for (int turn = 0; turn < 3 && shortest >= longest_wait; ++turn) {
            const Impatience impatience(seconds);
            try {
                const Interruption interruption(impatience.wanted());
                plan_and_record(spec, inputs);
                shortest = 0;
            } catch (const Interrupted&) {
                was_interrupted = true;
                shortest = std::min(shortest, impatience.waited());
            }
        }
        EXPECT_LT(shortest, longest_wait) << tokens << " tokens, after " << seconds << " s";
    }
    EXPECT_TRUE(was_interrupted) << tokens << " tokens";
}

INSTANTIATE_TEST_SUITE_P(Catalogue, InterruptedMechanism, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

}  // namespace
