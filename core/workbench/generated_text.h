#pragma once

#include "core/model/generator.h"

#include <string>
#include <vector>

namespace headlight {

/// One word of what a model says, with the space in front of it as one writes it.
struct TextPiece {
    enum class Time { past, present, future };
    std::string text;
    Index step = 0;
    Time time = Time::past;
    bool is_chosen = false;  ///< by a person
    bool operator==(const TextPiece&) const = default;
};

/// Whether the sites of a generation need their layers to be told apart.
bool has_layers(const Transcript& transcript);

/// The word without the space in front of it: what a mark is to be under.
std::size_t word_start(const std::string& written);

/// Whether the text that the steps lead to stopped where no more was waited for, before the model ended it.
bool is_cut(const Transcript& transcript);

/// What is said, the end left away; `step` is where the view stands.
std::vector<TextPiece> text_pieces(const Transcript& transcript, Index step);

/// A word, and whether the other text has it at its place (the longest common subsequence).
struct ComparedWord {
    std::string text;
    bool is_other = false;
    bool operator==(const ComparedWord&) const = default;
};

/// `words` beside `others`, each as one writes it.
std::vector<ComparedWord> compared_words(const Task& task, const std::vector<std::string>& words,
                                         const std::vector<std::string>& others);

}  // namespace headlight
