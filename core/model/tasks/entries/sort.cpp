#include "core/model/tasks/alphabet.h"

#include <algorithm>

namespace headlight {
namespace {

const Tokens& alphabet() {
    static const Tokens tokens = characters_of("0123456789abcdefghijklmnopqrstuvwxyz");
    return tokens;
}

Example make_sort(Random& random) {
    Example example;
    example.source = random_tokens(random, alphabet(), 1, 12);
    example.target = example.source;
    std::ranges::sort(example.target);
    return example;
}

}  // namespace

Task declare_task_sort() {
    Task task;
    task.id = "sort";
    task.name = "Sort";
    task.order = 300;
    task.meaning =
        "Write digits and letters in ascending order, digits first. Here the content decides where to look, "
        "not the place: the next one to write is the smallest of those not yet written.";
    task.what_to_see = "No diagonal: one bright cell in each row, in the column of the character that is "
                       "written, and once a "
                       "column was used it stays dark. Characters that occur twice share their weight.";
    task.source_vocabulary = alphabet();
    task.target_vocabulary = alphabet();
    task.longest_source = 12;
    task.longest_target = 12;
    // The same characters in another order would give a held-out answer away.
    task.split_by = [](const Example& each) { return each.target; };
    task.quotes_source = true;
    task.make = make_sort;
    return task;
}

}  // namespace headlight
