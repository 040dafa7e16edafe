// Lessons: what is a right answer, and those that the program has, from start to end.
#include "core/catalog/mechanism.h"
#include "core/io/files.h"
#include "core/io/session_run.h"
#include "core/lesson/lesson_runs.h"
#include "core/lesson/shipped_lessons.h"
#include "core/tensor/error.h"
#include "tests/support/written_lessons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace headlight::lesson_test { namespace {

using written_lessons::lesson_of;
using written_lessons::three_words;

Guess of_weight(double number) {
    Guess guess;
    guess.number = number;
    return guess;
}
Guess of_cell(Index query, Index key) {
    Guess guess;
    guess.query = query;
    guess.key = key;
    return guess;
}
Guess of_option(std::size_t option) {
    Guess guess;
    guess.option = option;
    return guess;
}

Question asking(Question::Kind kind, const std::string& query, const std::string& key = {}) {
    Question question;
    question.kind = kind;
    question.query = query;
    question.key = key;
    return question;
}

TEST(Answers, AreThoseOfTheRun) {
    const Lesson lesson = lesson_of(three_words + "}", "# A\n## B");
    const Selection& selection = lesson.steps[0].states[0].view.selection;
    const Trace trace = run_session(lesson.steps[0].states[0]).trace;
    const auto weights = trace.matrix(*trace.find("weights"), 0);

    const Question weight = asking(Question::Kind::weight, "queen", "bread");
    EXPECT_EQ(answer_to(weight, trace, selection).number, weights[4 + 2]);
    EXPECT_TRUE(is_right(weight, of_weight(weights[6] + 0.09), trace, selection));
    EXPECT_FALSE(is_right(weight, of_weight(weights[6] + 0.11), trace, selection));

    const Question cell = asking(Question::Kind::cell, "bread");
    const auto row = weights.subspan(8, 4);
    const Index largest = std::ranges::max_element(row) - row.begin();
    EXPECT_EQ(answer_to(cell, trace, selection).key, largest);
    EXPECT_EQ(answer_to(weight, trace, selection).said(), answer_to(weight, trace, selection).words);
    EXPECT_EQ(answer_to(cell, trace, selection).told(),
              "“bread”, weight " + told_apart(row[static_cast<std::size_t>(largest)]));
    EXPECT_TRUE(is_right(cell, of_cell(2, largest), trace, selection));
    EXPECT_FALSE(is_right(cell, of_cell(2, (largest + 1) % 4), trace, selection));
    EXPECT_FALSE(is_right(cell, of_cell(1, largest), trace, selection)) << "another row";

    // Both kings have the same vector, so that either is right.
    const Question of_king = asking(Question::Kind::cell, "king");
    EXPECT_EQ(is_right(of_king, of_cell(0, 0), trace, selection),
              is_right(of_king, of_cell(0, 3), trace, selection));

    EXPECT_THROW(answer_to(asking(Question::Kind::word, ""), trace, selection), Error) << "nobody speaks";
    Question choice;
    choice.options = {"a", "b"};
    choice.answer = 1;
    EXPECT_EQ(answer_to(choice, trace, selection).words, "b");
    EXPECT_EQ(answer_to(choice, trace, selection).told(), "“b”");
    EXPECT_EQ(quoted_once("only at “not”"), "only at “not”");
    choice.options[1] = "שלום";
    EXPECT_EQ(answer_to(choice, trace, selection).told(), "“\u2068שלום\u2069”");
    EXPECT_TRUE(is_right(choice, of_option(1), trace, selection));
    EXPECT_FALSE(is_right(choice, of_option(0), trace, selection));
}

/// The frame of a lesson that says nothing of it: on the guess, then on the answer, until a reveal moves it.
TEST(Answers, AreWhereOneLooksOnceTheyAreTold) {
    const auto asks = [](const std::string& question) {
        return R"({"change": {"sequence": {"query_text": "king queen bread king", "vectors": {"dimension": 3}},)"
               R"( "view": {"selection": {"stage": "scores", "query": 2, "key": 0}}}, "question": )" +
               question +
               R"(, "reveals": [{"view": {"selection": {"stage": "weights"}}}, {},)"
               R"( {"view": {"selection": {"query": 1}}}]})";
    };
    const auto frames = [&](const std::string& question) {
        LessonRuns runs(lesson_of(asks(question), "# A\n## B"));
        std::vector<std::pair<Index, Index>> cells;
        for (std::size_t state = 0; state < 4; ++state) {
            const Selection selection = runs.answered(0, state);
            cells.emplace_back(selection.query, selection.key);
        }
        return cells;
    };
    using Cells = std::vector<std::pair<Index, Index>>;
    EXPECT_EQ(frames(R"({"kind": "cell", "ask": "?", "query": "bread"})"),
              (Cells{{2, 2}, {2, 2}, {2, 2}, {1, 0}}));
    EXPECT_EQ(frames(R"({"kind": "weight", "ask": "?", "query": "bread", "key": "king"})"),
              (Cells{{2, 0}, {2, 0}, {2, 0}, {1, 0}}))
        << "the frame of another kind of question is the lesson's";
}

