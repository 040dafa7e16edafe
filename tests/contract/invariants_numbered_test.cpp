// The catalogue's test matrix has 45 lines; each has a test of its number.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace headlight::invariants_numbered_test { namespace {

TEST(Invariants, EveryLineHasATestNamedAfterIt) {
    std::set<int> found;
    const std::regex test_name(R"(TEST(?:_F|_P)?\([^)]*)"), number("(?:Invariant|And)([0-9]+)");
    for (const std::string folder : {"core", "contract"})
        for (const auto& file :
             std::filesystem::directory_iterator(HEADLIGHT_SOURCE_DIR "/tests/" + folder)) {
            std::ifstream stream(file.path());
            const std::string text{std::istreambuf_iterator<char>(stream), {}};
            for (std::sregex_iterator test(text.begin(), text.end(), test_name), end; test != end; ++test) {
                const std::string name = test->str();
                for (std::sregex_iterator each(name.begin(), name.end(), number); each != end; ++each)
                    found.insert(std::stoi(each->str(1)));
            }
        }
    for (int line = 1; line <= 45; ++line)
        EXPECT_TRUE(found.contains(line)) << "no test is named after invariant " << line;
}

}}  // namespace headlight::invariants_numbered_test
