// `headlight lesson`: printed, as a page, as a handout.
#include "core/io/json_text.h"
#include "core/lesson/shipped_lessons.h"
#include "tests/cli/program.h"

#include <algorithm>

namespace headlight::lesson_command_test {

using namespace headlight::test;

namespace {

/// What a sheet has of a text: its subscripts have no underscore.
std::string without_blanks(std::string text) {
    std::erase_if(text, [](unsigned char sign) { return std::isspace(sign) != 0 || sign == '_'; });
    return text;
}

TEST(Lessons, AreListed) {
    const JsonDocument list = parse_json(Workplace().run({"list", "--json"}).output);
    const auto& lessons = (*list)["lessons"];
    ASSERT_EQ(lessons.size(), shipped_lessons().size());
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        EXPECT_EQ(lessons[i]["id"], shipped_lessons()[i].id);
        EXPECT_EQ(lessons[i]["title"], shipped_lessons()[i].title);
        EXPECT_EQ(lessons[i]["minutes"], shipped_lessons()[i].minutes);
    }
}

TEST(Lessons, ThatAreNoneAreRefusedWithThoseThatAre) {
    const Outcome outcome = Workplace().run({"lesson", "sofmax"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(Workplace().run({"lesson", "./sofmax"}).status, 1) << "a folder that is not there";
    EXPECT_NE(outcome.error.find("(did you mean \"softmax\"?)"), std::string::npos) << outcome.error;
    EXPECT_EQ(std::ranges::count(outcome.error, '\n'), 1);
}

TEST(Lessons, AreWrittenAsPictures) {
    const Workplace place;
    const Outcome outcome = place.run({"lesson", "causal", "--pictures", "svg", "-o", "figures"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const std::vector<LessonStep> steps = open_lesson("causal").steps;
    for (std::size_t step = 0; step < steps.size(); ++step)
        for (std::size_t state = 0; state < steps[step].states.size(); ++state) {
            const std::string file =
                "figures/causal-" + std::to_string(step + 1) + "-" + std::to_string(state + 1) + ".svg";
            EXPECT_NE(place.read(file).find("<svg"), std::string::npos) << file;
        }
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"lesson", "causal", "--pictures", "svg"},
          {"lesson", "causal", "--pictures", "doc", "-o", "figures"}}) {
        const Outcome refused = place.run(wrong);
        EXPECT_EQ(refused.status, 2) << refused.error;
        EXPECT_EQ(std::ranges::count(refused.error, '\n'), 1) << refused.error;
    }
    // What a model computes is no program of one attention.
    const Outcome refused = place.run({"lesson", "bahdanau", "--pictures", "py", "-o", "programs"});
    EXPECT_EQ(refused.status, 1) << refused.error;
    EXPECT_NE(refused.error.find("bahdanau step "), std::string::npos) << refused.error;
    EXPECT_FALSE(place.has("programs"));
}

class EveryLesson : public testing::TestWithParam<std::string> {};

TEST_P(EveryLesson, IsPrintedWithItsNumbers) {
    const Outcome outcome = Workplace().run({"lesson", GetParam()});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.output.find("{{"), std::string::npos);
    for (const LessonStep& step : open_lesson(GetParam()).steps)
        EXPECT_NE(outcome.output.find("## " + step.title), std::string::npos) << step.title;
}

TEST_P(EveryLesson, HasAHandoutOfTwoSidesWithEveryWord) {
    if (std::system("pdftotext -v 2> /dev/null") != 0)
        GTEST_SKIP() << "pdftotext is not installed";
    const Workplace place;
    const Outcome outcome = place.run({"lesson", GetParam(), "-o", "handout.pdf"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const std::string folder = place.folder().path().string();
    ASSERT_EQ(std::system(("cd '" + folder + "' && pdftotext handout.pdf text").c_str()), 0);
    const std::string text = place.read("text");
    EXPECT_EQ(std::ranges::count(text, '\f'), 2);
    // The end of a side is what is lost first.
    const std::string front = without_blanks(text.substr(0, text.find('\f')));
    const std::string back = without_blanks(text.substr(text.find('\f')));
    const Question last = open_lesson(GetParam()).quiz.back();
    EXPECT_TRUE(front.ends_with(without_blanks(last.options.back()))) << front;
    EXPECT_TRUE(back.ends_with(without_blanks(last.because))) << back;
}

TEST(Lessons, HaveMapsOfTrueColoursOnTheSheet) {
    if (std::system("pdfimages -v 2> /dev/null") != 0)
        GTEST_SKIP() << "pdfimages is not installed";
    const Workplace place;
    ASSERT_EQ(place.run({"lesson", "cross", "-o", "sheet.pdf"}).status, 0);
    const std::string folder = place.folder().path().string();
    ASSERT_EQ(std::system(("cd '" + folder + "' && pdfimages -list sheet.pdf > list").c_str()), 0);
    const std::string list = place.read("list");
    EXPECT_NE(list.find(" image "), std::string::npos) << list;
    EXPECT_EQ(list.find("jpeg"), std::string::npos) << "halves the colours of a map of few cells\n" << list;
}

TEST(Lessons, DoNotAnswerAQuestionOfTheSheetBesideAnotherOne) {
    if (std::system("pdftotext -v 2> /dev/null") != 0)
        GTEST_SKIP() << "pdftotext is not installed";
    const Workplace place;
    ASSERT_EQ(place.run({"lesson", "cross", "-o", "sheet.pdf"}).status, 0);
    const std::string folder = place.folder().path().string();
    ASSERT_EQ(std::system(("cd '" + folder + "' && pdftotext -l 1 sheet.pdf text").c_str()), 0);
    const std::string front = place.read("text");
    EXPECT_NE(front.find("Which English word does “chat”"), std::string::npos) << front;
    EXPECT_EQ(front.find("1.00"), std::string::npos) << "the weight of chat and cat\n" << front;
}

TEST_P(EveryLesson, IsAPageThatNeedsNoNetwork) {
    const Workplace place;
    const Outcome outcome = place.run({"lesson", GetParam(), "-o", "page.html"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const std::string page = place.read("page.html");
    EXPECT_EQ(page.find("{{"), std::string::npos);
    for (const char* loading : {"src=\"http", "href=\"http", "url(http", "@import"})
        EXPECT_EQ(page.find(loading), std::string::npos) << loading;
    EXPECT_LT(page.size(), 4'000'000u);
}

TEST(Lessons, AreAPageWithSubscriptsAsInTheWindow) {
    const Workplace place;
    ASSERT_EQ(place.run({"lesson", "bahdanau", "-o", "page.html"}).status, 0);
    const std::string page = place.read("page.html");
    EXPECT_NE(page.find("c<sub>i</sub>"), std::string::npos);
    EXPECT_EQ(page.find("c_i"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Course, EveryLesson, [] {
    std::vector<std::string> ids;
    for (const Lesson& lesson : shipped_lessons())
        ids.push_back(lesson.id);
    return testing::ValuesIn(ids);
}());

}  // namespace

}  // namespace headlight::lesson_command_test
