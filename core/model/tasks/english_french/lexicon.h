#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The words of the English-French task: tables, and nothing but tables.
namespace headlight::english_french {

using Text = std::string_view;

/// What a noun names, and what verbs and adjectives go with: sets, as bits.
using WordClasses = std::uint32_t;
inline constexpr WordClasses person = 1u << 0, animal = 1u << 1, flying = 1u << 2, fruit = 1u << 3, food = 1u << 4,
                       dish = 1u << 5, drink = 1u << 6, clothing = 1u << 7, thing = 1u << 8,
                       readable = 1u << 9, written = 1u << 10, openable = 1u << 11, hollow = 1u << 12,
                       lengthy = 1u << 13, part = 1u << 14, sight = 1u << 15, plaything = 1u << 16,
                       place = 1u << 17, visitable = 1u << 18,
                       // which words of place a noun takes
    inside = 1u << 19, there = 1u << 20, upon = 1u << 21, around = 1u << 22, below = 1u << 23;
inline constexpr WordClasses living = person | animal;
inline constexpr WordClasses without_plural = dish | drink;
inline constexpr WordClasses everything =
    living | fruit | food | dish | drink | clothing | thing | part | sight | place;

enum class Gender { masculine, feminine };

struct Noun {
    Text english, english_plural, french, french_plural;
    Gender gender;
    WordClasses kinds;
};

struct Adjective {
    Text english, masculine, feminine, masculine_plural;
    WordClasses kinds;
    /// The form before a vowel of the few adjectives that stand before their noun: "bel". Empty when it is
    /// the masculine.
    Text before_vowel = {};
    bool stands_before = false;  ///< "petit chat", where most are "chat noir"
    bool takes_more = false;     ///< long enough for "more ... than" in English
};

struct Name {
    Text name;
    Gender gender;
};

/// The plural "they" is "ils", and "you" is "tu", a man: French has to choose where English does not.
struct Pronoun {
    Text english, french;
    Gender gender;
    bool plural;
    int person;                    ///< column of a conjugation: je, tu, il, nous, ils
    Text english_object;           ///< "him"
    Text object, indirect_object;  ///< "le", "lui"
};

enum class Number { singular, plural, mass };

enum class DeterminerSort {
    definite,  ///< one that is known: of singular, plural and mass nouns
    counted,   ///< "a", "each", "many", "two": no mass noun
    some,      ///< of plural and mass nouns
    any,       ///< the same where something is denied
};

struct Determiner {
    Text english;
    Text masculine, feminine;                ///< of singular and mass nouns; empty: takes none
    Text masculine_plural, feminine_plural;  ///< empty: takes none
    DeterminerSort sort;
    int weight;  ///< how often it is used
};

enum class Frame {
    intransitive,  ///< "sleeps"; a place may follow
    manner,        ///< the same, and "well", "fast" may follow
    transitive,
    transitive_definite,  ///< of one particular thing: "loves the cat"
    to_someone,           ///< "answers the man", "talks to him": répond à, lui parle
    about,                ///< through a preposition that no pronoun replaces: "plays with the cat"
    giving,               ///< "gives an apple to the horse"
    going,                ///< "goes to the market": à
    coming,               ///< "comes from the garden": de
    staying,              ///< "lives in the house": a place must follow
};

/// A verb in one of its uses.
struct Use {
    Text english, english_third, particle;  ///< "look", "looks", "at"
    Text infinitive, preposition;           ///< "regarder", ""
    Frame frame;
    WordClasses subjects, objects;
};

/// "wants to": a verb before an infinitive.
struct Modal {
    Text english, english_third, particle;  ///< "want", "wants", "to"
    Text infinitive;                        ///< "vouloir"
    bool asks_with_do;                      ///< "does he want", but "can he"
};

/// A word that does not change, and its French.
struct Pair {
    Text english, french;
};

/// How a place is told: "under", "sous", of nouns of these kinds.
struct Preposition {
    Text english, french;
    WordClasses kinds;
};

std::span<const Noun> nouns();
std::span<const Adjective> adjectives();
std::span<const Name> names();
std::span<const Pronoun> pronouns();
std::span<const Determiner> determiners();
std::span<const Use> uses();
std::span<const Modal> modals();
std::span<const Preposition> prepositions();
std::span<const Pair> adverbs_of_place();   ///< "here"
std::span<const Pair> adverbs_of_manner();  ///< "well"
std::span<const Pair> adverbs_of_degree();  ///< "very"
std::span<const Pair> times();              ///< "today"
std::span<const Pair> frequencies();        ///< "often"; the last only where nothing is denied
/// Words that the grammar itself says, not from a table.
Text english_words_of_the_grammar();
Text french_words_of_the_grammar();

}  // namespace headlight::english_french