/// A translator, at the third French word.
TEST(Answers, AreWhatTheModelSaid) {
    const std::string asks =
        R"({"change": {"model": {"name": "translate-additive-gru", "source": "the black cat does not sleep"},)"
        R"( "view": {"selection": {"site": "decoder.cross", "query": 2}}},)"
        R"( "question": {"kind": "word", "ask": "?", "because": "{{probability:noir|6}}"}})";
    LessonRuns runs(lesson_of(asks, "# A\n## B\n{{probability:3|6}}, {{probability:chat|6}}"));
    EXPECT_EQ(runs.answer(0).words, "noir") << "le chat noir ne dort pas";
    const auto of_word = [](const std::string& word) {
        Guess guess;
        guess.word = word;
        return guess;
    };
    EXPECT_TRUE(runs.is_right(0, of_word(" Noir ")));
    EXPECT_FALSE(runs.is_right(0, of_word("chat")));
    EXPECT_TRUE(runs.text(0, 0).starts_with(runs.because(0) + ", ")) << "a step by number or by its word";
    // The softmax of the logits that headlight attend writes, by another program.
    EXPECT_NEAR(std::stod(runs.because(0)), 0.999932, 1e-5);
    EXPECT_THROW(LessonRuns(lesson_of(asks, "# A\n## B\n{{probability:bleu}}")).text(0, 0), Error);
}

class EveryLesson : public testing::TestWithParam<std::string> {};

/// From start to end: every number in its texts is computed, every question has an answer, the right guess is
/// right and a wrong one is wrong.
TEST_P(EveryLesson, IsPlayedFromStartToEnd) {
    LessonRuns runs(open_lesson(GetParam()));
    const Lesson& lesson = runs.lesson();
    EXPECT_FALSE(lesson.summary.empty());
    EXPECT_GE(lesson.minutes, 5);
    EXPECT_LE(lesson.minutes, 15);
    std::size_t questions = 0;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        SCOPED_TRACE(lesson.steps[step].title);
        const LessonStep& played = lesson.steps[step];
        std::string said, written;
        for (std::size_t state = 0; state < played.states.size(); ++state) {
            said += runs.text(step, state);
            written += played.texts[state];
        }
        EXPECT_NE(written.find("{{"), std::string::npos) << "a step without a number of its run";
        const std::string typed = std::regex_replace(written, std::regex(R"(\{\{.*?\}\})"), "");
        EXPECT_FALSE(std::regex_search(typed, std::regex(R"([0-9]\.[0-9])")))
            << "a number that nobody computed: " << typed;
        EXPECT_FALSE(said.empty());
        EXPECT_EQ(said.find("{{"), std::string::npos);
        EXPECT_EQ(said.find("undefined"), std::string::npos) << said;
        const std::string notes = runs.notes(step);
        for (const char* part : {"**Say:** ", "**Ask:** ", "**Often wrong:** "})
            EXPECT_NE(notes.find(part), std::string::npos) << "who presents it is told what to " << part;
        if (!played.knob.empty()) {
            const std::string& id = played.states.back().mechanism;
            EXPECT_NE(std::ranges::find(mechanism(id).parameters, played.knob, &MechanismParameter::name),
                      mechanism(id).parameters.end())
                << id << " has no " << played.knob;
        }
        if (!played.question)
            continue;
        ++questions;
        EXPECT_FALSE(runs.because(step).empty()) << "an answer without a reason";
        const Answer answer = runs.answer(step);
        Guess right{.number = answer.number,
                    .query = answer.query,
                    .key = answer.key,
                    .word = answer.words,
                    .option = played.question->answer};
        EXPECT_TRUE(runs.is_right(step, right)) << answer.words;
        Guess wrong{.number = answer.number < 0.5 ? 1.0 : 0.0,
                    .query = answer.query,
                    .key = answer.key + 1,
                    .word = answer.words + "x",
                    .option = played.question->answer + 1};
        EXPECT_FALSE(runs.is_right(step, wrong)) << answer.words;
    }
    EXPECT_GE(questions, 2u) << "every lesson has at least two guesses";
    EXPECT_GE(lesson.quiz.size(), 2u);
    for (const Question& question : lesson.quiz) {
        EXPECT_EQ(question.kind, Question::Kind::choice) << question.ask;
        EXPECT_FALSE(question.because.empty()) << question.ask;
        const Trace& any = *runs.run(0, 0);
        for (std::size_t option = 0; option < question.options.size(); ++option)
            EXPECT_EQ(is_right(question, of_option(option), any, {}), option == question.answer)
                << question.ask;
    }
}

