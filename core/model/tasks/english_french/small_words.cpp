#include "core/model/tasks/english_french/lexicon.h"

#include <array>

namespace headlight::english_french {
namespace {

constexpr Gender m = Gender::masculine;
constexpr Gender f = Gender::feminine;

// None ends in s ("lucas's") or begins with h ("d'Hugo" and "de Hugo" are both said).
constexpr auto name_table = std::to_array<Name>({{"paul", m},
                                                 {"pierre", m},
                                                 {"simon", m},
                                                 {"victor", m},
                                                 {"arthur", m},
                                                 {"marie", f},
                                                 {"julie", f},
                                                 {"emma", f},
                                                 {"alice", f},
                                                 {"anna", f}});

constexpr auto pronoun_table = std::to_array<Pronoun>({{"i", "je", m, false, 0, "me", "me", "me"},
                                                       {"you", "tu", m, false, 1, "you", "te", "te"},
                                                       {"he", "il", m, false, 2, "him", "le", "lui"},
                                                       {"she", "elle", f, false, 2, "her", "la", "lui"},
                                                       {"we", "nous", m, true, 3, "us", "nous", "nous"},
                                                       {"they", "ils", m, true, 4, "them", "les", "leur"}});

constexpr auto definite = DeterminerSort::definite;
constexpr auto counted = DeterminerSort::counted;

// "de le" becomes "du", "de les" "des": spelling.h.
constexpr auto determiner_table = std::to_array<Determiner>({
    {"the", "le", "la", "les", "les", definite, 40},
    {"my", "mon", "ma", "mes", "mes", definite, 3},
    {"your", "ton", "ta", "tes", "tes", definite, 3},
    {"his", "son", "sa", "ses", "ses", definite, 3},
    {"her", "son", "sa", "ses", "ses", definite, 3},
    {"our", "notre", "notre", "nos", "nos", definite, 3},
    {"their", "leur", "leur", "leurs", "leurs", definite, 3},
    {"this", "ce", "cette", "", "", definite, 6},
    {"these", "", "", "ces", "ces", definite, 6},
    {"all the", "", "", "tous les", "toutes les", definite, 4},
    {"a", "un", "une", "", "", counted, 25},
    {"each", "chaque", "chaque", "", "", counted, 3},
    {"many", "", "", "beaucoup de", "beaucoup de", counted, 5},
    {"two", "", "", "deux", "deux", counted, 3},
    {"three", "", "", "trois", "trois", counted, 2},
    {"four", "", "", "quatre", "quatre", counted, 1},
    {"five", "", "", "cinq", "cinq", counted, 1},
    {"six", "", "", "six", "six", counted, 1},
    {"seven", "", "", "sept", "sept", counted, 1},
    {"eight", "", "", "huit", "huit", counted, 1},
    {"nine", "", "", "neuf", "neuf", counted, 1},
    {"ten", "", "", "dix", "dix", counted, 1},
    {"some", "de le", "de la", "de les", "de les", DeterminerSort::some, 25},
    {"any", "de", "de", "de", "de", DeterminerSort::any, 25},
});

constexpr auto preposition_table = std::to_array<Preposition>({{"in", "dans", inside},
                                                               {"at", "à", there},
                                                               {"on", "sur", upon},
                                                               {"under", "sous", below},
                                                               {"behind", "derrière", around},
                                                               {"near", "près de", around},
                                                               {"in front of", "devant", around}});

constexpr auto place_table = std::to_array<Pair>({{"here", "ici"},
                                                  {"there", "là"},
                                                  {"outside", "dehors"},
                                                  {"everywhere", "partout"},
                                                  {"at home", "à la maison"}});
constexpr auto manner_table = std::to_array<Pair>(
    {{"well", "bien"}, {"badly", "mal"}, {"fast", "vite"}, {"slowly", "lentement"}, {"a lot", "beaucoup"}});
constexpr auto degree_table = std::to_array<Pair>({{"very", "très"}, {"too", "trop"}, {"so", "si"}});
constexpr auto time_table = std::to_array<Pair>({{"today", "aujourd'hui"},
                                                 {"now", "maintenant"},
                                                 {"every day", "tous les jours"},
                                                 {"in the morning", "le matin"},
                                                 {"this evening", "ce soir"},
                                                 {"at night", "la nuit"},
                                                 {"in summer", "en été"},
                                                 {"in winter", "en hiver"}});
constexpr auto frequency_table =
    std::to_array<Pair>({{"often", "souvent"}, {"always", "toujours"}, {"sometimes", "parfois"}});

}  // namespace

std::span<const Name> names() { return name_table; }
std::span<const Pronoun> pronouns() { return pronoun_table; }
std::span<const Determiner> determiners() { return determiner_table; }
std::span<const Preposition> prepositions() { return preposition_table; }
std::span<const Pair> adverbs_of_place() { return place_table; }
std::span<const Pair> adverbs_of_manner() { return manner_table; }
std::span<const Pair> adverbs_of_degree() { return degree_table; }
std::span<const Pair> times() { return time_table; }
std::span<const Pair> frequencies() { return frequency_table; }

Text english_words_of_the_grammar() {
    return "a an no not never longer do does am is are cannot going to and who that as more than 's . ? what "
           "where when "
           "why how many there";
}

Text french_words_of_the_grammar() {
    return "l' d' n' j' qu' m' t' ne pas jamais plus de du des à au aux cet aussi que et qui . ? est-ce où "
           "quand "
           "pourquoi comment combien il y";
}

}  // namespace headlight::english_french
