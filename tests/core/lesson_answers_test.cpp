// What a lesson says with its answers: numbers that add up, rows that are asked about, nothing twice.

#include "core/catalog/mechanism.h"
#include "core/lesson/lesson_numbers.h"
#include "core/lesson/lesson_runs.h"
#include "core/lesson/shipped_lessons.h"
#include "core/workbench/edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
#include <string_view>

namespace headlight::lesson_answers_test { namespace {

class LessonAnswers : public testing::TestWithParam<std::string> {};

TEST_P(LessonAnswers, AskAboutTheRowThatIsSelected) {
    LessonRuns runs(open_lesson(GetParam()));
    const auto& steps = runs.lesson().steps;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const auto& question = steps[step].question;
        // "Shaded is what she looks at": the point is that football looks at the same.
        const bool asks_of_another = GetParam() == "additive" && question && question->query == "football";
        if (!question || question->query.empty() || asks_of_another)
            continue;
        for (std::size_t state = 0; state < 2 && state < steps[step].states.size(); ++state) {
            const Selection& selection = steps[step].states[state].view.selection;
            EXPECT_EQ(selection.query,
                      LessonNumbers(*runs.run(step, state), selection).query_at(question->query))
                << question->ask << " state " << state + 1;
        }
    }
}

/// Whoever looks at the frame sees what is asked, and then what is right.
TEST_P(LessonAnswers, AreInTheFrame) {
    LessonRuns runs(open_lesson(GetParam()));
    const auto& steps = runs.lesson().steps;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const auto& question = steps[step].question;
        if (!question)
            continue;
        SCOPED_TRACE(question->ask);
        if (question->kind == Question::Kind::cell) {
            const Selection shown = runs.answered(step, 1);
            const Answer answer = runs.answer(step);
            EXPECT_EQ(std::pair(shown.query, shown.key), std::pair(answer.query, answer.key));
        }
        if (question->kind != Question::Kind::weight)
            continue;
        for (std::size_t state = 0; state < steps[step].states.size(); ++state) {
            const ViewState& view = steps[step].states[state].view;
            if (view.view == ViewKind::text)  // whose shading is of the row that is looked at
                continue;
            const LessonNumbers numbers(*runs.run(step, state), view.selection);
            EXPECT_EQ(view.selection.query, numbers.query_at(question->query)) << state;
            EXPECT_EQ(view.selection.key, numbers.key_at(question->key)) << state;
        }
    }
}

TEST_P(LessonAnswers, StandOnceInWhatIsSaid) {
    LessonRuns runs(open_lesson(GetParam()));
    const auto& steps = runs.lesson().steps;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (!steps[step].question)
            continue;
        const std::string answer = runs.answer(step).words, because = runs.because(step);
        EXPECT_FALSE(because.starts_with("It is " + answer)) << because;
        if (steps[step].question->kind == Question::Kind::weight) {
            EXPECT_EQ(because.find(answer.substr(0, 4)), std::string::npos) << answer << ": " << because;
            EXPECT_TRUE(std::regex_match(answer, std::regex(R"([01]\.\d\d|0\.\d{4})"))) << answer;
        }
    }
}

/// What is asked is computed after the question, or drawn elsewhere.
TEST_P(LessonAnswers, AreNotOnTheScreenBefore) {
    LessonRuns runs(open_lesson(GetParam()));
    const auto& steps = runs.lesson().steps;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const auto& question = steps[at].question;
        if (!question)
            continue;
        const Session &asked = steps[at].states.front(), &answered = steps[at].states.back();
        const Selection& selection = asked.view.selection;
        const std::string marked = "head " + std::to_string(selection.head + 1);
        if (question->kind == Question::Kind::choice && asked.view.view == ViewKind::grid) {
            EXPECT_NE(question->options.at(question->answer), marked) << question->ask;
        }
        if (question->kind != Question::Kind::weight)
            continue;
        const bool is_another_row =
            asked.view.view == ViewKind::text &&
            LessonNumbers(*runs.run(at, 0), selection).query_at(question->query) != selection.query;
        EXPECT_TRUE(!same_edits(asked, answered) || is_another_row || selection.stage != "weights" ||
                    selection.head != answered.view.selection.head)
            << question->ask;
    }
}

