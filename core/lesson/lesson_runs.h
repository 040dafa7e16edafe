#pragma once

#include "core/lesson/answer_book.h"
#include "core/model/transcript.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// Stands in a text where a number cannot be written. Signs that mean nothing in Markdown.
inline constexpr std::string_view lacking_number_mark = "‹?›";

/// A number that a text asks for and its run does not have.
struct LackingNumber {
    std::string words;  ///< as they stand in the text: "{{weight:it,cheese}}"
    std::string why;
    bool operator==(const LackingNumber&) const = default;
};

/// What the program computes for a lesson, each state once: where a state only looks elsewhere, the run is
/// that of the state before. To be asked by one thread at a time.
class LessonRuns {
public:
    explicit LessonRuns(Lesson lesson) : lesson_(std::move(lesson)) {}

    const Lesson& lesson() const { return lesson_; }

    /// Throws Error where a state cannot be run.
    std::shared_ptr<const Trace> run(std::size_t step, std::size_t state);

    /// The text that a state adds, with its numbers in place of what stands in braces (lesson_numbers.h);
    /// {{setting:NAME}} is a knob of its mechanism, or mask_value. An @ in front means another state: {{@2
    /// entropy:it}} the last one of step 2, {{@2.1 ...}} its first. Throws Error where a number cannot be
    /// written; with `lacking` a lacking_number_mark stands in its place, and it is added to that.
    std::string text(std::size_t step, std::size_t state, std::vector<LackingNumber>* lacking = nullptr);
    /// What is said with the answer of a step's question, with the numbers of its last state.
    std::string because(std::size_t step, std::vector<LackingNumber>* lacking = nullptr);
    std::string notes(std::size_t step, std::vector<LackingNumber>* lacking = nullptr);

    /// Returns the answer of a step with a question: of a word as the first reveal has it, for what comes
    /// next is asked and later reveals go on to other words; of all else as the last state has it.
    Answer answer(std::size_t step);
    bool is_right(std::size_t step, const Guess& guess);
    /// Where one looks in a state once its step's question is answered: at the answer, if that is a cell,
    /// until the lesson itself looks at another.
    Selection answered(std::size_t step, std::size_t state);
    /// What a book of answers keeps of a guess, but for the time and the class.
    std::vector<GivenAnswer> given(std::size_t step, const Guess& guess);

private:
    struct Run {
        std::shared_ptr<const Trace> trace;
        std::shared_ptr<const Transcript> said;  ///< null without a model
    };

    const Run& known_run(std::size_t step, std::size_t state);
    /// The state that answer() is of.
    std::size_t answering_state(std::size_t step) const;
    std::string filled(std::string_view text, std::size_t step, std::size_t state,
                       std::vector<LackingNumber>* lacking);
    std::string number(std::string_view words, std::size_t step, std::size_t state);

    Lesson lesson_;
    std::map<std::pair<std::size_t, std::size_t>, Run> runs_;
};

}  // namespace headlight
