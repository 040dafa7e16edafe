// Work that is shared out over threads: every task once, and what a task throws comes to the caller.

#include "core/tensor/parallel.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"
#include "core/tensor/sanitizers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

using namespace headlight;

namespace {

class Parallel : public testing::TestWithParam<int> {};

TEST_P(Parallel, EveryTaskIsDoneOnce) {
    for (const Index count : {0, 1, 2, 3, 1000}) {
        std::vector<int> done(static_cast<std::size_t>(count));
        parallel_for(count, GetParam(), [&](Index i, int thread) {
            ++done[static_cast<std::size_t>(i)];
            EXPECT_GE(thread, 0);
            EXPECT_LT(thread, GetParam());
        });
        EXPECT_EQ(done, std::vector<int>(static_cast<std::size_t>(count), 1));
    }
}

TEST_P(Parallel, WhatATaskThrowsComesToTheCaller) {
    const auto caller = std::this_thread::get_id();
    for (const Index thrower : {0, 1, 499, 999}) {
        try {
            parallel_for(1000, GetParam(), [&](Index i, int) {
                if (i == thrower)
                    throw Error({"share out", "task " + std::to_string(i), "room", "none"});
            });
            FAIL() << "task " << thrower << " has thrown";
        } catch (const Error& error) {
            EXPECT_EQ(error.detail().where, "task " + std::to_string(thrower));
            EXPECT_EQ(std::this_thread::get_id(), caller);
        }
    }
    EXPECT_THROW(parallel_for(8, GetParam(), [](Index, int) { throw std::bad_alloc(); }), std::bad_alloc)
        << "of many that throw, one is heard";
    std::atomic<int> done = 0;
    parallel_for(8, GetParam(), [&](Index, int) { ++done; });
    EXPECT_EQ(done, 8) << "the threads work on afterwards";
}

TEST_P(Parallel, NoTaskIsBegunWhenOneHasThrown) {
    constexpr Index count = 1'000'000;
    std::atomic<Index> begun = 0;
    EXPECT_THROW(parallel_for(count, GetParam(),
                              [&](Index, int) {
                                  ++begun;
                                  throw std::bad_alloc();
                              }),
                 std::bad_alloc);
    EXPECT_LE(begun, GetParam()) << "at most the one that each thread was at";
}

TEST_P(Parallel, NoTaskIsBegunWhenNobodyWantsTheResult) {
    constexpr Index count = 1'000'000;
    std::atomic<bool> wanted = false;
    std::atomic<Index> begun = 0;
    const Interruption interruption(wanted);
    EXPECT_THROW(parallel_for(count, GetParam(),
                              [&](Index, int) {
                                  wanted = true;
                                  ++begun;
                              }),
                 Interrupted);
    EXPECT_LE(begun, GetParam()) << "at most the one that each thread was at";
}

TEST_P(Parallel, ATaskThatLastsIsInterruptedOnEveryThread) {
    std::atomic<bool> wanted = false;
    std::atomic<int> working = 0;
    const Interruption interruption(wanted);
    // Each thread has a task that ends only by being interrupted; the last to arrive asks for that.
    EXPECT_THROW(parallel_for(GetParam(), GetParam(),
                              [&](Index, int) {
                                  if (++working == GetParam())
                                      wanted = true;
                                  for (;;)
                                      Interruption::check();
                              }),
                 Interrupted);
}

TEST_P(Parallel, WhatInterruptedOneRunLeavesTheNextAlone) {
    std::atomic<bool> wanted = true;
    {
        const Interruption interruption(wanted);
        EXPECT_THROW(parallel_for(8, GetParam(), [](Index, int) {}), Interrupted);
    }
    std::atomic<int> done = 0;
    parallel_for(8, GetParam(), [&](Index, int) {
        EXPECT_EQ(Interruption::current(), nullptr);
        ++done;
    });
    EXPECT_EQ(done, 8);
}

// Its start and its end are barriers.
TEST_P(Parallel, WhatOneRunWroteTheNextMayRead) {
    std::vector<int> numbers(1000);
    for (int run = 0; run < 3; ++run)
        parallel_for(1000, GetParam(),
                     [&](Index i, int) { ++numbers[static_cast<std::size_t>(run % 2 == 0 ? i : 999 - i)]; });
    EXPECT_EQ(numbers, std::vector<int>(1000, 3));
}

#ifdef HEADLIGHT_THREAD_SANITIZER
/// Two tasks, on a thread each, that write to one place. The second waits until the first has written, in a
/// way that orders nothing: two writes at the very same moment can escape ThreadSanitizer.
void race() {
    std::atomic<int> arrived = 0;
    std::atomic<bool> written = false;
    int shared = 0;
    parallel_for(2, 2, [&](Index i, int) {
        arrived.fetch_add(1, std::memory_order_relaxed);
        while (arrived.load(std::memory_order_relaxed) < 2 ||
               (i == 1 && !written.load(std::memory_order_relaxed)))
            ;
        ++shared;
        written.store(true, std::memory_order_relaxed);
    });
}

// Nothing of what tells ThreadSanitizer about parallel_for() hides the tasks from it.
TEST(ParallelDeathTest, TasksThatWriteToOnePlaceAreReported) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(race(); std::exit(0), "data race");
}
#endif

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, testing::Values(1, 2, 4));

}  // namespace
