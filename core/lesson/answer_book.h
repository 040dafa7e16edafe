#pragma once

#include "core/lesson/answer.h"
#include "core/tensor/words.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// What some people of a class answered to one question. It names nobody.
struct GivenAnswer {
    /// When a question is asked: around a lesson, or in its steps.
    enum class When { before, during, after };
    std::string time;        ///< UTC, "2026-11-23T09:30:00Z"
    std::string class_name;  ///< as its teacher calls it; may be empty
    std::string lesson;      ///< its id
    bool is_course = false;  ///< among the questions of the whole course
    When when = When::during;
    std::size_t question = 0;  ///< of the lesson's quiz, or the step that asks, from 0
    std::string words;         ///< what was answered
    std::size_t people = 1;    ///< who answered so
    bool is_right = false;
    bool operator==(const GivenAnswer&) const = default;
};

template <>
std::span<const Word<GivenAnswer::When>> words();

/// What is kept of a guess at a question of the kind choice: an answer, or one for each option that hands
/// went up for. All else is as in `asked`.
std::vector<GivenAnswer> given_choices(const Question& question, const Guess& guess, GivenAnswer asked);

/// A question of a quiz, and where it comes from.
struct QuizQuestion {
    std::string lesson;  ///< its id
    std::size_t number = 0;
    Question question;
};

/// The questions around a lesson.
std::vector<QuizQuestion> lesson_quiz(const Lesson& lesson);
/// Eight of all lessons, evenly spread over them, for before and after the whole course; fewer where there
/// are fewer lessons with a quiz.
std::vector<QuizQuestion> course_quiz(std::span<const Lesson> lessons);

/// How many people answered, and how many of them were right.
struct RightShare {
    std::size_t right = 0, people = 0;
    void add(const GivenAnswer& answer) {
        people += answer.people;
        right += answer.is_right ? answer.people : 0;
    }
    bool operator==(const RightShare&) const = default;
};

/// What a class knew of a question before and after.
struct Movement {
    std::string lesson;
    bool is_course = false;
    std::size_t question = 0;
    RightShare before, after;
    bool operator==(const Movement&) const = default;
};

/// Returns a movement for every question that was asked before or after, in the order in which they were
/// first asked.
std::vector<Movement> movements(std::span<const GivenAnswer> answers);

/// A table with a line for each: time, class, lesson, course, when, question (from 1), answer, people, right.
std::string answers_csv(std::span<const GivenAnswer> answers);

/// The answers that were given on this computer: a file with a line of JSON for each, so that several windows
/// can add to it and a line that was cut off costs no other.
class AnswerBook {
public:
    explicit AnswerBook(std::filesystem::path file) : file_(std::move(file)) {}

    /// Throws Error where they cannot be written, at once also where the book is a pipe.
    void add(std::span<const GivenAnswer> answers);
    /// Lines that are no answers are passed over. Throws Error where there is a file that cannot be read.
    std::vector<GivenAnswer> answers() const;
    /// Forgets those of a class.
    void forget(const std::string& class_name);

private:
    std::filesystem::path file_;
};

}  // namespace headlight