/// The row that is revealed first has the word, and the reason speaks of it as well.
TEST_P(LessonAnswers, AreTheWordsThatAreRevealedFirst) {
    LessonRuns runs(open_lesson(GetParam()));
    const auto& steps = runs.lesson().steps;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const auto& question = steps[at].question;
        if (!question || question->kind != Question::Kind::word)
            continue;
        SCOPED_TRACE(question->ask);
        ASSERT_GE(steps[at].states.size(), 2u);
        const Selection& asked = steps[at].states[0].view.selection;
        const Selection& revealed = steps[at].states[1].view.selection;
        EXPECT_EQ(revealed.query, asked.query + 1) << "which word comes next";
        const LessonNumbers numbers(*runs.run(at, 1), revealed);
        const auto& rows = runs.run(at, 1)->tokens_at(numbers.site()).query;
        EXPECT_EQ(runs.answer(at).words, rows.at(static_cast<std::size_t>(revealed.query)));
        const std::string& because = question->because;
        const std::regex spoken_of(R"(\{\{probability:([^|}]+))");
        std::smatch word;
        ASSERT_TRUE(std::regex_search(because, word, spoken_of)) << because;
        EXPECT_EQ(numbers.query_at(word[1].str()), revealed.query) << because;
    }
}

/// Where the name of a knob's choice is right, the picture behind the answer has that choice.
TEST_P(LessonAnswers, AreTheChoicesThatAreRevealedFirst) {
    const Lesson lesson = open_lesson(GetParam());
    for (const LessonStep& step : lesson.steps) {
        if (!step.question || step.question->kind != Question::Kind::choice || step.states.size() < 2)
            continue;
        const std::string right = in_lower_case(step.question->options.at(step.question->answer));
        const Session& revealed = step.states[1];
        for (const MechanismParameter& knob : mechanism(revealed.mechanism).parameters) {
            if (std::ranges::count(knob.choices, right) == 0)
                continue;
            const auto chosen = revealed.values.find(knob.name);
            EXPECT_EQ(to_string(chosen == revealed.values.end() ? knob.standard : chosen->second), right)
                << step.question->ask;
        }
    }
}

TEST_P(LessonAnswers, CountAGuessByTheDigitsThatAreSaid) {
    LessonRuns runs(open_lesson(GetParam()));
    const auto& steps = runs.lesson().steps;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (!steps[step].question || steps[step].question->kind != Question::Kind::weight)
            continue;
        const Answer answer = runs.answer(step);
        const double said = std::stod(answer.words), within = std::stod(answer.within);
        EXPECT_NEAR(within, steps[step].question->tolerance, 1e-12);
        for (const double side : {-1.0, 1.0}) {
            EXPECT_TRUE(runs.is_right(step, {.number = said + side * within})) << answer.told();
            EXPECT_FALSE(runs.is_right(step, {.number = said + side * (within + 0.01)})) << answer.told();
        }
    }
}

/// The words outside of quotation marks, which may stand in one another, and of numbers that are filled in.
std::vector<std::string> unquoted_words(const std::string& text) {
    const std::string said = std::regex_replace(text, std::regex(R"(\{\{.*?\}\})"), " ");
    std::string bare;
    int depth = 0;
    for (std::size_t at = 0; at < said.size(); ++at) {
        const std::string_view rest = std::string_view(said).substr(at);
        depth += rest.starts_with("“") ? 1 : rest.starts_with("”") ? -1 : 0;
        bare += depth > 0 ? ' ' : said[at];
    }
    std::vector<std::string> words;
    const auto is_of_word = [](unsigned char sign) { return sign >= 128 || std::isalnum(sign) != 0; };
    for (auto begin = bare.begin(); (begin = std::find_if(begin, bare.end(), is_of_word)) != bare.end();) {
        const auto end = std::find_if_not(begin, bare.end(), is_of_word);
        words.emplace_back(begin, end);
        begin = end;
    }
    return words;
}

