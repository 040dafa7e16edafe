#include "core/model/tasks/alphabet.h"

#include <array>
#include <utility>

namespace headlight {
namespace {

using ReviewWord = std::string_view;

constexpr std::array<ReviewWord, 6> other_people{"anna", "emma", "julie", "paul", "simon", "tom"};
/// What "i" does, and what others do.
constexpr std::array<std::pair<ReviewWord, ReviewWord>, 2> verbs_of_reviews{
    {{"find", "finds"}, {"call", "calls"}}};
constexpr std::array<ReviewWord, 2> reviewed{"this", "that"};
constexpr std::array<ReviewWord, 3> degrees{"very", "quite", "rather"};
constexpr std::array<ReviewWord, 4> praising{"great", "fine", "lovely", "clever"};
constexpr std::array<ReviewWord, 4> blaming{"dull", "poor", "awful", "silly"};
constexpr ReviewWord reviewer = "i", negation = "not", full_stop = ".";
constexpr ReviewWord label_of_praise = "good", label_of_blame = "bad";

constexpr Index words_of_sentence = 6, fewest_sentences = 2, most_sentences = 4;
constexpr double negated_share = 0.3;

/// "i find this not dull ." and that it is praise.
struct Opinion {
    std::array<ReviewWord, words_of_sentence> words;
    bool is_praise;
};

Opinion make_opinion(Random& random, bool is_of_reviewer) {
    const auto& [first_person, third_person] = random.one_of(verbs_of_reviews);
    const bool is_negated = random.chance(negated_share), is_praising = random.chance(0.5);
    return {{is_of_reviewer ? reviewer : random.one_of(other_people),
             is_of_reviewer ? first_person : third_person, random.one_of(reviewed),
             is_negated ? negation : random.one_of(degrees),
             is_praising ? random.one_of(praising) : random.one_of(blaming), full_stop},
            is_praising != is_negated};
}

Example make_reviews(Random& random) {
    const Index sentences = random.between(fewest_sentences, most_sentences);
    const Index of_reviewer = random.below(sentences);
    Example example;
    for (Index i = 0; i < sentences; ++i) {
        const Opinion opinion = make_opinion(random, i == of_reviewer);
        for (const ReviewWord word : opinion.words)
            example.source.emplace_back(word);
        if (i == of_reviewer)
            example.target = {std::string(opinion.is_praise ? label_of_praise : label_of_blame)};
    }
    return example;
}

Tokens words_of_reviews() {
    Tokens words;
    const auto add = [&words](const auto& list) {
        for (const ReviewWord word : list)
            words.emplace_back(word);
    };
    add(std::array{reviewer, negation, full_stop});
    for (const auto& [first_person, third_person] : verbs_of_reviews)
        add(std::array{first_person, third_person});
    add(other_people);
    add(reviewed);
    add(degrees);
    add(praising);
    add(blaming);
    return sorted_once(std::move(words));
}

}  // namespace

Task declare_task_reviews() {
    Task task;
    task.id = "reviews";
    task.name = "Reviews of several sentences";
    task.order = 870;
    task.meaning = "Say whether the writer of a small review found it good or bad. One of its two to four "
                   "sentences is the "
                   "writer's own and says \"i\"; in the others people are quoted, who may think the "
                   "opposite. What counts "
                   "is one word of that sentence, and \"not\" before it turns it round. Each sentence has "
                   "six words, its "
                   "full stop among them, so that a model can be told where sentences end.";
    task.what_to_see =
        "Of two levels: within each sentence the weight is on the opinion and its \"not\", or on a word that "
        "has gathered both; and of the sentences the one with \"i\" has nearly all of it. In the map of the "
        "whole text one group of words is bright, wherever it stands.";
    task.kind = TaskKind::classification;
    task.source_writing = task.target_writing = Writing::english;
    task.source_vocabulary = words_of_reviews();
    task.target_vocabulary = {std::string(label_of_praise), std::string(label_of_blame)};
    task.longest_source = words_of_sentence * most_sentences;
    task.longest_target = 1;
    task.shown = Example{.source = {"anna", "finds", "this", "very", "dull", ".", "i", "call", "this", "not",
                                    "silly", ".", "tom", "calls", "that", "quite", "awful", "."},
                         .target = {"good"}};
    task.sentence = words_of_sentence;
    task.make = make_reviews;
    return task;
}

}  // namespace headlight
