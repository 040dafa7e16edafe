// What a comment says is a sentence with a subject or a verb: what a thing is, or what a function does.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace headlight::comments_test { namespace {

namespace fs = std::filesystem;

class Comments : public testing::TestWithParam<const char*> {};

TEST_P(Comments, BeginWithWhatAThingIsOrDoes) {
    // "Of the rows that ..." leaves out whether they are counted, drawn or returned.
    static const std::regex without_subject(R"(^\s*(///|//|/\*\*)\s+Of\s)");
    static const std::regex follows_a_comment(R"(^\s*//)");
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    for (const auto& entry : fs::recursive_directory_iterator(root / GetParam())) {
        const fs::path extension = entry.path().extension();
        if (extension != ".h" && extension != ".cpp")
            continue;
        std::ifstream file(entry.path());
        bool is_in_comment = false;
        int number = 0;
        for (std::string line; std::getline(file, line);) {
            ++number;
            EXPECT_FALSE(!is_in_comment && std::regex_search(line, without_subject))
                << fs::relative(entry.path(), root).generic_string() << ':' << number << ": " << line;
            is_in_comment = std::regex_search(line, follows_a_comment);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Wings, Comments, testing::Values("core", "ui", "app", "tests", "bench"));

}}  // namespace headlight::comments_test
