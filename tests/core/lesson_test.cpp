// Lessons: what their files may say, the numbers that the program writes into them, and what is a right
// answer.
#include "core/catalog/mechanism.h"
#include "core/io/files.h"
#include "core/io/session_run.h"
#include "core/lesson/lesson_file.h"
#include "core/lesson/lesson_runs.h"
#include "core/lesson/shipped_lessons.h"
#include "core/tensor/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>
#include <sstream>

namespace headlight::lesson_test { namespace {

std::string document(const std::string& steps) {
    return R"({"format": "headlight-lesson/1", "order": 3, "minutes": 7, "steps": [)" + steps + "]}";
}

const std::string three_words =
    R"({"change": {"sequence": {"query_text": "king queen bread king", "vectors": {"dimension": 3}},)"
    R"( "view": {"selection": {"stage": "scores", "query": 1}}})";

Lesson lesson_of(const std::string& steps, const std::string& text) {
    return parse_lesson("mine", document(steps), text);
}

std::string refusal(const std::string& steps, const std::string& text) {
    try {
        lesson_of(steps, text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no refusal";
}

/// Empty where they are a lesson.
std::string refusal_of_files(const LessonText& files) {
    try {
        parse_lesson("mine", files.document, files.text);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// The number that the text of a step of one state has.
std::string written(const std::string& words) {
    return LessonRuns(lesson_of(three_words + "}", "# A\n## B\n{{" + words + "}}")).text(0, 0);
}

TEST(LessonFile, IsWrittenAsItIsRead) {
    for (const Lesson& lesson : shipped_lessons()) {
        const LessonText files = lesson_text(lesson);
        const Lesson read = parse_lesson(lesson.id, files.document, files.text);
        ASSERT_EQ(read.steps.size(), lesson.steps.size()) << lesson.id;
        for (std::size_t at = 0; at < read.steps.size(); ++at) {
            EXPECT_EQ(read.steps[at].texts, lesson.steps[at].texts) << lesson.id << ' ' << at;
            ASSERT_EQ(read.steps[at].states.size(), lesson.steps[at].states.size());
            for (std::size_t state = 0; state < read.steps[at].states.size(); ++state)
                EXPECT_EQ(to_json(read.steps[at].states[state]), to_json(lesson.steps[at].states[state]))
                    << lesson.id << ' ' << at << ' ' << state;
            EXPECT_EQ(read.steps[at].knob, lesson.steps[at].knob) << lesson.id << ' ' << at;
        }
        EXPECT_EQ(lesson_text(read).document, files.document) << lesson.id;
        EXPECT_EQ(lesson_text(read).text, files.text) << lesson.id;
        EXPECT_LT(files.document.size(), 40'000u) << "a step is written as what changes";
    }
}

/// What the editor can hold and nobody can be asked, or has too much of.
struct Unready {
    const char* name;
    void (*make)(Lesson&);
    bool is_refused;  ///< of whoever would play it
};

Question question_of(Question::Kind kind) {
    Question question;
    question.kind = kind;
    return question;
}

class UnreadyLessons : public testing::TestWithParam<Unready> {
protected:
    static Lesson made() {
        Lesson lesson;
        lesson.title = "Mine";
        LessonStep step;
        step.title = "First";
        step.texts = {"One"};
        step.states = {example_session()};
        lesson.steps = {step};
        GetParam().make(lesson);
        return lesson;
    }
    static void expect_same(const Lesson& read, const Lesson& written) {
        ASSERT_EQ(read.steps.size(), written.steps.size());
        for (std::size_t at = 0; at < read.steps.size(); ++at) {
            EXPECT_EQ(read.steps[at].question, written.steps[at].question);
            ASSERT_EQ(read.steps[at].states.size(), written.steps[at].states.size());
            for (std::size_t state = 0; state < read.steps[at].states.size(); ++state)
                EXPECT_EQ(to_json(read.steps[at].states[state]), to_json(written.steps[at].states[state]));
        }
    }
};

TEST_P(UnreadyLessons, ComeBackFromADraft) {
    const Lesson lesson = made(), read = parse_lesson_draft(write_lesson_draft(lesson));
    expect_same(read, lesson);
    EXPECT_EQ(read.title, lesson.title);
    EXPECT_EQ(read.summary, lesson.summary);
    for (std::size_t at = 0; at < read.steps.size(); ++at) {
        EXPECT_EQ(read.steps[at].title, lesson.steps[at].title);
        EXPECT_EQ(read.steps[at].texts, lesson.steps[at].texts);
        EXPECT_EQ(read.steps[at].notes, lesson.steps[at].notes);
    }
}

TEST_P(UnreadyLessons, AreReadFromTheirFolderByWhoeverWritesThem) {
    const Lesson lesson = made();
    const LessonText files = lesson_text(lesson);
    expect_same(parse_lesson("mine", files.document, files.text, Unfinished::allowed), lesson);
    EXPECT_EQ(refusal_of_files(files).empty(), !GetParam().is_refused) << refusal_of_files(files);
}

INSTANTIATE_TEST_SUITE_P(
    All, UnreadyLessons,
    testing::Values(
        Unready{"an_empty_question",
                [](Lesson& lesson) { lesson.steps[0].question = question_of(Question::Kind::choice); }, true},
        Unready{"a_single_answer",
                [](Lesson& lesson) {
                    lesson.steps[0].question = question_of(Question::Kind::choice);
                    lesson.steps[0].question->ask = "Why?";
                    lesson.steps[0].question->options = {"so"};
                },
                true},
        Unready{"nine_answers",
                [](Lesson& lesson) {
                    lesson.steps[0].question = question_of(Question::Kind::choice);
                    lesson.steps[0].question->ask = "Why?";
                    lesson.steps[0].question->options.assign(9, "so");
                },
                true},
        Unready{"no_tokens",
                [](Lesson& lesson) {
                    lesson.steps[0].question = question_of(Question::Kind::weight);
                    lesson.steps[0].question->ask = "How much?";
                },
                true},
        Unready{"a_word_without_a_question",
                [](Lesson& lesson) { lesson.steps[0].question = question_of(Question::Kind::word); }, true},
        Unready{"twenty_one_reveals",
                [](Lesson& lesson) {
                    LessonStep& step = lesson.steps[0];
                    step.states.resize(22, step.states.front());
                    step.states.back().seed = 22;
                    step.texts.resize(22, "more");
                },
                false},
        Unready{"no_titles",
                [](Lesson& lesson) {
                    lesson.title.clear();
                    lesson.steps[0].title.clear();
                },
                false},
        Unready{"texts_of_marks",
                [](Lesson& lesson) {
                    lesson.summary = "# not a title";
                    lesson.steps[0].texts = {"  ## blank in front\n---\n\n"};
                    lesson.steps[0].notes = "\n";
                },
                false},
        Unready{"matrices",
                [](Lesson& lesson) {
                    Session edited = example_session();
                    edited.edited["W_q"] = std::make_shared<const Tensor>(Shape{2, 2}, 0.5);
                    LessonStep& step = lesson.steps[0];
                    step.states = {edited, edited, example_session()};
                    step.states[1].seed = 4;
                    step.texts.resize(3);
                },
                false}),
    [](const auto& row) { return row.param.name; });

TEST(LessonDraft, KnowsTheFolderThatItWasSavedIn) {
    Lesson lesson = shipped_lessons().front();
    lesson.source = "/home/ann/lessons/mine";
    EXPECT_EQ(parse_lesson_draft(write_lesson_draft(lesson)).source, lesson.source);
}

TEST(LessonDraft, IsRefusedWhereItIsNone) {
    for (const char* text : {"half a ", "{}", R"({"format": "headlight-lesson/1", "steps": [{}]})",
                             R"({"format": "headlight-lesson-draft/1", "steps": []})"})
        EXPECT_THROW(parse_lesson_draft(text), Error) << text;
}

TEST(LessonFile, SaysWhatMayBeTrained) {
    const Lesson lesson =
        lesson_of(R"({"training": {"task": "dates", "attention": "hard", "width": 32, "steps": 20, )"
                  R"("learning_rate": 0.01, "seed": 7, "sentence": "3 May 1979", "answer": "1979-05-03"}})",
                  "# A\n## B\nText");
    const auto in_each = [](const Lesson& read) {
        ASSERT_TRUE(read.steps.front().training);
        const LessonTraining& training = *read.steps.front().training;
        EXPECT_EQ(training.recipe.task, "dates");
        EXPECT_EQ(training.recipe.host, HostType::gru);
        EXPECT_EQ(training.recipe.attention, "hard");
        EXPECT_EQ(training.recipe.width, 32);
        EXPECT_EQ(training.recipe.steps, 20);
        EXPECT_EQ(training.recipe.rate, 0.01);
        EXPECT_EQ(training.recipe.seed, 7u);
        EXPECT_EQ(training.text, (FilmedText{"3 May 1979", "1979-05-03"}));
    };
    in_each(lesson);
    const LessonText written = lesson_text(lesson);
    in_each(parse_lesson("mine", written.document, written.text));
}

TEST(LessonFile, RefusesATrainingThatCannotBegin) {
    const auto refused = [](const std::string& training) {
        return refusal("{\"training\": " + training + "}", "# A\n## B\nText");
    };
    EXPECT_NE(refused(R"({"task": "dates", "attention": "nonsense"})").find("/steps/0/training/attention"),
              std::string::npos);
    EXPECT_NE(refused(R"({"task": "dates", "host": "encoder"})").find("/steps/0/training"),
              std::string::npos);
    EXPECT_NE(refused(R"({"task": "reverse", "sentence": "3 May"})").find("/steps/0/training/sentence"),
              std::string::npos);
    EXPECT_NE(refused(R"({"learning_rate": 2})").find("/steps/0/training/learning_rate"), std::string::npos);
    EXPECT_NE(refused(R"({"epochs": 2})").find("epochs"), std::string::npos);
}

TEST(LessonFile, KeepsTextsThatLookLikeItsOwnMarks) {
    Lesson lesson = shipped_lessons().front();
    lesson.title = "two\nlines";
    lesson.steps.front().texts.front() = "## Another\nOne\n ---\nTwo\n# Title\n### Inside\n----";
    const LessonText files = lesson_text(lesson);
    const Lesson read = parse_lesson(lesson.id, files.document, files.text);
    EXPECT_EQ(read.title, "two lines");
    ASSERT_EQ(read.steps.size(), lesson.steps.size());
    EXPECT_EQ(read.steps.front().texts.front(),
              "\\## Another\nOne\n \\---\nTwo\n\\# Title\n### Inside\n----");
    EXPECT_EQ(read.steps.back().texts, lesson.steps.back().texts);
}

TEST(LessonFile, HasStepsWhoseTextsFollowTheStates) {
    const Lesson lesson = lesson_of(
        three_words +
            R"(, "reveals": [{"view": {"selection": {"stage": "weights"}}}], "notes": "Slowly."}, {})",
        "# Words\nAlike or not.\n\n## First\nOne.\n\n---\n\nTwo.\n## Second\n");
    EXPECT_EQ(lesson.id, "mine");
    EXPECT_EQ(lesson.title, "Words");
    EXPECT_EQ(lesson.summary, "Alike or not.");
    EXPECT_EQ(lesson.order, 3);
    EXPECT_EQ(lesson.minutes, 7);
    ASSERT_EQ(lesson.steps.size(), 2u);
    const LessonStep& first = lesson.steps[0];
    EXPECT_EQ(first.title, "First");
    EXPECT_EQ(first.notes, "Slowly.");
    EXPECT_EQ(first.texts, (std::vector<std::string>{"One.", "Two."}));
    ASSERT_EQ(first.states.size(), 2u);
    EXPECT_EQ(first.states[0].view.selection.stage, "scores");
    EXPECT_EQ(first.states[1].view.selection.stage, "weights");
    EXPECT_EQ(first.states[1].view.selection.query, 1) << "a reveal changes what it names and nothing else";
    // The next step begins where that one ended.
    EXPECT_EQ(lesson.steps[1].states[0], first.states[1]);
}

TEST(LessonFile, RefusesWhatDoesNotFitTogether) {
    const auto says = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    says(refusal("{}", "## Step"), "a title");
    says(refusal("{}", "Words\n# Title"), "a heading");
    says(refusal("{}", "# Title\nWords"), "no step");
    says(refusal("{}", "# Title\n## One\n## Two"), "expected 2 steps, as lesson.md has, got 1");
    says(refusal("{}", "# Title\n## One\na\n---\nb"), "/steps/0/reveals: read lesson: expected 1 of them");
    says(refusal(R"({"change": {"mechanism": "dto"}})", "# T\n## S"), "dot");
    says(refusal(R"({"change": []})", "# T\n## S"), "/steps/0/change");
    says(refusal(R"({"colour": 1})", "# T\n## S"), "colour");
    says(refusal(R"({"question": {"kind": "choice", "ask": "?", "options": ["a"]}})", "# T\n## S"), "2 to 8");
    says(refusal(R"({"question": {"kind": "choice", "ask": "?", "options": ["a", "b"], "answer": 3}})",
                 "# T\n## S"),
         "from 1 to 2");
    says(refusal(R"({"question": {"kind": "weight", "ask": "?", "query": "a"}})", "# T\n## S"), "a token");
    says(refusal(R"({"question": {"kind": "word", "ask": "?", "query": "a"}})", "# T\n## S"), "query");
    try {
        parse_lesson("mine", "{}", "# T\n## S");
        FAIL();
    } catch (const Error& error) {
        says(error.what(), "headlight-lesson/1");
    }
}

TEST(LessonNumbers, AreThoseOfTheRun) {
    const Lesson lesson = lesson_of(three_words + "}", "# A\n## B");
    const Trace trace = run_session(lesson.steps[0].states[0]).trace;
    const auto element = [&](const char* stage, Index row, Index column) {
        const Stage& found = *trace.find(stage);
        return trace.values(found)[static_cast<std::size_t>(row * found.shape.back() + column)];
    };
    const LessonNumbers numbers(trace, lesson.steps[0].states[0].view.selection);
    EXPECT_EQ(numbers.number_of("weight:queen,bread"), element("weights", 1, 2));
    EXPECT_EQ(numbers.number_of("scores:2,3"), element("scores", 1, 2));
    EXPECT_EQ(numbers.number_of("score:queen,king#2"), element("scores", 1, 3)) << "the second king";
    EXPECT_EQ(numbers.number_of("context:bread,2"), element("context", 2, 1));
    EXPECT_EQ(numbers.number_of("product:queen,bread,3"), element("query", 1, 2) * element("key", 2, 2));
    EXPECT_NEAR(numbers.number_of("product:queen,bread,1") + numbers.number_of("product:queen,bread,2") +
                    numbers.number_of("product:queen,bread,3"),
                numbers.number_of("score:queen,bread"), 1e-12);
    EXPECT_NEAR(numbers.number_of("sum:weights,bread"), 1, 1e-12);
    double entropy = 0, largest = 0;
    for (Index key = 0; key < 4; ++key) {
        entropy -= element("weights", 1, key) * std::log2(element("weights", 1, key));
        largest = std::max(largest, element("weights", 1, key));
    }
    EXPECT_NEAR(numbers.number_of("entropy:queen"), entropy, 1e-12);
    EXPECT_EQ(numbers.number_of("largest_weight:queen"), largest);
    double column = 0;
    for (Index query = 0; query < 4; ++query)
        column += element("weights", query, 2);
    EXPECT_NEAR(numbers.number_of("column_sum:weights,bread"), column, 1e-12);
    EXPECT_EQ(numbers.number_of("seen"), 16) << "a softmax gives every key something";
    EXPECT_EQ(numbers.number_of("keys"), 4);
    EXPECT_EQ(numbers.number_of("width"), 3);
    EXPECT_DOUBLE_EQ(numbers.number_of("root"), std::sqrt(3.0));
}

/// Masked, with parameters that are known.
const std::string additive_words =
    R"({"change": {"mechanism": "additive", "values": {"attention_dimension": 2},)"
    R"( "sequence": {"query_text": "king queen bread", "vectors": {"dimension": 2}},)"
    R"( "mask": [[1, 0, 0], [1, 1, 0], [0, 1, 1]],)"
    R"( "edited": {"W_1": [[1, 0], [0, 1]], "W_2": [[0, 2], [3, 0]], "v": [5, -7]}}})";

TEST(LessonNumbers, AreOfVectorsAndMaskedMapsToo) {
    LessonRuns runs(lesson_of(additive_words,
                              "# A\n## B\n"
                              "{{parameter:v,1|0}} {{parameter:v,2|0}} {{parameter:W_2,2,1|0}} "
                              "{{seen}} {{seen:bread}} {{column_sum:weights,king|6}}"));
    const Trace& trace = *runs.run(0, 0);
    const auto weights = trace.matrix(*trace.find("weights"), 0);
    EXPECT_EQ(runs.text(0, 0), "5 −7 3 5 2 " + std::to_string(weights[0] + weights[3]))
        << "the mask leaves five cells, and a sum over a column is not 1";
}

TEST(LessonNumbers, RefuseVectorsAndColumnsThatAreNotThere) {
    const auto asked = [](const std::string& words) {
        return LessonRuns(lesson_of(additive_words, "# A\n## B\n{{" + words + "}}")).text(0, 0);
    };
    for (const char* words :
         {"parameter:v", "parameter:v,0", "parameter:v,3", "parameter:v,1,1", "parameter:W_1,1",
          "parameter:W_1,1,3", "parameter", "column_sum:weights", "column_sum:weights,cat",
          "column_sum:query,1", "column_sum:energy,king", "seen:cat", "probability:king", "probability"})
        EXPECT_THROW(asked(words), Error) << words;
}

TEST(LessonNumbers, AreWrittenWithAsManyDigitsAsAreAskedFor) {
    EXPECT_EQ(written("keys"), "4");
    EXPECT_EQ(written("width|2"), "3.00");
    EXPECT_EQ(written("root|4"), "1.7321");
    EXPECT_EQ(written("sum:weights,1"), "1.00");
    EXPECT_EQ(written("seen:queen"), "4");
}

TEST(LessonNumbers, AreOfSettingsDistancesAndSlopes) {
    const std::string text = "# A\n## B\n{{setting:temperature}} {{distance:king,bread}} {{head}} "
                             "{{slope:queen,bread|6}} {{weight:queen,bread|6}}\n---\n"
                             "{{setting:temperature}} {{@1.1 setting:temperature}} {{setting:mask_value}}";
    LessonRuns runs(
        lesson_of(R"({"change": {"mechanism": "soft", "sequence": {"query_text": "king queen bread"}},)"
                  R"( "reveals": [{"values": {"temperature": 0.25}, "mask_value": -5}]})",
                  text));
    const Trace& trace = *runs.run(0, 0);
    const double weight = trace.matrix(*trace.find("weights"), 0)[5];
    EXPECT_EQ(runs.text(0, 0),
              "1 2 1 " + std::to_string(weight * (1 - weight)) + ' ' + std::to_string(weight));
    EXPECT_EQ(runs.text(0, 1), "0.25 1 −5");
}

TEST(LessonNumbers, RefuseWhatTheRunDoesNotHave) {
    for (const char* words : {"setting:nonsense",
                              "setting:mask_value",
                              "setting:",
                              "distance:king",
                              "slope:king,cat",
                              "weight",
                              "weight:queen",
                              "weight:queen,bread,1",
                              "weight:queen,cat",
                              "weight:0,1",
                              "weight:5,1",
                              "nonsense:1,1",
                              "context:bread,4",
                              "weight:queen,bread|x",
                              "weight:queen,bread|99",
                              "parameter:W_q,1,1",
                              "@2 keys",
                              "@0 keys",
                              "@1.2 keys",
                              "@1",
                              "sum:weights",
                              "king#3",
                              "weight:queen,king#3",
                              ""})
        EXPECT_THROW(written(words), Error) << words;
    EXPECT_THROW(LessonRuns(lesson_of(three_words + "}", "# A\n## B\n{{keys")).text(0, 0), Error);
}

TEST(LessonRuns, SpeakOfOtherStates) {
    LessonRuns runs(
        lesson_of(three_words + R"(, "reveals": [{"mechanism": "soft", "values": {"temperature": 20.0}}]},
                                  {"change": {"view": {"selection": {"query": 0}}}})",
                  "# A\n## One\n{{entropy:1|6}}\n---\n{{entropy:1|6}}\n## Two\n"
                  "{{@1.1 entropy:1|6}} {{@1 entropy:1|6}} {{entropy:1|6}}"));
    const std::string before = runs.text(0, 0), after = runs.text(0, 1);
    EXPECT_NE(before, after);
    EXPECT_EQ(runs.text(1, 0), before + " " + after + " " + after);
    EXPECT_EQ(runs.run(1, 0), runs.run(0, 1)) << "only the look changed: nothing is computed again";
}

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
