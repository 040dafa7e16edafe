#include "core/model/tasks/english_french/noun_phrase.h"

#include "core/model/tasks/english_french/conjugation.h"
#include "core/model/tasks/english_french/spelling.h"

#include <algorithm>

namespace headlight::english_french {
namespace {

bool has_number(const Noun& noun, Number number) {
    return noun.english_plural.empty() == (number == Number::mass);
}

/// Whether the noun is one of those wanted, and all these adjectives can be said of it.
bool fits(const Noun& noun, const Wanted& wanted, std::span<const Adjective* const> described) {
    return (noun.kinds & wanted.kinds) != 0 && has_number(noun, wanted.number) &&
           std::ranges::all_of(described,
                               [&](const Adjective* each) { return (noun.kinds & each->kinds) != 0; });
}

std::vector<const Noun*> nouns_for(const Wanted& wanted, std::span<const Adjective* const> described) {
    std::vector<const Noun*> found;
    for (const Noun& noun : nouns())
        if (fits(noun, wanted, described))
            found.push_back(&noun);
    return found;
}

/// The next adjectives before a noun in English: any first one, then one that French puts behind the noun
/// after one that it leaves before ("the small black cat", "le petit chat noir").
std::vector<const Adjective*> next_adjectives(const Wanted& wanted, std::vector<const Adjective*> described) {
    std::vector<const Adjective*> found;
    for (const Adjective& adjective : adjectives()) {
        if (!described.empty() && (adjective.stands_before || !described.front()->stands_before))
            continue;
        described.push_back(&adjective);
        if (std::ranges::any_of(nouns(), [&](const Noun& noun) { return fits(noun, wanted, described); }))
            found.push_back(&adjective);
        described.pop_back();
    }
    return found;
}

int weight(const Determiner& determiner, const Wanted& wanted) {
    using Range = Wanted::Range;
    const bool is_definite = determiner.sort == DeterminerSort::definite;
    const bool takes_number = wanted.number == Number::plural ? !determiner.masculine_plural.empty()
                              : determiner.masculine.empty()  ? false
                              : determiner.sort == DeterminerSort::counted ? wanted.number == Number::singular
                              : is_definite                                ? true
                                                                           : wanted.number == Number::mass;
    const bool is_every = determiner.english == "each";
    const bool in_range = wanted.range == Range::definite     ? is_definite
                          : wanted.range == Range::indefinite ? !is_definite && !is_every
                          : wanted.range == Range::where      ? is_definite || determiner.english == "a"
                                                              : true;
    const bool denies = determiner.sort == DeterminerSort::any;
    const bool affirms = determiner.sort == DeterminerSort::some || is_every;
    return takes_number && in_range && !(wanted.denied ? affirms : denies) ? determiner.weight : 0;
}

Text form(const Determiner& determiner, const Noun& noun, Number number) {
    if (number == Number::plural)
        return noun.gender == Gender::masculine ? determiner.masculine_plural : determiner.feminine_plural;
    return noun.gender == Gender::masculine ? determiner.masculine : determiner.feminine;
}

/// The French of a determiner before this word.
Text french_of(const Determiner& determiner, const Noun& noun, const Wanted& wanted, std::string_view next,
               bool adjective_follows) {
    if (wanted.denied && determiner.english == "a")
        return "de";  // "il ne mange pas de pomme"
    if (determiner.sort == DeterminerSort::some && wanted.number == Number::plural && adjective_follows)
        return "de";  // "de petits chats"
    const Text french = form(determiner, noun, wanted.number);
    if (begins_with_vowel_sound(next)) {
        if (french == "ce")
            return "cet";
        if (french == "ma" || french == "ta" || french == "sa")
            return determiner.masculine;  // "mon école"
    }
    return french;
}

/// The noun with its adjectives around it.
Tokens french_of(const Noun& noun, std::span<const Adjective* const> described, bool plural) {
    const Agreement agreement{noun.gender, plural};
    const Text word = plural ? noun.french_plural : noun.french;
    Tokens before, behind;
    for (const Adjective* adjective : described) {
        const bool meets_vowel = adjective->stands_before && !adjective->before_vowel.empty() && !plural &&
                                 noun.gender == Gender::masculine && begins_with_vowel_sound(word);
        (adjective->stands_before ? before : behind)
            .push_back(meets_vowel ? std::string(adjective->before_vowel) : agreeing(*adjective, agreement));
    }
    Tokens french = before;
    french.emplace_back(word);
    append(french, behind);
    return french;
}

bool begins_with_english_vowel(std::string_view word) {
    return std::string_view("aeiou").find(word.front()) != std::string_view::npos;
}

/// "the king 's", a name or one person, of whom no more is said than an adjective.
Tokens say_owner(Choices& choices) {
    Phrase owner;
    if (choices.maybe(50))
        owner = say_name(choices);
    else
        owner =
            say_noun_phrase(choices, {.kinds = person, .range = Wanted::Range::definite, .may_own = false});
    choices.say("'s");
    return owner.french;
}

/// "who sleeps", "that sleeps".
void say_clause(Choices& choices, Phrase& phrase) {
    std::vector<const Use*> fitting;
    for (const Use& use : uses())
        if ((use.subjects & phrase.kinds) != 0 &&
            (use.frame == Frame::intransitive || use.frame == Frame::manner))
            fitting.push_back(&use);
    choices.say((phrase.kinds & person) != 0 ? "who" : "that");
    const Use& use = choices.one_of(fitting);
    choices.say(english_form(use, phrase.agreement));
    append(phrase.french, "qui");
    phrase.french.push_back(present(use.infinitive, phrase.agreement.person));
}

}  // namespace

Number choose_number(Choices& choices, WordClasses kinds) {
    const bool mass = (kinds & without_plural) != 0;
    const bool counted = (kinds & ~without_plural) != 0;
    return static_cast<Number>(
        choices.choose({counted ? 60 : 0, counted ? 30 : 0, mass ? counted ? 20 : 100 : 0}));
}

Phrase say_noun_phrase(Choices& choices, const Wanted& wanted) {
    using Range = Wanted::Range;
    const bool bare = wanted.range == Range::none || wanted.range == Range::counted;
    const bool may_own = wanted.may_own && (wanted.range == Range::all || wanted.range == Range::definite);
    const Determiner* determiner = nullptr;
    Tokens owner;
    if (!bare) {
        std::vector<int> weights;
        for (const Determiner& each : determiners())
            weights.push_back(weight(each, wanted));
        weights.push_back(may_own ? 6 : 0);
        const std::size_t chosen = choices.choose(weights);
        if (chosen == determiners().size())
            owner = say_owner(choices);
        else
            determiner = &determiners()[chosen];
    }
    const bool is_a = determiner != nullptr && determiner->english == "a";
    if (determiner != nullptr && !is_a)
        choices.say(determiner->english);

    // "a" or "an": known when the next word is.
    auto say_next = [&, first = true](Text word) mutable {
        if (first && is_a)
            choices.say(begins_with_english_vowel(word) ? "an" : "a");
        first = false;
        choices.say(word);
    };
    std::vector<const Adjective*> described;
    while (described.size() < 2) {
        const auto next = next_adjectives(wanted, described);
        if (next.empty() || !choices.maybe(described.empty() ? 40 : 20))
            break;
        described.push_back(&choices.one_of(next));
        say_next(described.back()->english);
    }
    const Noun& noun = choices.one_of(nouns_for(wanted, described));
    const bool plural = wanted.number == Number::plural;
    say_next(plural ? noun.english_plural : noun.english);

    Phrase phrase;
    phrase.kinds = noun.kinds;
    phrase.agreement = {noun.gender, plural, plural ? 4 : 2};
    const Tokens words = french_of(noun, described, plural);
    if (bare)
        append(phrase.french, "de");
    else if (determiner != nullptr)
        append(phrase.french, french_of(*determiner, noun, wanted, words.front(),
                                        !described.empty() && described.front()->stands_before));
    else
        append(phrase.french, plural ? "les" : noun.gender == Gender::masculine ? "le" : "la");
    append(phrase.french, words);
    if (!owner.empty()) {
        append(phrase.french, "de");
        append(phrase.french, owner);
    }
    if (wanted.may_have_clause && (noun.kinds & living) != 0 && choices.maybe(6))
        say_clause(choices, phrase);
    return phrase;
}

Subject choose_subject(Choices& choices, bool of_any_kind) {
    Subject subject;
    switch (choices.choose({30, 8, 38, 20, of_any_kind ? 3 : 0, 5})) {
    case 0:
        subject.sort = Subject::Sort::pronoun;
        subject.pronoun = &pronouns()[choices.choose({1, 1, 1, 1, 1, 1})];
        subject.agreement = {subject.pronoun->gender, subject.pronoun->plural, subject.pronoun->person};
        break;
    case 1:
        subject.sort = Subject::Sort::name;
        break;
    case 2:
        break;
    case 3:
        subject.number = Number::plural;
        subject.agreement = {.plural = true, .person = 4};
        break;
    case 4:
        subject.number = Number::mass;
        break;
    default:
        subject.sort = Subject::Sort::pair;
        subject.agreement = {.plural = true, .person = 4};
    }
    return subject;
}

Phrase say_name(Choices& choices, Text other_than) {
    std::vector<int> weights;
    for (const Name& each : names())
        weights.push_back(each.name == other_than ? 0 : 1);
    const Name& name = names()[choices.choose(weights)];
    choices.say(name.name);
    return {.french = {std::string(name.name)}, .agreement = {.gender = name.gender}, .kinds = person};
}

Phrase say_subject(Choices& choices, const Subject& subject, bool of_any_kind) {
    switch (subject.sort) {
    case Subject::Sort::pronoun:
        choices.say(subject.pronoun->english);
        return {.french = {std::string(subject.pronoun->french)},
                .agreement = subject.agreement,
                .kinds = person};
    case Subject::Sort::name:
        return say_name(choices);
    case Subject::Sort::noun:
        return say_noun_phrase(choices, {.kinds = subject.number == Number::mass ? without_plural
                                                  : of_any_kind                  ? everything
                                                                                 : living,
                                         .number = subject.number,
                                         .may_have_clause = true});
    case Subject::Sort::pair:
        break;
    }
    const WordClasses kinds = choices.maybe(30) ? animal : person;
    const auto say_one = [&](Text other_than) {
        if (kinds == person && choices.maybe(40))
            return say_name(choices, other_than);
        return say_noun_phrase(choices, {.kinds = kinds, .range = Wanted::Range::definite, .may_own = false});
    };
    Phrase pair = say_one({});
    choices.say("and");
    const Phrase second = say_one(pair.french.front());
    append(pair.french, "et");
    append(pair.french, second.french);
    // One man among many women makes French adjectives masculine.
    const bool feminine =
        pair.agreement.gender == Gender::feminine && second.agreement.gender == Gender::feminine;
    pair.agreement = {feminine ? Gender::feminine : Gender::masculine, true, 4};
    pair.kinds = kinds;
    return pair;
}

std::string agreeing(const Adjective& adjective, const Agreement& agreement) {
    if (agreement.gender == Gender::masculine)
        return std::string(agreement.plural ? adjective.masculine_plural : adjective.masculine);
    std::string form(adjective.feminine);
    return agreement.plural ? form + "s" : form;
}

std::vector<const Adjective*> adjectives_for(WordClasses kinds) {
    std::vector<const Adjective*> found;
    for (const Adjective& adjective : adjectives())
        if ((adjective.kinds & kinds) != 0)
            found.push_back(&adjective);
    return found;
}

Text english_form(const Use& use, const Agreement& agreement) {
    return is_third_person_singular(agreement) ? use.english_third : use.english;
}

}  // namespace headlight::english_french
