#pragma once

#include "core/model/tasks/english_french/choices.h"
#include "core/model/tasks/english_french/lexicon.h"

namespace headlight::english_french {

/// What a verb or an adjective has to agree with.
struct Agreement {
    Gender gender = Gender::masculine;
    bool plural = false;
    int person = 2;  ///< column of a French conjugation: je, tu, il, nous, ils
};

/// The English verb takes its ending: "he sleeps".
inline bool is_third_person_singular(const Agreement& agreement) { return agreement.person == 2; }

/// Something that was said in English, and its French.
struct Phrase {
    Tokens french;
    Agreement agreement;
    WordClasses kinds = person;
};

struct Wanted {
    enum class Range {
        all,
        definite,    ///< "the", "my", "this"; no "a", "some", "many"
        indefinite,  ///< only those: "there is a cat"
        where,       ///< places: "the", "a", "my", "this"
        none,        ///< "there is no cat": no determiner, de in French
        counted,     ///< "how many cats": none either
    };
    WordClasses kinds = everything;
    Number number = Number::singular;
    Range range = Range::all;
    bool denied = false;           ///< the object of a verb that is denied: "a" and "any" are de
    bool may_own = true;           ///< "the king's castle"
    bool may_have_clause = false;  ///< "the man who sleeps"
};

/// Singular, plural or mass, as far as there are such nouns of these kinds.
Number choose_number(Choices& choices, WordClasses kinds);

/// Determiner, adjectives, noun.
Phrase say_noun_phrase(Choices& choices, const Wanted& wanted);

/// Who or what a sentence is about is chosen in two steps, for in a question the verb that agrees with it
/// comes first.
struct Subject {
    enum class Sort { pronoun, name, noun, pair };
    Sort sort = Sort::noun;
    const Pronoun* pronoun = nullptr;
    Number number = Number::singular;
    /// As far as English asks for it: whether it is singular, and "I" or "you".
    Agreement agreement = {};
};

Subject choose_subject(Choices& choices, bool of_any_kind);
Phrase say_subject(Choices& choices, const Subject& subject, bool of_any_kind);

Phrase say_name(Choices& choices, Text other_than = {});

/// The form of an adjective behind a noun or a verb.
std::string agreeing(const Adjective& adjective, const Agreement& agreement);

/// Adjectives that can be said of a noun of these kinds.
std::vector<const Adjective*> adjectives_for(WordClasses kinds);

/// "sleep" or "sleeps".
Text english_form(const Use& use, const Agreement& agreement);

}  // namespace headlight::english_french
