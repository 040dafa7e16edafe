#pragma once

#include "core/model/tasks/english_french/noun_phrase.h"

namespace headlight::english_french {

/// What a subject is said to do or to be.
struct Predicate {
    enum class Head { verb, modal, future, be };
    Head head = Head::verb;
    const Modal* modal = nullptr;
};

/// Whether it is said or denied, and how French denies: ne ... pas, ne ... jamais, ne ... plus.
enum class Denial { none, not_so, never, no_longer };

/// What may still follow: not what a question asks for.
struct Open {
    bool place = true;
    bool time = true;
};

Predicate choose_predicate(Choices& choices, bool may_be);
Denial choose_denial(Choices& choices, const Predicate& predicate, bool question);

/// The word that stands before the subject of a question: "does", "is", "can".
void say_auxiliary(Choices& choices, const Predicate& predicate, const Agreement& agreement);

/// The rest, after the subject and, in a question, the auxiliary: "does not sleep in the garden", in a
/// question "not sleep in the garden". Returns the French: "ne dort pas dans le jardin".
Tokens say_predicate(Choices& choices, const Predicate& predicate, Denial denial, const Phrase& subject,
                     bool question, const Open& open);

/// "what does the cat eat": a verb alone, in its plain form, that can have objects of these kinds.
Tokens say_verb_of(Choices& choices, WordClasses objects, const Phrase& subject);

/// A preposition and a place, or an adverb. Returns the French.
Tokens say_place(Choices& choices);
/// Only with a preposition, one of these: a house is not in a box, but it may be near a tree.
Tokens say_place_with_preposition(Choices& choices,
                                  WordClasses prepositions_of = inside | there | upon | below | around);

}  // namespace headlight::english_french