std::vector<std::string> lesson_ids() {
    std::vector<std::string> ids;
    for (const LessonFiles& files : lesson_files())
        ids.emplace_back(files.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Lessons, EveryLesson, testing::ValuesIn(lesson_ids()), [](const auto& each) {
    std::string name = each.param;
    std::ranges::replace(name, '-', '_');  // which GoogleTest does not allow
    return name;
});

TEST(ShippedLessons, AreSixteenInOneOrder) {
    EXPECT_EQ(shipped_lessons().size(), 16u);
    EXPECT_EQ(shipped_lessons().size(), lesson_files().size());
    int order = 0;
    for (const Lesson& lesson : shipped_lessons())
        EXPECT_EQ(lesson.order, ++order) << lesson.id;
}

/// What stands between backticks is a token or a program.
TEST(ShippedLessons, HaveCurlyQuotesWhereverAPersonReads) {
    static const std::regex code("`[^`]*`");
    for (const Lesson& lesson : shipped_lessons()) {
        std::string read = lesson.title + '\n' + lesson.summary;
        const auto add = [&read](const Question& question) {
            read += '\n' + question.ask + '\n' + question.because;
            for (const std::string& option : question.options)
                read += '\n' + option;
        };
        for (const LessonStep& step : lesson.steps) {
            read += '\n' + step.title + '\n' + step.notes;
            for (const std::string& text : step.texts)
                read += '\n' + text;
            if (step.question)
                add(*step.question);
        }
        for (const Question& question : lesson.quiz)
            add(question);
        const std::string plain = std::regex_replace(read, code, "");
        const std::size_t straight = plain.find_first_of("\"'");
        EXPECT_EQ(straight, std::string::npos)
            << lesson.id << ": " << plain.substr(straight == std::string::npos ? 0 : straight, 40);
    }
}

/// docs/lessons.md: where in the lessons is what.
class LessonsPage : public testing::Test {
protected:
    static std::vector<std::string> rows() {
        std::istringstream page(read_file(HEADLIGHT_SOURCE_DIR "/docs/lessons.md"));
        std::vector<std::string> found;
        for (std::string line; std::getline(page, line);)
            if (line.starts_with("| ") && line.find("/lesson.md)") != std::string::npos)
                found.push_back(line);
        return found;
    }
};

TEST_F(LessonsPage, HasEveryLessonWithItsPlaceTitleAndMinutes) {
    const std::vector<std::string> found = rows();
    for (const Lesson& lesson : shipped_lessons()) {
        const std::string begin = "| " + std::to_string(lesson.order) + " | [" + lesson.title +
                                  "](../resources/lessons/" + lesson.id + "/lesson.md) (`" + lesson.id +
                                  "`) | " + std::to_string(lesson.minutes) + " | ";
        EXPECT_EQ(
            std::ranges::count_if(found, [&](const std::string& row) { return row.starts_with(begin); }), 1)
            << begin;
    }
}

/// What articles have, and what they have wrong: no row is lost, and each leads to steps that are there.
TEST_F(LessonsPage, LeadsToStepsThatAreThere) {
    const std::regex place(
        R"(\[([a-z-]+)\]\(\.\./resources/lessons/([a-z-]+)/lesson\.md\) (\d+) \*([^*]+)\*)");
    std::size_t leading = 0;
    std::set<std::string> met;
    for (const std::string& row : rows()) {
        std::size_t places = 0;
        for (std::sregex_iterator each(row.begin(), row.end(), place), end; each != end; ++each, ++places) {
            const std::string id = (*each)[2];
            EXPECT_EQ((*each)[1].str(), id);
            const Lesson lesson = open_lesson(id);
            const std::size_t number = std::stoul((*each)[3].str());
            ASSERT_TRUE(number >= 1 && number <= lesson.steps.size()) << row;
            EXPECT_EQ((*each)[4].str(), lesson.steps[number - 1].title) << row;
            met.insert(id);
        }
        leading += places > 0 ? 1 : 0;
        const auto links = static_cast<std::size_t>(std::ranges::count(row, '['));
        EXPECT_TRUE(places == links || row.find("(`") != std::string::npos)
            << "a link that is no step: " << row;
    }
    EXPECT_GE(leading, 70u) << "24 rows of what articles have, 46 of what they have wrong";
    EXPECT_EQ(met.size(), shipped_lessons().size()) << "every lesson is there for something";
}

TEST(ShippedLessons, AreOpenedByNameOrFolder) {
    EXPECT_EQ(open_lesson("softmax").title, "Softmax and temperature");
    EXPECT_EQ(open_lesson(HEADLIGHT_SOURCE_DIR "/resources/lessons/softmax").title,
              "Softmax and temperature");
    EXPECT_THROW(open_lesson("sofmax"), Error);
    EXPECT_THROW(open_lesson("/nowhere"), Error);
}

TEST(ShippedLessons, AreOpenedAtAPlaceThatTheyHave) {
    const Lesson lesson = open_lesson("softmax");
    const std::size_t last = lesson.steps.size() - 1, parts = lesson.steps[last].states.size();
    EXPECT_EQ(open_lesson_at({"softmax", last, parts - 1}).id, "softmax");
    EXPECT_THROW(open_lesson_at({"softmax", last + 1, 0}), Error);
    EXPECT_THROW(open_lesson_at({"softmax", last, parts}), Error);
}

}}  // namespace headlight::lesson_test
