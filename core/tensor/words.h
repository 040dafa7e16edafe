#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A value of an enumeration, the word for it in files and on the command line, and what it means.
template <class Value>
struct Word {
    Value value;
    std::string_view word;
    std::string_view meaning;
};

/// Every word for the values of an enumeration, its only list: readers, writers, help and docs use it.
/// Specialised where the enumeration's words are defined (spec_words.h, core/io/session_words.h).
template <class Value>
std::span<const Word<Value>> words();

template <class Value>
std::string to_word(Value value) {
    for (const Word<Value>& word : words<Value>())
        if (word.value == value)
            return std::string(word.word);
    return {};
}

/// The value that the word stands for, if there is one.
template <class Value>
std::optional<Value> value_of(std::string_view typed) {
    for (const Word<Value>& word : words<Value>())
        if (word.word == typed)
            return word.value;
    return std::nullopt;
}

template <class Value>
std::vector<std::string> spellings() {
    std::vector<std::string> list;
    for (const Word<Value>& word : words<Value>())
        list.emplace_back(word.word);
    return list;
}

/// "dot, general or concat"; `conjunction` is "or" or "and".
std::string list_in_words(const std::vector<std::string>& words, std::string_view conjunction);

/// "dot, general and 3 others": the first of a list that has so many more; by commas alone where it has none.
std::string list_with_others(const std::vector<std::string>& words, std::size_t others);

/// `"dot", "general" or "concat"`
std::string list_of(const std::vector<std::string>& words);

/// Letters to insert, remove, replace or swap with their neighbour to get from one word to the other (optimal
/// string alignment). Case does not count: "W_Q" is a way to mean "W_q".
std::size_t letters_apart(std::string_view a, std::string_view b);

/// The word that `typed` probably means: at most a third of its letters are wrong, and in a short word not
/// the first one; of words in which only a number differs the one with the nearest. Empty when none is near.
std::string nearest(const std::string& typed, const std::vector<std::string>& words);

/// ` (did you mean "tanh"?)`; nothing where nothing is meant.
std::string did_you_mean(const std::string& meant);

/// `"tahn" (did you mean "tanh"?)`, which is the nearest of the words: what an Error says it got.
std::string quoted_with_hint(const std::string& typed, const std::vector<std::string>& words);

}  // namespace headlight
