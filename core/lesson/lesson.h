#pragma once

#include "core/io/session.h"
#include "core/model/film.h"
#include "core/model/recipe.h"
#include "core/tensor/words.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// What a class is asked before the program shows it. The answer of every kind but the last is computed from
/// the run of the step that asks.
struct Question {
    enum class Kind {
        weight,  ///< how large one weight is, from 0 to 1
        cell,    ///< which key a query looks at most; without a query, where the largest weight of the map is
        word,    ///< which word the model says at the decoding step that is revealed first
        choice,  ///< one of `options`
    };
    Kind kind = Kind::choice;
    std::string ask;
    std::string because;     ///< said with the answer; has numbers as the text of a step has
    std::string query, key;  ///< tokens, as in the text of a step
    double tolerance = 0.1;  ///< weight: a guess that is no further off is right
    std::vector<std::string> options;
    std::size_t answer = 0;  ///< choice: of `options`
    bool operator==(const Question&) const = default;
};

template <>
std::span<const Word<Question::Kind>> words();

/// A model that may learn in front of the class. Nothing is trained before somebody starts it.
struct LessonTraining {
    Recipe recipe;    ///< one that prepare() takes; says its host
    FilmedText text;  ///< filmed while it learns; the task's own example where it has no source
};

/// What stands beside the picture, and what the picture shows.
struct LessonStep {
    std::string title;
    /// Markdown: what is said at first, and what each reveal adds. Numbers stand in it as
    /// {{weight:it,animal}}, see LessonRuns: the program writes them.
    std::vector<std::string> texts;
    std::string notes;  ///< for whoever presents it
    /// What the program shows: at first, then one after another what is revealed.
    std::vector<Session> states;
    std::optional<Question> question;  ///< asked at the first state; LessonRuns says where its answer is
    std::optional<LessonTraining> training;
    /// The name of a knob of the mechanism that the class may turn beside the text; empty where there is
    /// none.
    std::string knob;
};

/// Steps that a class goes through, each a state of the program with a text beside it. A plain value.
struct Lesson {
    std::string id;  ///< "scaling": of its folder, and what scripts call it
    /// What open_lesson() takes to read it again: its id, or its whole path. Empty where it was never read.
    std::string source;
    std::string title;  ///< "Why divide by the square root"
    std::string summary;
    int order = 0;    ///< in the course, from 1
    int minutes = 5;  ///< that it takes
    std::vector<LessonStep> steps;
    /// Asked before the first step and again after the last, so that a class sees what it learned.
    std::vector<Question> quiz;
};

}  // namespace headlight
