#include "core/model/tasks/alphabet.h"

#include <utility>

namespace headlight {
namespace {

constexpr Index length = 32;
constexpr Index longest_period = 16;

/// No letter occurs twice within a period: then the letter that is read says alone which one comes next.
Example make_induction(Random& random) {
    const Index period = random.between(4, longest_period);
    Tokens letters = lowercase_letters();
    for (Index i = 0; i < period; ++i)
        std::swap(
            letters[static_cast<std::size_t>(i)],
            letters[static_cast<std::size_t>(random.between(i, static_cast<Index>(letters.size()) - 1))]);
    Example example;
    for (Index i = 0; i < length; ++i)
        example.target.push_back(letters[static_cast<std::size_t>(i % period)]);
    example.given = period + 1;  // the first repeated letter is what tells that the repetition has begun
    return example;
}

}  // namespace

Task declare_task_induction() {
    Task task;
    task.id = "induction";
    task.name = "Repeated random letters";
    task.order = 700;
    task.meaning =
        "Read random letters until they repeat, then go on. The first period cannot be predicted; everything "
        "after its first repeated letter can, by finding where the present letter stood before and writing "
        "what "
        "followed it there. Two layers learn this together: one head looks one letter back, the other finds "
        "the "
        "place (an induction head). The text always has 32 letters, and the period varies from 4 to 16, so "
        "that "
        "no fixed distance will do.";
    task.what_to_see =
        "In one layer a band along the diagonal that fades downwards (the letters just before); "
        "in the other the induction stripe, a period less one below the diagonal, on the letter "
        "that followed last time.";
    task.kind = TaskKind::language_model;
    task.target_vocabulary = lowercase_letters();
    task.longest_target = length;
    task.make = make_induction;
    return task;
}

}  // namespace headlight
