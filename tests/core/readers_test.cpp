// Every reader against right files with something wrong in them: what the fuzz targets do, in a small and
// always the same way. A reader may refuse; it may not crash, hang, or accept what its writer cannot write.

#include "core/tensor/sanitizers.h"
#include "tests/support/long_tests.h"
#include "tests/fuzz/readers.h"

#include <gtest/gtest.h>

#include <random>

namespace headlight::readers_test {

using namespace test;

namespace {

class Readers : public testing::TestWithParam<std::size_t> {
protected:
    const Reader& reader_ = readers()[GetParam()];
};

TEST_P(Readers, AcceptTheirSeeds) {
    ASSERT_FALSE(reader_.seeds.empty());
    for (const std::string& seed : reader_.seeds)
        EXPECT_TRUE(reader_.read(seed)) << seed;
}

TEST_P(Readers, SurviveEveryTruncation) {
    for (const std::string& seed : reader_.seeds)
        for (std::size_t length = 0; length < seed.size(); length += (!is_sanitized ? 1 : is_long() ? 5 : 11))
            reader_.read(std::string_view(seed).substr(0, length));
}

TEST_P(Readers, SurviveEveryChangedByte) {
    // The fuzzers change the others.
    const std::size_t step = is_sanitized ? (is_long() ? 31 : 61) : is_long() ? 1 : 3;
    for (const std::string& seed : reader_.seeds) {
        for (std::size_t i = 0; i < seed.size(); i += step) {
            for (const char byte : {'\0', '\xff', '9', '"', ']', static_cast<char>(seed[i] ^ 1)}) {
                if (byte == seed[i])
                    continue;
                std::string changed = seed;
                changed[i] = byte;
                reader_.read(changed);
            }
        }
    }
}

/// Cuts, repeats, overwrites and inserts; words that mean something to a reader among what is inserted.
std::string mutated(std::string bytes, std::mt19937_64& random) {
    static const std::vector<std::string> words{"-1",
                                                "1e999",
                                                "NaN",
                                                "null",
                                                "[",
                                                "{",
                                                "}",
                                                "]",
                                                "\"\"",
                                                "18446744073709551615",
                                                "9223372036854775807",
                                                "\xEF\xBB\xBF",
                                                "0.5",
                                                "true",
                                                ",",
                                                ":",
                                                "\"a\":",
                                                "[[[[[[[[",
                                                "4294967296",
                                                "\r\n",
                                                ";",
                                                "\"Infinity\"",
                                                std::string(8, '\xff')};
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % (end + 1)); };
    for (std::size_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
        const std::size_t at = below(bytes.size() - 1),
                          length = below(std::min<std::size_t>(bytes.size() - at, 30));
        switch (random() % 5) {
        case 0:
            bytes.erase(at, length);
            break;
        case 1:
            bytes.insert(at, bytes.substr(below(bytes.size() - 1), length));
            break;
        case 2:
            bytes[at] = static_cast<char>(random());
            break;
        case 3:
            bytes.insert(at, words[random() % words.size()]);
            break;
        default:
            bytes.replace(at, length, words[random() % words.size()]);
        }
    }
    return bytes;
}

TEST_P(Readers, SurviveThousandsOfMutations) {
    // The fuzzers make more.
    const int mutations = is_sanitized ? (is_long() ? 200 : 100) : is_long() ? 4000 : 1000;
    std::mt19937_64 random(2024);
    for (const std::string& seed : reader_.seeds)
        for (int i = 0; i < mutations; ++i)
            reader_.read(mutated(seed, random));
}

INSTANTIATE_TEST_SUITE_P(All, Readers, testing::Range<std::size_t>(0, readers().size()),
                         [](const auto& row) { return std::string(readers()[row.param].name); });

}  // namespace

}  // namespace headlight::readers_test
