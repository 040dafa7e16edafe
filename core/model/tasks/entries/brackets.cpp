#include "core/model/tasks/alphabet.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

constexpr Index most_pairs = 10;
constexpr std::string_view opening = "([{";
constexpr std::string_view closing = ")]}";

bool is_balanced(std::string_view text) {
    std::string awaited;
    for (const char bracket : text) {
        if (const auto kind = opening.find(bracket); kind != opening.npos) {
            awaited += closing[kind];
        } else {
            if (awaited.empty() || awaited.back() != bracket)
                return false;
            awaited.pop_back();
        }
    }
    return awaited.empty();
}

std::string balanced(Random& random) {
    std::string text, awaited;
    // The shortest are so few that a split may take them all: the longer of two drawn lengths makes them
    // rare.
    Index to_open = std::max(random.between(1, most_pairs), random.between(1, most_pairs));
    while (to_open > 0 || !awaited.empty()) {
        if (to_open > 0 && (awaited.empty() || random.chance(0.5))) {
            const auto kind = static_cast<std::size_t>(random.below(3));
            text += opening[kind];
            awaited += closing[kind];
            --to_open;
        } else {
            text += awaited.back();
            awaited.pop_back();
        }
    }
    return text;
}

/// Hard to tell from a balanced one: a single bracket was changed, or two have changed places.
std::string unbalanced(Random& random) {
    const std::string before = balanced(random);
    const auto size = static_cast<Index>(before.size());
    for (;;) {
        std::string text = before;
        char& bracket = text[static_cast<std::size_t>(random.below(size))];
        if (random.chance(0.5))
            bracket = random.one_of(std::string_view("([{)]}"));
        else
            std::swap(bracket, text[static_cast<std::size_t>(random.below(size))]);
        if (!is_balanced(text))
            return text;
    }
}

Example make_brackets(Random& random) {
    const bool is_good = random.chance(0.5);
    Example example;
    example.source = characters_of(is_good ? balanced(random) : unbalanced(random));
    example.target = {is_good ? "balanced" : "unbalanced"};
    return example;
}

}  // namespace

Task declare_task_brackets() {
    Task task;
    task.id = "brackets";
    task.name = "Balanced brackets";
    task.order = 800;
    task.meaning =
        "Say whether every bracket is closed by one of its own kind, in the right order. Half of the strings "
        "are "
        "balanced; the others were, until one bracket was changed or two changed places, so that counting is "
        "not enough.";
    task.what_to_see =
        "In the first layer of an encoder some heads gather the brackets of one kind, in bright blocks, and "
        "others look at neighbours, where the innermost pairs close. The layers above build on what these "
        "found: there a cell stands for a group of brackets, and no head has to link every bracket with its "
        "partner. How a model knows is not always how a person would show it.";
    task.kind = TaskKind::classification;
    task.target_writing = Writing::english;
    task.source_vocabulary = characters_of("()[]{}");
    task.target_vocabulary = {"balanced", "unbalanced"};
    task.longest_source = 2 * most_pairs;
    task.longest_target = 1;
    task.make = make_brackets;
    return task;
}

}  // namespace headlight
