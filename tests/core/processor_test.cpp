// A level of kernels is chosen only where the processor has everything that its compiler may use.

#include "core/kernels/processor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace headlight::processor_test {

using namespace kernels;
using kernels::Level;  // not the views', which a neighbour in the same program may include

namespace {

/// One that has everything that is asked for.
Processor newest() {
    Processor processor;
    for (const Feature& feature : required_features())
        processor.*feature.word |= std::uint32_t(1) << feature.bit;
    return processor;
}

TEST(Processor, RunsEveryLevelWithAllFeatures) {
    for (const Level level : {Level::baseline, Level::avx2, Level::avx512})
        EXPECT_TRUE(runs(level, newest())) << to_string(level);
}

TEST(Processor, RunsTheBaselineWithNone) {
    EXPECT_TRUE(runs(Level::baseline, Processor()));
    EXPECT_FALSE(runs(Level::avx2, Processor()));
    EXPECT_FALSE(runs(Level::avx512, Processor()));
}

TEST(Processor, LacksALevelWithoutAnyOneOfItsFeatures) {
    for (const Feature& feature : required_features()) {
        Processor processor = newest();
        processor.*feature.word &= ~(std::uint32_t(1) << feature.bit);
        EXPECT_EQ(runs(Level::avx2, processor), feature.level == Level::avx512) << feature.name;
        EXPECT_FALSE(runs(Level::avx512, processor)) << feature.name;
        EXPECT_TRUE(runs(Level::baseline, processor)) << feature.name;
    }
}

/// The table of the x86-64 psABI, beside what it leaves to the operating system.
TEST(Processor, AsksForTheTableOfTheAbi) {
    const auto names = [](Level level) {
        std::set<std::string> found;
        for (const Feature& feature : required_features())
            if (feature.level == level && feature.name.find(' ') == std::string_view::npos)
                found.emplace(feature.name);
        return found;
    };
    const std::set<std::string> v3{"AVX", "AVX2", "BMI1", "BMI2", "F16C", "FMA", "LZCNT", "MOVBE", "OSXSAVE"};
    const std::set<std::string> v4{"AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL"};
    EXPECT_EQ(names(Level::avx2), v3);
    EXPECT_EQ(names(Level::avx512), v4);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
TEST(Processor, IsReadAsTheCompilersOwnLibraryReadsIt) {
    __builtin_cpu_init();
    EXPECT_EQ(runs(Level::avx2, this_processor()), __builtin_cpu_supports("x86-64-v3") != 0);
    EXPECT_EQ(runs(Level::avx512, this_processor()), __builtin_cpu_supports("x86-64-v4") != 0);
    const auto bit = [](std::uint32_t word, int place) { return (word >> place & 1) != 0; };
    const Processor here = this_processor();
    EXPECT_EQ(bit(here.leaf_1_ecx, 12), __builtin_cpu_supports("fma") != 0);
    EXPECT_EQ(bit(here.leaf_1_ecx, 22), __builtin_cpu_supports("movbe") != 0);
    EXPECT_EQ(bit(here.leaf_1_ecx, 29), __builtin_cpu_supports("f16c") != 0);
    EXPECT_EQ(bit(here.leaf_7_ebx, 3), __builtin_cpu_supports("bmi") != 0);
    EXPECT_EQ(bit(here.leaf_7_ebx, 8), __builtin_cpu_supports("bmi2") != 0);
    EXPECT_EQ(bit(here.extended_1_ecx, 5), __builtin_cpu_supports("lzcnt") != 0);
}
#endif

}  // namespace

}  // namespace headlight::processor_test
