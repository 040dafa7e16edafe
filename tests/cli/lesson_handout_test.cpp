// The sheet of `headlight lesson -o sheet.pdf`: its question side has no solution in its pictures.
#include "tests/cli/program.h"

#include <cctype>
#include <string>

namespace headlight::lesson_handout_test {

using namespace headlight::test;

namespace {

/// The words of the question side; empty where nothing can read it.
std::string question_side(const std::string& lesson) {
    if (std::system("pdftotext -v 2> /dev/null") != 0)
        return {};
    const Workplace place;
    if (place.run({"lesson", lesson, "-o", "sheet.pdf"}).status != 0)
        return {};
    const std::string folder = place.folder().path().string();
    if (std::system(("cd '" + folder + "' && pdftotext -l 1 sheet.pdf text").c_str()) != 0)
        return {};
    return place.read("text");
}

/// Wherever lines break.
bool has(std::string text, std::string words) {
    for (std::string* each : {&text, &words})
        std::erase_if(*each, [](unsigned char sign) { return std::isspace(sign) != 0; });
    return text.find(words) != std::string::npos;
}

struct Given {
    const char* lesson;
    const char* asked;     ///< a piece of the question
    const char* solution;  ///< what a picture would say
};

class QuestionSide : public testing::TestWithParam<Given> {};

TEST_P(QuestionSide, HasNoSolution) {
    const Given& given = GetParam();
    const std::string side = question_side(given.lesson);
    if (side.empty())
        GTEST_SKIP() << "pdftotext is not installed";
    EXPECT_TRUE(has(side, given.asked)) << side;
    EXPECT_FALSE(has(side, given.solution)) << side;
}

INSTANTIATE_TEST_SUITE_P(
    Lessons, QuestionSide,
    testing::Values(
        // Which score is the smallest: the next question was asked beside all scores.
        Given{"similarity", "Which score of", "Scores"},
        // What happens to the map: the next question was asked beside a row of it.
        Given{"additive", "What happens to the map?", "looks most at"},
        // Where the largest weight is: the strip above the picture had all weights in small.
        Given{"softmax", "will get the largest weight?", "Exponentials"}),
    [](const auto& row) { return std::string(row.param.lesson); });

}  // namespace

}  // namespace headlight::lesson_handout_test
