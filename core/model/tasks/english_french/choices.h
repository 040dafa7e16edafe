#pragma once

#include "core/model/tasks/task.h"

namespace headlight::english_french {

/// What the grammar asks while it builds a sentence, and whom it tells the English words, in their order. A
/// generator chooses at random; a search chooses whatever makes the words come out as a person typed them.
class Choices {
public:
    virtual ~Choices() = default;

    /// One of the alternatives, each as likely as its weight says; never one of weight 0.
    virtual std::size_t choose(std::span<const int> weights) = 0;
    /// The next word or words of the English sentence.
    virtual void say(std::string_view english) = 0;

    std::size_t choose(std::initializer_list<int> weights) {
        return choose(std::span(weights.begin(), weights.size()));
    }
    bool maybe(int percent) { return choose({100 - percent, percent}) == 1; }

    /// One of the pointers; all are as likely.
    template <class Item>
    const Item& one_of(const std::vector<const Item*>& items) {
        return *items[choose(std::vector<int>(items.size(), 1))];
    }
};

}  // namespace headlight::english_french
