// The files of lessons, finished or not: what they may say, and what is refused.
#include "core/lesson/shipped_lessons.h"
#include "core/tensor/error.h"
#include "tests/support/written_lessons.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace headlight::lesson_file_test { namespace {

using written_lessons::lesson_of;
using written_lessons::three_words;

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

TEST(LessonFile, KeepsTheSegmentsOfATraining) {
    const Lesson lesson =
        lesson_of(R"({"training": {"task": "sort", "host": "xl", "segment": 5}})", "# A\n## B\nText");
    EXPECT_EQ(lesson.steps.front().training.value().recipe.segment, 5);
    const LessonText written = lesson_text(lesson);
    const Lesson read = parse_lesson("mine", written.document, written.text);
    EXPECT_EQ(read.steps.front().training.value().recipe.segment, 5);
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
    EXPECT_NE(refused(R"({"segment": -1})").find("/steps/0/training/segment"), std::string::npos);
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

}}  // namespace headlight::lesson_file_test
