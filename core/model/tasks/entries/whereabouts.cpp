#include "core/model/tasks/alphabet.h"

#include <array>
#include <utility>

namespace headlight {
namespace {

using WhereaboutsWord = std::string_view;

constexpr std::array<WhereaboutsWord, 8> people_told_of{"anna", "emma",  "julie", "marie",
                                                        "paul", "simon", "tom",   "victor"};
constexpr std::array<std::array<WhereaboutsWord, 2>, 3> ways_to_be{
    {{"is", "in"}, {"goes", "to"}, {"sleeps", "in"}}};
constexpr std::array<WhereaboutsWord, 6> places_to_be{"forest", "garden", "kitchen",
                                                      "market", "park",   "school"};
constexpr Index words_of_question = 4, words_of_statement = 6;
constexpr Index fewest_statements = 2, most_statements = 4;

/// Nobody is told of twice.
Example make_whereabouts(Random& random) {
    const Index statements = random.between(fewest_statements, most_statements);
    const Index asked = random.below(statements);
    auto told = people_told_of;
    Tokens text;
    Example example;
    for (Index i = 0; i < statements; ++i) {
        const auto here = static_cast<std::size_t>(i);
        std::swap(told[here], told[static_cast<std::size_t>(random.between(i, std::ssize(told) - 1))]);
        const auto& [verb, preposition] = random.one_of(ways_to_be);
        const WhereaboutsWord place = random.one_of(places_to_be);
        for (const WhereaboutsWord word :
             {told[here], verb, preposition, WhereaboutsWord("the"), place, WhereaboutsWord(".")})
            text.emplace_back(word);
        if (i == asked)
            example.target = {std::string(place)};
    }
    example.source = {"where", "is", std::string(told[static_cast<std::size_t>(asked)]), "?"};
    example.source.insert(example.source.end(), text.begin(), text.end());
    return example;
}

Tokens words_of_whereabouts() {
    Tokens words{"where", "?", "the", "."};
    const auto add = [&words](const auto& list) {
        for (const WhereaboutsWord word : list)
            words.emplace_back(word);
    };
    add(people_told_of);
    for (const auto& each : ways_to_be)
        add(each);
    add(places_to_be);
    return sorted_once(std::move(words));
}

}  // namespace

Task declare_task_whereabouts() {
    Task task;
    task.id = "whereabouts";
    task.name = "A question about a text";
    task.order = 880;
    task.meaning =
        "Say where the person is of whom the question asks. The question stands before the text, which tells "
        "of "
        "two to four people where they are, in any order; it has four words, so that a model can be told "
        "where "
        "it ends. Neither is enough alone: without the question any place of the text may be the answer, and "
        "without the text any place at all.";
    task.what_to_see =
        "Where the label is asked for there is one row over the text: it marks the sentence that is asked "
        "for, the place in it or words that have heard of it, and leaves the other places dark.";
    task.kind = TaskKind::classification;
    task.source_writing = task.target_writing = Writing::english;
    task.source_vocabulary = words_of_whereabouts();
    task.target_vocabulary = {places_to_be.begin(), places_to_be.end()};
    task.longest_source = words_of_question + words_of_statement * most_statements;
    task.longest_target = 1;
    task.shown = Example{.source = {"where",  "is",     "paul", "?",   "anna", "goes", "to",      "the",
                                    "garden", ".",      "paul", "is",  "in",   "the",  "kitchen", ".",
                                    "emma",   "sleeps", "in",   "the", "park", "."},
                         .target = {"kitchen"}};
    task.question = words_of_question;
    task.sentence = words_of_statement;
    task.make = make_whereabouts;
    return task;
}

}  // namespace headlight
