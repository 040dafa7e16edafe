#include "core/model/tasks/alphabet.h"

namespace headlight {
namespace {

/// Numbers of one, two and three digits are equally frequent: drawn from 0 ... 999, nine of ten would have
/// three.
Index number(Random& random) {
    switch (random.below(3)) {
    case 0:
        return random.below(10);
    case 1:
        return random.between(10, 99);
    default:
        return random.between(100, 999);
    }
}

Example make_addition(Random& random) {
    const Index a = number(random);
    const Index b = number(random);
    Example example;
    example.source = characters_of(std::to_string(a) + "+" + std::to_string(b));
    example.target = characters_of(std::to_string(a + b));
    return example;
}

}  // namespace

Task declare_task_addition() {
    Task task;
    task.id = "addition";
    task.name = "Addition with carries";
    task.order = 400;
    task.meaning =
        "Add two numbers of up to three digits. Both numbers and the sum are written as people write them, "
        "the "
        "highest digit first, so the model has to know a carry before it writes the digits that cause it: it "
        "looks ahead, where a person would start at the units.";
    task.what_to_see = "Each digit of the sum looks at the two digits of its own place, one in each number, "
                       "and at the places "
                       "to their right, where the carry comes from: two stripes beside each other.";
    task.source_vocabulary = characters_of("0123456789+");
    task.target_vocabulary = characters_of("0123456789");
    task.longest_source = 7;
    task.longest_target = 4;
    task.make = make_addition;
    return task;
}

}  // namespace headlight
