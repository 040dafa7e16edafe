#include "core/model/tasks/alphabet.h"

namespace headlight {
namespace {

Example make_copy(Random& random) {
    Example example;
    example.source = random_tokens(random, lowercase_letters(), 1, 12);
    example.target = example.source;
    return example;
}

}  // namespace

Task declare_task_copy() {
    Task task;
    task.id = "copy";
    task.name = "Copy";
    task.order = 100;
    task.meaning =
        "Write the same letters again. Nothing has to be understood, yet an encoder that hands on one single "
        "vector must squeeze twelve letters into it; with attention, the decoder only has to look at the "
        "right "
        "place.";
    task.what_to_see = "A diagonal from the upper left to the lower right: step t looks at letter t. Letters "
                       "that occur twice "
                       "are the test of whether places or letters are followed.";
    task.source_vocabulary = lowercase_letters();
    task.target_vocabulary = lowercase_letters();
    task.longest_source = 12;
    task.longest_target = 12;
    task.quotes_source = true;
    task.make = make_copy;
    return task;
}

}  // namespace headlight
