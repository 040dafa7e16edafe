#include "core/model/tasks/alphabet.h"

namespace headlight {
namespace {

Example make_reverse(Random& random) {
    Example example;
    example.source = random_tokens(random, lowercase_letters(), 1, 12);
    example.target.assign(example.source.rbegin(), example.source.rend());
    return example;
}

}  // namespace

Task declare_task_reverse() {
    Task task;
    task.id = "reverse";
    task.name = "Reverse";
    task.order = 200;
    task.meaning = "Write the letters backwards. Where to look first depends on how long the source is, so "
                   "places have to "
                   "be counted from its end.";
    task.what_to_see = "The other diagonal, from the upper right to the lower left: the first step looks at "
                       "the last letter.";
    task.source_vocabulary = lowercase_letters();
    task.target_vocabulary = lowercase_letters();
    task.longest_source = 12;
    task.longest_target = 12;
    task.quotes_source = true;
    task.make = make_reverse;
    return task;
}

}  // namespace headlight
