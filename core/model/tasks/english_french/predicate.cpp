#include "core/model/tasks/english_french/predicate.h"

#include "core/model/tasks/english_french/conjugation.h"
#include "core/model/tasks/english_french/spelling.h"

#include <algorithm>

namespace headlight::english_french {
namespace {

/// What follows a verb: in French a pronoun goes before it.
struct Complement {
    Tokens pronoun, behind;
};

Text be_form(const Agreement& agreement) {
    return agreement.person == 0 ? "am" : agreement.person == 2 ? "is" : "are";
}

Text do_form(const Agreement& agreement) { return is_third_person_singular(agreement) ? "does" : "do"; }

Tokens say_pair(Choices& choices, std::span<const Pair> pairs) {
    const Pair& pair = pairs[choices.choose(std::vector<int>(pairs.size(), 1))];
    choices.say(pair.english);
    Tokens french;
    append(french, pair.french);
    return french;
}

/// "often", where it goes with what is denied.
Tokens say_frequency(Choices& choices, Denial denial) {
    if (denial == Denial::never || denial == Denial::no_longer || !choices.maybe(9))
        return {};
    return say_pair(choices, frequencies().first(frequencies().size() - (denial == Denial::not_so ? 1 : 0)));
}

/// "sees her": a pronoun of another person than the subject.
const Pronoun& say_object_pronoun(Choices& choices, const Phrase& subject) {
    std::vector<int> weights;
    for (const Pronoun& each : pronouns()) {
        const bool both_first = each.person % 3 == 0 && subject.agreement.person % 3 == 0;  // I and we
        weights.push_back(both_first || (each.person == 1 && subject.agreement.person == 1) ? 0 : 1);
    }
    const Pronoun& pronoun = pronouns()[choices.choose(weights)];
    choices.say(pronoun.english_object);
    return pronoun;
}

Tokens say_object(Choices& choices, WordClasses kinds, bool definite, bool denied) {
    if ((kinds & person) != 0 && choices.maybe(8))
        return say_name(choices).french;
    const Number number = choose_number(choices, kinds);
    return say_noun_phrase(
               choices, {.kinds = number == Number::mass ? kinds & without_plural : kinds & ~without_plural,
                         .number = number,
                         .range = definite ? Wanted::Range::definite : Wanted::Range::all,
                         .denied = denied})
        .french;
}

Tokens say_place_of(Choices& choices, WordClasses kinds) {
    // "dans un hôtel", but nobody says "à un hôtel".
    const auto range = kinds == there ? Wanted::Range::definite : Wanted::Range::where;
    return say_noun_phrase(choices, {.kinds = kinds, .range = range, .may_own = false}).french;
}

void with_preposition(Tokens& words, Text preposition, const Tokens& object) {
    append(words, preposition);
    append(words, object);
}

Complement say_complement(Choices& choices, const Use& use, bool denied, bool finite, const Phrase& subject,
                          const Open& open) {
    Complement said;
    const bool place_is_asked = !open.place && (use.frame == Frame::going || use.frame == Frame::staying);
    if (!use.particle.empty() && use.frame != Frame::giving && !place_is_asked)
        choices.say(use.particle);
    int place_percent = 12;
    switch (use.frame) {
    case Frame::manner:
        place_percent = 30;
        // Behind a finite verb alone: "chante bien", but "peut bien chanter".
        if (finite && choices.maybe(20))
            append(said.behind, say_pair(choices, adverbs_of_manner()));
        break;
    case Frame::intransitive:
        place_percent = 30;
        break;
    case Frame::transitive:
    case Frame::transitive_definite:
        if ((use.objects & person) != 0 && choices.maybe(25))
            append(said.pronoun, say_object_pronoun(choices, subject).object);
        else
            append(said.behind,
                   say_object(choices, use.objects, use.frame == Frame::transitive_definite, denied));
        break;
    case Frame::to_someone:
        if (choices.maybe(25))
            append(said.pronoun, say_object_pronoun(choices, subject).indirect_object);
        else
            with_preposition(said.behind, use.preposition, say_object(choices, use.objects, true, false));
        break;
    case Frame::about:
        with_preposition(said.behind, use.preposition, say_object(choices, use.objects, true, false));
        break;
    case Frame::giving:
        append(said.behind, say_object(choices, use.objects, false, denied));
        choices.say(use.particle);
        with_preposition(said.behind, use.preposition, say_object(choices, living, true, false));
        break;
    case Frame::going:
        if (!place_is_asked)
            with_preposition(said.behind, use.preposition, say_place_of(choices, there));
        break;
    case Frame::coming:
        with_preposition(said.behind, use.preposition, say_place_of(choices, place));
        break;
    case Frame::staying:
        if (!place_is_asked)
            append(said.behind, say_place(choices));
        break;
    }
    if (use.frame < Frame::giving && open.place && choices.maybe(place_percent))
        append(said.behind, say_place(choices));
    if (open.time && choices.maybe(8))
        append(said.behind, say_pair(choices, times()));
    return said;
}

const Use& choose_use(Choices& choices, const Phrase& subject, const Open& open) {
    std::vector<const Use*> fitting;
    for (const Use& use : uses())
        if ((use.subjects & subject.kinds) != 0 && (open.place || use.frame != Frame::coming))
            fitting.push_back(&use);
    return choices.one_of(fitting);
}

Text denial_word(Denial denial) {
    return denial == Denial::not_so ? "pas" : denial == Denial::never ? "jamais" : "plus";
}

/// ne, pronoun, finite verb, pas.
Tokens around_verb(Denial denial, const Tokens& pronoun, const std::string& verb) {
    Tokens french;
    if (denial != Denial::none)
        french.emplace_back("ne");
    append(french, pronoun);
    french.push_back(verb);
    if (denial != Denial::none)
        french.emplace_back(denial_word(denial));
    return french;
}

Tokens say_verb(Choices& choices, Denial denial, const Phrase& subject, bool question, const Open& open) {
    bool plain = question;  // the form of the English verb
    if (denial == Denial::not_so) {
        if (!question)
            choices.say(do_form(subject.agreement));
        choices.say("not");
        plain = true;
    } else if (denial != Denial::none) {
        choices.say(denial == Denial::never ? "never" : "no longer");
    }
    const Tokens frequency = say_frequency(choices, denial);
    const Use& use = choose_use(choices, subject, open);
    choices.say(plain ? use.english : english_form(use, subject.agreement));
    const Complement complement = say_complement(choices, use, denial != Denial::none, true, subject, open);
    Tokens french =
        around_verb(denial, complement.pronoun, present(use.infinitive, subject.agreement.person));
    append(french, frequency);
    append(french, complement.behind);
    return french;
}

/// A verb in the infinitive behind another one: "can sleep", "is going to sleep".
Tokens say_infinitive(Choices& choices, Denial denial, std::string_view finite_infinitive,
                      const Phrase& subject, const Open& open) {
    const Use& use = choose_use(choices, subject, open);
    choices.say(use.english);
    const Complement complement = say_complement(choices, use, denial != Denial::none, false, subject, open);
    Tokens french = around_verb(denial, {}, present(finite_infinitive, subject.agreement.person));
    append(french, complement.pronoun);
    append(french, use.infinitive);
    append(french, complement.behind);
    return french;
}

Tokens say_modal(Choices& choices, const Modal& modal, Denial denial, const Phrase& subject, bool question,
                 const Open& open) {
    const bool denied = denial != Denial::none;
    if (modal.asks_with_do) {
        if (denied) {
            if (!question)
                choices.say(do_form(subject.agreement));
            choices.say("not");
        }
        const bool third = is_third_person_singular(subject.agreement) && !question && !denied;
        choices.say(third ? modal.english_third : modal.english);
        choices.say(modal.particle);
    } else {
        const bool can_not = denied && !question && modal.english == "can";
        if (can_not)
            choices.say("cannot");
        else if (!question)
            choices.say(modal.english);
        if (denied && !can_not)
            choices.say("not");
    }
    return say_infinitive(choices, denial, modal.infinitive, subject, open);
}

Tokens say_future(Choices& choices, Denial denial, const Phrase& subject, bool question, const Open& open) {
    if (!question)
        choices.say(be_form(subject.agreement));
    if (denial != Denial::none)
        choices.say("not");
    choices.say("going to");
    return say_infinitive(choices, denial, "aller", subject, open);
}

/// "as big as the dog", "more intelligent than the dog".
Tokens say_comparison(Choices& choices, Denial denial, const Phrase& subject) {
    const bool more = denial != Denial::no_longer && choices.maybe(40);  // "n'est plus plus grand" stumbles
    choices.say(more ? "more" : "as");
    auto fitting = adjectives_for(subject.kinds);
    if (more)
        std::erase_if(fitting, [](const Adjective* each) { return !each->takes_more; });
    const Adjective& adjective = choices.one_of(fitting);
    choices.say(adjective.english);
    choices.say(more ? "than" : "as");
    Tokens french{more ? "plus" : "aussi", agreeing(adjective, subject.agreement), "que"};
    const Number number = choices.maybe(30) ? Number::plural : Number::singular;
    append(french, say_noun_phrase(choices, {.kinds = subject.kinds & everything,
                                             .number = number,
                                             .range = Wanted::Range::definite})
                       .french);
    return french;
}

bool can_be_compared(const Phrase& subject) { return (subject.kinds & (living | clothing)) != 0; }

Tokens say_be(Choices& choices, Denial denial, const Phrase& subject, bool question, const Open& open) {
    if (!question)
        choices.say(be_form(subject.agreement));
    if (denial != Denial::none)
        choices.say(denial == Denial::not_so ? "not" : denial == Denial::never ? "never" : "no longer");
    Tokens french = around_verb(denial, {}, present("être", subject.agreement.person));
    append(french, say_frequency(choices, denial));
    const auto fitting = adjectives_for(subject.kinds);
    const bool describable = !fitting.empty();
    const bool is_place = (subject.kinds & place) != 0;
    switch (choices.choose({describable ? 50 : 0, describable ? 14 : 0, can_be_compared(subject) ? 10 : 0,
                            open.place && (subject.kinds & part) == 0 ? 26 : 0})) {
    case 1:
        append(french, say_pair(choices, adverbs_of_degree()));
        [[fallthrough]];
    case 0: {
        const Adjective& adjective = choices.one_of(fitting);
        choices.say(adjective.english);
        append(french, agreeing(adjective, subject.agreement));
        break;
    }
    case 2:
        append(french, say_comparison(choices, denial, subject));
        break;
    default:
        append(french, is_place ? say_place_with_preposition(choices, around) : say_place(choices));
    }
    return french;
}

}  // namespace

Predicate choose_predicate(Choices& choices, bool may_be) {
    switch (choices.choose({60, 14, 5, may_be ? 21 : 0})) {
    case 0:
        return {};
    case 1:
        return {Predicate::Head::modal, &modals()[choices.choose(std::vector<int>(modals().size(), 1))]};
    case 2:
        return {Predicate::Head::future, nullptr};
    default:
        return {Predicate::Head::be, nullptr};
    }
}

Denial choose_denial(Choices& choices, const Predicate& predicate, bool question) {
    const bool takes_never =
        !question && (predicate.head == Predicate::Head::verb || predicate.head == Predicate::Head::be);
    return static_cast<Denial>(
        choices.choose({question ? 82 : 62, question ? 18 : 28, takes_never ? 6 : 0, takes_never ? 4 : 0}));
}

void say_auxiliary(Choices& choices, const Predicate& predicate, const Agreement& agreement) {
    const bool is_be = predicate.head == Predicate::Head::be || predicate.head == Predicate::Head::future;
    const bool is_modal = predicate.modal != nullptr && !predicate.modal->asks_with_do;
    choices.say(is_be ? be_form(agreement) : is_modal ? predicate.modal->english : do_form(agreement));
}

Tokens say_predicate(Choices& choices, const Predicate& predicate, Denial denial, const Phrase& subject,
                     bool question, const Open& open) {
    switch (predicate.head) {
    case Predicate::Head::verb:
        return say_verb(choices, denial, subject, question, open);
    case Predicate::Head::modal:
        return say_modal(choices, *predicate.modal, denial, subject, question, open);
    case Predicate::Head::future:
        return say_future(choices, denial, subject, question, open);
    case Predicate::Head::be:
        break;
    }
    return say_be(choices, denial, subject, question, open);
}

Tokens say_verb_of(Choices& choices, WordClasses objects, const Phrase& subject) {
    std::vector<const Use*> fitting;
    for (const Use& use : uses())
        if ((use.subjects & subject.kinds) != 0 && (use.objects & objects) != 0 &&
            use.frame == Frame::transitive && use.particle.empty())
            fitting.push_back(&use);
    const Use& use = choices.one_of(fitting);
    choices.say(use.english);
    return {present(use.infinitive, subject.agreement.person)};
}

Tokens say_place_with_preposition(Choices& choices, WordClasses prepositions_of) {
    std::vector<int> weights;
    for (const Preposition& each : prepositions())
        weights.push_back((each.kinds & prepositions_of) != 0 ? 1 : 0);
    const Preposition& preposition = prepositions()[choices.choose(weights)];
    choices.say(preposition.english);
    Tokens french;
    with_preposition(french, preposition.french, say_place_of(choices, preposition.kinds));
    return french;
}

Tokens say_place(Choices& choices) {
    return choices.maybe(20) ? say_pair(choices, adverbs_of_place()) : say_place_with_preposition(choices);
}

}  // namespace headlight::english_french
