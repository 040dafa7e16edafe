// How much memory a piece of work may take, and how people write amounts of it.
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::memory_test { namespace {

TEST(MemoryLimit, IsHalfOfWhatTheProcessMayHave) {
    EXPECT_GT(machine_memory(), std::uint64_t(64) << 20);
    EXPECT_EQ(memory_limit(), machine_memory() / 2);
}

TEST(MemoryLimit, IsWhatWasChosenWhileItLasts) {
    {
        const MemoryLimit outer(4'000'000'000);
        EXPECT_EQ(memory_limit(), 4'000'000'000u);
        {
            const MemoryLimit inner(1'000'000);
            EXPECT_EQ(memory_limit(), 1'000'000u);
        }
        EXPECT_EQ(memory_limit(), 4'000'000'000u);
    }
    EXPECT_EQ(memory_limit(), machine_memory() / 2);
}

TEST(MemoryLimit, RefusesMoreWithBothNumbers) {
    const MemoryLimit limit(4'000'000'000);
    EXPECT_NO_THROW(require_memory("run", "", 4e9));
    try {
        require_memory("run", "tokens", 57.2e9, ": 1 × 32768 × 32768 weights");
        FAIL() << "57 GB were accepted";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "tokens: run: expected at most 4.0 GB of memory, as --memory says, got 57.2 "
                     "GB: 1 × 32768 × 32768 weights");
    }
    EXPECT_THROW(require_memory("run", "", HUGE_VAL), Error);
    EXPECT_THROW(require_memory("run", "", std::nan("")), Error);
}

TEST(MemoryLimit, SaysWhereItComesFrom) {
    try {
        require_memory("run", "", HUGE_VAL);
        FAIL() << "everything was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.detail().expected, "at most " + memory_text(static_cast<double>(memory_limit())) +
                                               " of memory, half of what there is");
    }
}

struct Amount {
    const char* text;
    double bytes;
};

class Amounts : public testing::TestWithParam<Amount> {};
TEST_P(Amounts, AreReadWithTheirUnit) {
    const auto [text, bytes] = GetParam();
    const auto read = parse_bytes(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(static_cast<double>(*read), bytes) << text;
}
INSTANTIATE_TEST_SUITE_P(Units, Amounts,
                         testing::Values(Amount{"4GB", 4e9}, Amount{"4 gb", 4e9}, Amount{"1.5GB", 1.5e9},
                                         Amount{"512MiB", 512 * 0x1p20}, Amount{"2GiB", 0x1p31},
                                         Amount{"300KB", 3e5}, Amount{"1TB", 1e12}, Amount{"0.001KB", 1}));

class NoAmounts : public testing::TestWithParam<const char*> {};
TEST_P(NoAmounts, AreRefused) { EXPECT_FALSE(parse_bytes(GetParam())) << GetParam(); }
INSTANTIATE_TEST_SUITE_P(Texts, NoAmounts,
                         testing::Values("", "4", "GB", "-4GB", "0GB", "nan GB", "inf GB", "4GBs", "4 G B",
                                         "1e300TB", "4,5GB", "0x4GB"));

class Sizes : public testing::TestWithParam<Amount> {};
TEST_P(Sizes, AreSaidShortly) { EXPECT_EQ(memory_text(GetParam().bytes), GetParam().text); }
INSTANTIATE_TEST_SUITE_P(Texts, Sizes,
                         testing::Values(Amount{"0 bytes", 0}, Amount{"1 byte", 1}, Amount{"999 bytes", 999},
                                         Amount{"1.0 KB", 1000}, Amount{"312 KB", 312e3},
                                         Amount{"1.0 MB", 999.9e3}, Amount{"57.2 GB", 57.2e9},
                                         Amount{"100 GB", 99.96e9}, Amount{"68.0 TB", 68e12},
                                         Amount{"1e+18 TB", 1e30}));

}}  // namespace headlight::memory_test
