#pragma once

#include "core/tensor/tensor.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// The words of a model by number. The first two are where a text begins and ends.
class Vocabulary {
public:
    static constexpr Index begin = 0;
    static constexpr Index end = 1;

    Vocabulary() : Vocabulary(std::vector<std::string>{}) {}
    explicit Vocabulary(std::span<const std::string> words);

    Index size() const { return static_cast<Index>(words_.size()); }
    const std::vector<std::string>& words() const { return words_; }
    const std::string& word(Index number) const { return words_[static_cast<std::size_t>(number)]; }
    /// Throws Error naming the word when it is not known.
    Index number(const std::string& word) const;
    std::vector<Index> numbers(std::span<const std::string> words) const;
    std::vector<std::string> words(std::span<const Index> numbers) const;

private:
    std::vector<std::string> words_;
    std::map<std::string, Index, std::less<>> numbers_;
};

}  // namespace headlight
