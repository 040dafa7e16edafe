#pragma once

#include "core/model/generation_trace.h"
#include "core/model/trained_model.h"

#include <optional>

namespace headlight {

/// A text as a model begins with it.
struct Prompt {
    std::vector<Index> source;  ///< what an encoder reads; empty without one
    std::vector<Index>
        given;  ///< what the decoder reads before its first step: where texts begin, and what was said
};

/// Longer texts are refused: attention grows with the square of their length. A model that has learned
/// numbers for fewer places (Host::most_tokens) refuses shorter ones.
inline constexpr Index longest_text = 512;

/// What a person typed, in the model's numbers. Throws Error naming the first word that it does not know, and
/// for a text that is empty or too long.
Prompt prompt(const TaskModel& model, std::string_view text);

/// What a target that was typed would have the model say, its end included; of a classifier its label. Throws
/// Error for a word that it does not know, and for more words than there is room for behind the prompt.
std::vector<Index> forced_tokens(const TaskModel& model, const Prompt& prompt, std::string_view text);

/// How many tokens a model can say behind the prompt, each from a place of its own: as many as it has places
/// left, or longest_text.
Index most_generated(const TaskModel& model, const Prompt& prompt);
/// Throws Error for more than most_generated().
void require_room(const TaskModel& model, const Prompt& prompt, Index said);

/// Lets a generation read what is given.
void begin(Generation& generation, const Prompt& prompt);

/// Goes on token by token until the model ends the text, or it has said `longest` tokens. Returns what was
/// said, the end included if it came. `seed` decides what is drawn. A classifier says its label at once.
std::vector<Index> generate(const TaskModel& model, Generation& generation, Index longest,
                            const Sampling& sampling, std::uint64_t seed);

/// Makes the generation say these tokens, whatever the model would say: teacher forcing. Returns their log
/// probability.
double force(Generation& generation, std::span<const Index> tokens);

/// How many tokens an answer of the task may have, its end included, where there is room for so many.
Index longest_answer(const TaskModel& model, const Prompt& prompt);

/// What was said, without its end, as the task writes it; of a language model behind what was given.
std::string text_of(const TaskModel& model, const Prompt& prompt, std::span<const Index> said);

/// What the rows and columns of its maps are called, when `said` followed the prompt.
GeneratedWords generated_words(const TaskModel& model, const Generation& generation,
                               std::span<const Index> said);

}  // namespace headlight
