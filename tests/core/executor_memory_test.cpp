// Everything is allocated when an executor is made; this counts, in a program of its own.

#include "tests/support/executor_runs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // free() is right for what operator new does here

namespace {

std::atomic<long> allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
    ++allocations;
    const std::size_t whole = (size + alignment - 1) / alignment * alignment;
    if (void* memory = std::aligned_alloc(alignment, whole ? whole : alignment))
        return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }

namespace headlight { namespace {

using namespace test;

class Memory : public testing::TestWithParam<ScoreType> {};

TEST_P(Memory, IsTakenOnce) {
    AttentionSpec spec = multi_head(2);
    spec.score.type = GetParam();
    spec.mask.rule = CausalMask{};
    spec.normalizer = {NormalizerType::hard, 1, HardMode::sample, 3};
    const auto made = planned(spec, self_inputs(300, 128));
    const long before_making = allocations;
    Executor<float> executor(made);
    const long before_running = allocations;
    EXPECT_GT(before_running, before_making);
    executor.run();
    executor.run();
    EXPECT_EQ(allocations, before_running);
}

INSTANTIATE_TEST_SUITE_P(Scores, Memory, testing::ValuesIn(every_score));

}}  // namespace headlight