/// A word that is spoken of is no part of the sentence: “pas”, not pas.
TEST_P(LessonAnswers, QuoteTheWordsThatAreAskedAbout) {
    LessonRuns runs(open_lesson(GetParam()));
    const auto& steps = runs.lesson().steps;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        if (!steps[at].question)
            continue;
        const Question& question = *steps[at].question;
        const LessonNumbers numbers(*runs.run(at, 0), steps[at].states[0].view.selection);
        const TokenLabels& tokens = runs.run(at, 0)->tokens_at(numbers.site());
        std::vector<std::string> quoted{question.query, question.key};
        // French rows are in no English sentence.
        const auto& model = steps[at].states[0].model;
        if (model && model->name.starts_with("translate") && !tokens.key.empty())
            std::ranges::copy_if(tokens.query, std::back_inserter(quoted), [&](const std::string& row) {
                return std::ranges::count(tokens.key, row) == 0;
            });
        const auto is_letter = [](unsigned char sign) { return sign >= 128 || std::isalpha(sign) != 0; };
        std::erase_if(quoted, [&](const std::string& word) {
            return word.size() < 2 || !std::ranges::all_of(word, is_letter);
        });
        std::vector<std::string> said{question.ask, question.because};
        said.insert(said.end(), question.options.begin(), question.options.end());
        for (const std::string& text : said)
            for (const std::string& word : unquoted_words(text))
                EXPECT_EQ(std::ranges::count(quoted, word), 0) << word << ": " << text;
    }
}

std::vector<std::string> every_id() {
    std::vector<std::string> ids;
    for (const LessonFiles& files : lesson_files())
        ids.emplace_back(files.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Shipped, LessonAnswers, testing::ValuesIn(every_id()),
                         [](const auto& row) { return std::regex_replace(row.param, std::regex("-"), "_"); });

TEST(LessonWords, MayLackTheirMarks) {
    LessonRuns runs(open_lesson("cross"));
    ASSERT_EQ(runs.answer(4).words, "château");
    const auto is_right = [&](const char* word) {
        Guess guess;
        guess.word = word;
        return runs.is_right(4, guess);
    };
    for (const char* word : {"château", "chateau", " Chateau ", "CHÂTEAU", "cha\u0302teau"})
        EXPECT_TRUE(is_right(word)) << word;
    for (const char* word : {"roi", "chäteau", "chateaux", "", "château!"})
        EXPECT_FALSE(is_right(word)) << word;
}

TEST(LessonNumbersSaid, OfARowAddUp) {
    LessonRuns runs(open_lesson("similarity"));
    const std::string text = runs.text(2, runs.lesson().steps[2].states.size() - 1);
    std::vector<long> numbers;
    const std::regex number(R"(0\.(\d{4})|(1)\.0000)");
    for (std::sregex_iterator found(text.begin(), text.end(), number), end; found != end; ++found)
        numbers.push_back((*found)[2].matched ? 10'000 : std::stol((*found)[1]));
    ASSERT_GE(numbers.size(), 4u) << text;
    EXPECT_EQ(numbers[0] + numbers[1] + numbers[2], numbers[3]) << text;
}

TEST(LessonNumbersSaid, AreNotRoundedToAllOrNothing) {
    LessonRuns runs(open_lesson("cross"));
    // The heat map says 0.9990.
    EXPECT_EQ(runs.answer(1).said(), "“cat”, weight 0.9990");
    const Session& shown = runs.lesson().steps[1].states.back();
    const LessonNumbers numbers(*runs.run(1, 1), shown.view.selection);
    EXPECT_EQ(numbers.text_of("sum:weights,chat"), "1.00") << "what is 1 stays short";
    EXPECT_EQ(numbers.text_of("largest_weight:chat|2"), "1.00") << "as somebody asked";
}

}}  // namespace headlight::lesson_answers_test
