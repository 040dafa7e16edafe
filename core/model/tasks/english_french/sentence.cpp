#include "core/model/tasks/english_french/sentence.h"

#include "core/model/tasks/english_french/conjugation.h"
#include "core/model/tasks/english_french/predicate.h"
#include "core/model/tasks/english_french/spelling.h"

namespace headlight::english_french {
namespace {

/// Whatever is asked, French asks with est-ce que and leaves the words in the order of a statement.
Tokens question(Text question_word, const Tokens& subject, const Tokens& predicate) {
    Tokens french;
    append(french, question_word);
    append(french, "est-ce que");
    append(french, subject);
    append(french, predicate);
    return french;
}

/// "the cat does not sleep", "le chat ne dort pas".
Tokens say_statement(Choices& choices) {
    const Predicate predicate = choose_predicate(choices, true);
    const bool of_any_kind = predicate.head == Predicate::Head::be;
    const Phrase subject = say_subject(choices, choose_subject(choices, of_any_kind), of_any_kind);
    const Denial denial = choose_denial(choices, predicate, false);
    Tokens french = subject.french;
    append(french, say_predicate(choices, predicate, denial, subject, false, {}));
    return french;
}

/// "does the cat sleep", "est-ce que le chat dort"; "why does the cat sleep", "pourquoi est-ce que le chat
/// dort".
Tokens say_question(Choices& choices) {
    struct Asked {
        Text english, french;
        Open open;
    };
    static constexpr Asked asked[] = {{"", "", {}},
                                      {"where", "où", {.place = false}},
                                      {"when", "quand", {.time = false}},
                                      {"why", "pourquoi", {}},
                                      {"how", "comment", {}}};
    const std::size_t chosen = choices.choose({60, 9, 9, 10, 4});
    const auto& [word, french_word, open] = asked[chosen];
    choices.say(word);
    const bool may_be = word.empty() || word == "why";
    const Predicate predicate = word == "how" ? Predicate{} : choose_predicate(choices, may_be);
    const bool of_any_kind = predicate.head == Predicate::Head::be;
    const Subject asked_of = choose_subject(choices, of_any_kind);
    const Denial denial = may_be ? choose_denial(choices, predicate, true) : Denial::none;
    say_auxiliary(choices, predicate, asked_of.agreement);
    const Phrase subject = say_subject(choices, asked_of, of_any_kind);
    return question(french_word, subject.french,
                    say_predicate(choices, predicate, denial, subject, true, open));
}

/// "where is the black cat", "où est le chat noir".
Tokens say_where_is(Choices& choices) {
    const bool plural = choices.maybe(30);
    choices.say(plural ? "where are" : "where is");
    Tokens french{"où", plural ? "sont" : "est"};
    if (!plural && choices.maybe(20))
        append(french, say_name(choices).french);
    else
        append(french, say_noun_phrase(choices, {.kinds = everything & ~without_plural & ~part,
                                                 .number = plural ? Number::plural : Number::singular,
                                                 .range = Wanted::Range::definite})
                           .french);
    return french;
}

/// "who sleeps", "qui dort".
Tokens say_who(Choices& choices) {
    choices.say("who");
    const Predicate predicate = choose_predicate(choices, true);
    const Denial denial = choices.maybe(20) ? Denial::not_so : Denial::none;
    Tokens french{"qui"};
    append(french, say_predicate(choices, predicate, denial, Phrase{}, false, {}));
    return french;
}

/// "what does the cat eat", "qu'est-ce que le chat mange".
Tokens say_what(Choices& choices) {
    choices.say("what");
    const Subject asked_of = choose_subject(choices, false);
    say_auxiliary(choices, {}, asked_of.agreement);
    const Phrase subject = say_subject(choices, asked_of, false);
    return question("que", subject.french,
                    say_verb_of(choices, food | dish | drink | clothing | thing, subject));
}

/// "how many apples does the cat eat", "combien de pommes est-ce que le chat mange".
Tokens say_how_many(Choices& choices) {
    choices.say("how many");
    const bool eaten = choices.maybe(40);
    const Phrase counted = say_noun_phrase(
        choices, {.kinds = eaten ? food : living, .number = Number::plural, .range = Wanted::Range::counted});
    const Subject asked_of = choose_subject(choices, false);
    say_auxiliary(choices, {}, asked_of.agreement);
    const Phrase subject = say_subject(choices, asked_of, false);
    Tokens french{"combien"};
    append(french, counted.french);
    append(french, question("", subject.french, say_verb_of(choices, eaten ? food : living, subject)));
    return french;
}

enum class Existence { stated, denied, asked };

/// "there is no cat in the garden", "il n'y a pas de chat dans le jardin".
Tokens say_there_is(Choices& choices, Existence existence) {
    constexpr WordClasses kinds = living | food | dish | drink | clothing | thing;
    const Number number = choose_number(choices, kinds);
    const Text be = number == Number::plural ? "are" : "is";
    Tokens french;
    if (existence == Existence::asked) {
        choices.say(be);
        choices.say("there");
        append(french, "est-ce que il y a");
    } else {
        choices.say("there");
        choices.say(be);
        append(french, existence == Existence::denied ? "il ne y a pas" : "il y a");
    }
    if (existence == Existence::denied)
        choices.say("no");
    append(french,
           say_noun_phrase(choices, {.kinds = number == Number::mass ? dish | drink : kinds,
                                     .number = number,
                                     .range = existence == Existence::denied ? Wanted::Range::none
                                                                             : Wanted::Range::indefinite})
               .french);
    if (choices.maybe(75))
        append(french, say_place_with_preposition(choices));
    return french;
}

}  // namespace

Tokens say_sentence(Choices& choices) {
    Tokens french;
    bool asks = true;
    switch (choices.choose({62, 18, 4, 4, 4, 3, 3, 1, 1})) {
    case 0:
        french = say_statement(choices);
        asks = false;
        break;
    case 1:
        french = say_question(choices);
        break;
    case 2:
        french = say_where_is(choices);
        break;
    case 3:
        french = say_who(choices);
        break;
    case 4:
        french = say_what(choices);
        break;
    case 5:
        french = say_how_many(choices);
        break;
    case 6:
        french = say_there_is(choices, Existence::stated);
        asks = false;
        break;
    case 7:
        french = say_there_is(choices, Existence::denied);
        asks = false;
        break;
    default:
        french = say_there_is(choices, Existence::asked);
    }
    // People leave the full stop away, but seldom the question mark.
    const Text mark = asks ? "?" : choices.maybe(50) ? "." : "";
    choices.say(mark);
    append(french, mark);
    return with_elisions_and_contractions(french);
}

}  // namespace headlight::english_french
