#pragma once

#include "core/model/tasks/random.h"
#include "core/model/tasks/sight.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

using Tokens = std::vector<std::string>;

/// One row of a task's data.
struct Example {
    Tokens source;  ///< empty for a language model
    Tokens target;  ///< a classifier's label is one token; a language model's text is all here
    /// How many tokens of the text a language model is given. The others follow from those before them; they
    /// are what exact match is measured on.
    Index given = 0;

    bool operator==(const Example&) const = default;
};

enum class TaskKind { translation, language_model, classification };

/// How tokens and text become each other. Characters are written without gaps; words with spaces, and with
/// marks attached as the language does it: "?" is attached in English and stands apart in French, where an
/// elided "l'" is a token of its own.
enum class Writing { characters, english, french };

enum class Side { source, target };

enum class Split { training, held_out };

/// How the sources of a task sound whose models hear them: each token is written for a frame.
struct Sound {
    Index bands = 0;         ///< numbers of a frame; 0: nothing is heard, and models are given the tokens
    Index milliseconds = 0;  ///< from one frame to the next
    /// The spectrogram of a source: [tokens, bands].
    FloatTensor (*of)(std::span<const std::string> source) = nullptr;

    /// What frames are called, which have no words: the times at which they begin, "40 ms".
    Tokens times(Index frames) const;
};

/// What the tokens of a source that are pairs of points are called: "1→2 +3", from the first to the second.
Tokens names_of_pairs(const Tokens& tokens, Index points);

/// Something to learn, with data that this project writes itself: every example comes from a seed.
struct Task {
    std::string id;           ///< "dates"
    std::string name;         ///< "Dates in many formats"
    int order = 0;            ///< in lists: the easiest to see first
    std::string meaning;      ///< what is learned: one paragraph
    std::string what_to_see;  ///< what the attention should look like
    TaskKind kind = TaskKind::translation;
    Writing source_writing = Writing::characters;
    Writing target_writing = Writing::characters;
    Tokens source_vocabulary;  ///< empty for a language model
    Tokens target_vocabulary;
    Index longest_source = 0;
    Index longest_target = 0;
    int held_out_percent = 10;
    /// Part of an example, which follows from its source; examples that share it are in one split: a held-out
    /// date is unseen in every format. None: the source itself, of a language model the text.
    Tokens (*split_by)(const Example&) = nullptr;
    std::optional<Example> shown;  ///< what people are shown first: held out, so that no model has learned it
    /// Its answers are made of words that stand in their source: a model that points can give them.
    bool quotes_source = false;
    /// Its source is a set: its tokens in another order have the same answer. A model that knows nothing of
    /// places can give it.
    bool reads_set = false;
    /// How many tokens each sentence of its source has, behind a question; 0: it has none, or of any length.
    Index sentence = 0;
    /// How many first tokens of its source are a question about the others; 0: there is none.
    Index question = 0;
    /// Its source has a token for each pair of so many points, row by row: from the first to the first, to
    /// the second, ... A model that knows its pairs, but not which number a point has, can answer. 0: it has
    /// none.
    Index points = 0;
    Sound sound;  ///< of its sources, if they are heard
    Sight sight;  ///< of its sources, if they are seen; then a text has them a row of patches at a time
    Example (*make)(Random&) = nullptr;
};

/// Every task, by order.
std::span<const Task> tasks();

/// Throws Error that lists the ids when there is none.
const Task& task(std::string_view id);

/// The number-th example of the stream of this seed. Depends on (task, seed, number, split) and nothing else.
/// Which split an example belongs to follows from its source alone (of a language model, its text), so that
/// training never sees a held-out source, whatever the seeds. Throws Error when the split seems to be empty.
Example example(const Task& task, std::uint64_t seed, Index number, Split split);

/// The split that this example belongs to.
Split split_of(const Task& task, const Example& example);

/// The tokens of what a person types for this side of the task. Of words, capitals and typographic
/// apostrophes do not count, and "doesn't" is "does not". Throws Error naming the first word that the task
/// does not know, and what it knows. A language model has one side.
Tokens tokens_of(const Task& task, std::string_view text, Side side = Side::source);

std::string text_of(const Task& task, std::span<const std::string> tokens, Side side);

/// Stands between source and target when both are one text.
inline constexpr std::string_view text_separator = "=>";

/// The same example for a language model: source, separator and target as one text, of which the source and
/// the separator are given ("sort-gpt").
Example as_one_text(const Example& example);

}  // namespace headlight
