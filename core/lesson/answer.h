#pragma once

#include "core/lesson/lesson.h"
#include "core/lesson/lesson_numbers.h"

namespace headlight {

/// What is right, as the run has it.
struct Answer {
    double number = 0;         ///< weight, cell
    Index query = 0, key = 0;  ///< cell
    std::string words;         ///< to be read: "0.42", "animal", an option
    std::string weight;        ///< cell: how large it is, "0.21"; else empty
    std::string within;        ///< weight: how far off a guess still is right, "0.10"; else empty

    /// Words in quotation marks, so that they stay apart from the sentence around them, and a cell with its
    /// weight: "0.42", "“animal”, weight 0.21".
    std::string said() const;
    /// The same with its tolerance: "0.42; a guess within 0.10 is right".
    std::string told() const;
};

/// Words of an answer or a guess in quotation marks: “it grows”. What has such marks itself stays as it is.
std::string quoted_once(const std::string& words);

/// What somebody guessed; of these what the question's kind asks for.
struct Guess {
    double number = 0;         ///< weight
    Index query = 0, key = 0;  ///< cell
    std::string word{};        ///< word
    std::size_t option = 0;    ///< choice
    /// choice, where hands were counted: how many are for each option; empty where one person answered.
    std::vector<std::size_t> hands{};
    std::size_t people = 1;  ///< weight, cell, word: who guess so; more than one where hands were counted
};

/// `said` by the model of the run, null where there is none. Throws Error where the run has no such numbers:
/// a word of what is no model, say.
Answer answer_to(const Question& question, const Trace& trace, const Selection& selection,
                 const Transcript* said = nullptr);

/// A guess to be read: "0.40", "animal", an option.
std::string words_of(const Question& question, const Guess& guess, const Trace& trace,
                     const Selection& selection);

/// A weight is compared with the answer as it is said, so that who calculates with what stands there comes to
/// the same verdict. Words are compared without regard to case and to blanks around them, and a guess may
/// leave out the marks of Latin letters: "chateau" for "château". Of equal largest weights each is right; of
/// counted hands most have to be.
bool is_right(const Question& question, const Guess& guess, const Trace& trace, const Selection& selection,
              const Transcript* said = nullptr);

}  // namespace headlight
