#include "core/model/vocabulary.h"

#include "core/tensor/error.h"

namespace headlight {

Vocabulary::Vocabulary(std::span<const std::string> words) : words_{"<s>", "</s>"} {
    words_.insert(words_.end(), words.begin(), words.end());
    for (std::size_t i = 0; i < words_.size(); ++i)
        numbers_.emplace(words_[i], static_cast<Index>(i));
}

Index Vocabulary::number(const std::string& word) const {
    const auto found = numbers_.find(word);
    if (found == numbers_.end())
        throw Error({"look a word up", "", "one of the model's " + std::to_string(size() - 2) + " words",
                     excerpt(word)});
    return found->second;
}

std::vector<Index> Vocabulary::numbers(std::span<const std::string> words) const {
    std::vector<Index> found;
    for (const std::string& each : words)
        found.push_back(number(each));
    return found;
}

std::vector<std::string> Vocabulary::words(std::span<const Index> numbers) const {
    std::vector<std::string> found;
    for (const Index each : numbers)
        found.push_back(word(each));
    return found;
}

}  // namespace headlight
