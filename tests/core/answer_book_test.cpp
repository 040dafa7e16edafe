// What classes answered: kept line by line, counted before and after, and exported.
#include "core/io/files.h"
#include "core/lesson/answer_book.h"
#include "core/lesson/shipped_lessons.h"
#include "core/tensor/error.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace headlight::answer_book_test { namespace {

using When = GivenAnswer::When;

GivenAnswer given(const std::string& class_name, When when, std::size_t people, bool is_right) {
    GivenAnswer answer;
    answer.time = "2026-11-23T09:30:00Z";
    answer.class_name = class_name;
    answer.lesson = "softmax";
    answer.when = when;
    answer.question = 1;
    answer.words = is_right ? "it \"grows\", I think" : "it shrinks";
    answer.people = people;
    answer.is_right = is_right;
    return answer;
}

class AnswerBookTest : public testing::Test {
protected:
    AnswerBookTest() { std::filesystem::remove_all(folder); }
    ~AnswerBookTest() override { std::filesystem::remove_all(folder); }

    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("answers-" + std::to_string(getpid()));
    AnswerBook book{folder / "deep" / "answers.jsonl"};
};

TEST_F(AnswerBookTest, KeepsWhatWasGiven) {
    EXPECT_TRUE(book.answers().empty());
    const GivenAnswer first = given("5a", When::before, 12, false), second = given("", When::during, 1, true);
    book.add(std::vector{first});
    book.add(std::vector{second});
    EXPECT_EQ(book.answers(), (std::vector{first, second}));
}

TEST_F(AnswerBookTest, ALineThatWasCutOffCostsNoOther) {
    const GivenAnswer answer = given("5a", When::before, 12, false);
    book.add(std::vector{answer});
    std::ofstream(folder / "deep" / "answers.jsonl", std::ios::app) << R"({"time": "2026-11-)";
    EXPECT_EQ(book.answers(), std::vector{answer});
    book.add(std::vector{answer});
    EXPECT_EQ(book.answers(), (std::vector{answer, answer}));
}

TEST_F(AnswerBookTest, LinesOfNobodyArePassedOver) {
    std::filesystem::create_directories(folder / "deep");
    for (const std::string& line :
         {std::string("7"), std::string(R"({"people": -1})"), std::string(R"({"when": "never"})"),
          std::string(R"({"question": 1e9})"), std::string(10'000, '['), std::string(1, '\0')})
        std::ofstream(folder / "deep" / "answers.jsonl", std::ios::app) << line << "\n";
    EXPECT_TRUE(book.answers().empty());
}

TEST_F(AnswerBookTest, ForgetsOneClass) {
    const GivenAnswer kept = given("5b", When::before, 3, true);
    book.add(std::vector{given("5a", When::before, 1, true), kept, given("5a", When::after, 1, true)});
    book.forget("5a");
    EXPECT_EQ(book.answers(), std::vector{kept});
}

TEST_F(AnswerBookTest, SaysWhereItCannotWrite) {
    std::ofstream(folder) << "a file where the folder should be";
    EXPECT_THROW(book.add(std::vector{given("5a", When::before, 1, true)}), Error);
}

TEST_F(AnswerBookTest, SaysWhyItCannotBeRead) {
    std::filesystem::create_directories(folder / "deep");
    std::filesystem::create_symlink("answers.jsonl", folder / "deep" / "answers.jsonl");
    test::expect_refusal([&] { book.answers(); }, {"answers.jsonl", "Too many levels of symbolic links"});
    EXPECT_THROW(book.forget("5a"), Error);
    EXPECT_THROW(book.add(std::vector{given("5a", When::before, 1, true)}), Error);
}

TEST_F(AnswerBookTest, WaitsForNoPipe) {
    std::filesystem::create_directories(folder / "deep");
    ASSERT_EQ(mkfifo((folder / "deep" / "answers.jsonl").c_str(), 0600), 0);
    alarm(10);  // ends a test that waits
    const std::vector given_ones{given("5a", When::before, 1, true)};
    test::expect_refusal([&] { book.add(given_ones); }, {"expected a file", "got a pipe"});
    test::expect_refusal([&] { book.answers(); }, {"expected a file", "got a pipe"});
    alarm(0);
}

TEST(Movements, CountWhoWasRightBeforeAndAfter) {
    // 13 of 100 before and 38 of 100 after; what is answered in a step is neither.
    const std::vector<Movement> moved =
        movements(std::vector{given("5a", When::before, 87, false), given("5a", When::before, 13, true),
                              given("5a", When::during, 50, true), given("5a", When::after, 38, true),
                              given("5a", When::after, 62, false)});
    ASSERT_EQ(moved.size(), 1u);
    EXPECT_EQ(moved.front(), (Movement{"softmax", false, 1, {13, 100}, {38, 100}}));
}

TEST(Movements, KeepTheCourseApartFromTheLesson) {
    GivenAnswer of_course = given("5a", When::before, 1, true);
    of_course.is_course = true;
    EXPECT_EQ(movements(std::vector{given("5a", When::before, 1, true), of_course}).size(), 2u);
}

TEST(AnswersCsv, HasALineForEach) {
    EXPECT_EQ(answers_csv(std::vector{given("5a", When::before, 12, true), given("", When::after, 1, false)}),
              "time,class,lesson,course,when,question,answer,people,right\n"
              "2026-11-23T09:30:00Z,5a,softmax,no,before,2,\"it \"\"grows\"\", I think\",12,yes\n"
              "2026-11-23T09:30:00Z,,softmax,no,after,2,it shrinks,1,no\n");
}

TEST(GivenChoices, HaveALineForEachOptionThatHandsWentUpFor) {
    Question question;
    question.options = {"a", "b", "c"};
    question.answer = 1;
    const auto of = [&](const Guess& guess) { return given_choices(question, guess, {}); };
    const std::vector<GivenAnswer> one = of({.option = 2});
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0].words, "c");
    EXPECT_FALSE(one[0].is_right);
    const std::vector<GivenAnswer> counted = of({.hands = {0, 9, 4}});
    ASSERT_EQ(counted.size(), 2u);
    EXPECT_EQ(counted[0].words, "b");
    EXPECT_EQ(counted[0].people, 9u);
    EXPECT_TRUE(counted[0].is_right);
    EXPECT_EQ(counted[1].people, 4u);
    EXPECT_FALSE(counted[1].is_right);
}

TEST(CourseQuiz, HasEightQuestionsOfDifferentLessons) {
    std::vector<Lesson> lessons(16);
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        lessons[i].id = std::to_string(i);
        lessons[i].quiz.resize(2);
    }
    lessons[3].quiz.clear();
    std::set<std::string> from;
    for (const QuizQuestion& asked : course_quiz(lessons)) {
        EXPECT_NE(asked.lesson, "3");
        from.insert(asked.lesson);
    }
    EXPECT_EQ(from.size(), 8u);
    EXPECT_TRUE(from.contains("0"));
    EXPECT_TRUE(from.contains("14")) << "spread to the end";
    EXPECT_EQ(lesson_quiz(lessons.front()).size(), 2u);
    EXPECT_LE(course_quiz(shipped_lessons()).size(), 8u);
}

}}  // namespace headlight::answer_book_test
