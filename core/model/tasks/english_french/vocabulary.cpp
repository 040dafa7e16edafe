#include "core/model/tasks/alphabet.h"
#include "core/model/tasks/english_french/conjugation.h"
#include "core/model/tasks/english_french/noun_phrase.h"
#include "core/model/tasks/english_french/spelling.h"
#include "core/model/tasks/english_french/translation.h"

namespace headlight::english_french {
namespace {

/// The pairs of all tables of words that do not change.
std::vector<Pair> unchanging() {
    std::vector<Pair> pairs;
    for (const auto table :
         {adverbs_of_place(), adverbs_of_manner(), adverbs_of_degree(), times(), frequencies()})
        pairs.insert(pairs.end(), table.begin(), table.end());
    for (const Preposition& each : prepositions())
        pairs.push_back({each.english, each.french});
    return pairs;
}

/// The forms that some noun calls for: nobody says the plural of "chaud" here, where only drinks are hot.
void append_forms(Tokens& words, const Adjective& adjective) {
    for (const Noun& noun : nouns()) {
        if ((noun.kinds & adjective.kinds) == 0)
            continue;
        append(words, agreeing(adjective, {.gender = noun.gender}));
        if (!noun.french_plural.empty())
            append(words, agreeing(adjective, {.gender = noun.gender, .plural = true}));
        if (noun.gender == Gender::masculine && begins_with_vowel_sound(noun.french))
            append(words, adjective.before_vowel);
    }
}

/// All persons of what people do; of what only animals do, no "je".
void append_forms(Tokens& words, std::string_view infinitive, bool of_people) {
    for (const int each : {0, 1, 2, 3, 4})
        if (of_people || each == 2 || each == 4)
            append(words, present(infinitive, each));
}

}  // namespace

Tokens english_vocabulary() {
    Tokens words;
    append(words, english_words_of_the_grammar());
    for (const Noun& each : nouns()) {
        append(words, each.english);
        append(words, each.english_plural);
    }
    for (const Adjective& each : adjectives())
        append(words, each.english);
    for (const Name& each : names())
        append(words, each.name);
    for (const Pronoun& each : pronouns()) {
        append(words, each.english);
        append(words, each.english_object);
    }
    for (const Determiner& each : determiners())
        append(words, each.english);
    for (const Use& each : uses())
        for (const Text word : {each.english, each.english_third, each.particle})
            append(words, word);
    for (const Modal& each : modals())
        for (const Text word : {each.english, each.english_third, each.particle})
            append(words, word);
    for (const Pair& each : unchanging())
        append(words, each.english);
    return sorted_once(std::move(words));
}

Tokens french_vocabulary() {
    Tokens words;
    append(words, french_words_of_the_grammar());
    for (const Noun& each : nouns()) {
        append(words, each.french);
        append(words, each.french_plural);
    }
    for (const Adjective& each : adjectives())
        append_forms(words, each);
    for (const Name& each : names())
        append(words, each.name);
    for (const Pronoun& each : pronouns())
        for (const Text word : {each.french, each.object, each.indirect_object})
            append(words, word);
    for (const Determiner& each : determiners())
        for (const Text word : {each.masculine, each.feminine, each.masculine_plural, each.feminine_plural})
            append(words, word);
    for (const Use& each : uses()) {
        append(words, each.infinitive);
        append(words, each.preposition);
        append_forms(words, each.infinitive, (each.subjects & person) != 0);
    }
    for (const Modal& each : modals())
        append_forms(words, each.infinitive, true);
    append_forms(words, "être", true);
    append_forms(words, "aller", true);
    for (const Pair& each : unchanging())
        append(words, each.french);
    return sorted_once(std::move(words));
}

}  // namespace headlight::english_french
