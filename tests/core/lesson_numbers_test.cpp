// The numbers that the program writes into the texts of lessons.
#include "core/io/session_run.h"
#include "core/lesson/lesson_numbers.h"
#include "core/lesson/lesson_runs.h"
#include "core/tensor/error.h"
#include "tests/support/written_lessons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace headlight::lesson_numbers_test { namespace {

using written_lessons::lesson_of;
using written_lessons::three_words;

/// The number that the text of a step of one state has.
std::string written(const std::string& words) {
    return LessonRuns(lesson_of(three_words + "}", "# A\n## B\n{{" + words + "}}")).text(0, 0);
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

TEST(LessonNumbers, BelowZeroHaveBracketsBehindASign) {
    LessonRuns runs(
        lesson_of(R"({"change": {"mechanism": "soft", "sequence": {"query_text": "king queen bread"},)"
                  R"( "mask_value": -5}})",
                  "# A\n## B\n{{setting:mask_value}} × {{setting:mask_value}} + {{head}} / "
                  "{{setting:mask_value}} = {{setting:mask_value}}"));
    EXPECT_EQ(runs.text(0, 0), "−5 × (−5) + 1 / (−5) = −5");
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

TEST(LessonRuns, SayTheRestWhereANumberIsLacking) {
    LessonRuns runs(lesson_of(three_words + "}",
                              "# A\n## B\n{{keys}} keys, {{weight:queen,cheese}}, {{queries}} queries"));
    std::vector<LackingNumber> lacking;
    EXPECT_EQ(runs.text(0, 0, &lacking), "4 keys, " + std::string(lacking_number_mark) + ", 4 queries");
    ASSERT_EQ(lacking.size(), 1u);
    EXPECT_EQ(lacking[0].words, "{{weight:queen,cheese}}");
    EXPECT_NE(lacking[0].why.find("got cheese"), std::string::npos) << lacking[0].why;
    EXPECT_THROW(runs.text(0, 0), Error) << "who checks a lesson is told";

    LessonRuns endless(lesson_of(three_words + "}", "# A\n## B\nThere are {{keys"));
    lacking.clear();
    EXPECT_EQ(endless.text(0, 0, &lacking), "There are " + std::string(lacking_number_mark) + "keys");
    EXPECT_EQ(lacking.size(), 1u);
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

}}  // namespace headlight::lesson_numbers_test
