#include "core/model/tasks/alphabet.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr Index largest_bag = 12;
constexpr Index most_letters = 8;  ///< that differ

const Tokens& ten_letters() {
    static const Tokens letters = characters_of("abcdefghij");
    return letters;
}

const Tokens& numbers_in_words() {
    static const Tokens words{"one", "two", "three", "four", "five", "six", "seven", "eight"};
    return words;
}

/// Every answer is as likely as any other.
Example make_distinct(Random& random) {
    const Index different = random.between(1, most_letters);
    Tokens letters = ten_letters();
    random.draw_first(letters, different);
    letters.resize(static_cast<std::size_t>(different));
    Example example;
    example.source = letters;
    const Index size = random.between(different, largest_bag);
    while (std::ssize(example.source) < size)
        example.source.push_back(random.one_of(letters));
    random.draw_first(example.source, size);
    example.target = {numbers_in_words()[static_cast<std::size_t>(different - 1)]};
    return example;
}

}  // namespace

Task declare_task_distinct() {
    Task task;
    task.id = "distinct";
    task.name = "Different letters";
    task.order = 850;
    task.meaning =
        "Say how many different letters there are, however often each of them occurs. The source is a set, "
        "or a "
        "bag: the order of the letters does not matter, and a model that knows nothing of places cannot be "
        "led "
        "astray by it. A mean over all letters is not enough, for it counts those that occur often more than "
        "once; the experiment is that of the Set Transformer, which counts the different characters among "
        "pictures.";
    task.what_to_see =
        "In the first layer letters that are the same look alike: their rows are equal, and so are their "
        "columns. Where the label is asked for there is one row over all letters: one way to count is "
        "that letters that occur several times share what a letter that occurs once has alone.";
    task.kind = TaskKind::classification;
    task.target_writing = Writing::english;
    task.source_vocabulary = ten_letters();
    task.target_vocabulary = numbers_in_words();
    task.longest_source = largest_bag;
    task.longest_target = 1;
    // The same letters in another order would give a held-out answer away.
    task.split_by = [](const Example& each) {
        Tokens letters = each.source;
        std::ranges::sort(letters);
        return letters;
    };
    task.shown = Example{.source = characters_of("cabbage"), .target = {"five"}};
    task.reads_set = true;
    task.make = make_distinct;
    return task;
}

}  // namespace headlight
