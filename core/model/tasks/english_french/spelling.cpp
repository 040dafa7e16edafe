#include "core/model/tasks/english_french/spelling.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace headlight::english_french {
namespace {

using Text = std::string_view;

struct Change {
    Text before, after;
};

constexpr auto elisions = std::to_array<Change>({{"le", "l'"},
                                                 {"la", "l'"},
                                                 {"de", "d'"},
                                                 {"ne", "n'"},
                                                 {"je", "j'"},
                                                 {"me", "m'"},
                                                 {"te", "t'"},
                                                 {"que", "qu'"}});

struct Contraction {
    Text preposition, article, together;
};

constexpr auto contractions = std::to_array<Contraction>(
    {{"de", "le", "du"}, {"de", "les", "des"}, {"à", "le", "au"}, {"à", "les", "aux"}});

/// Words whose h is aspirated, or that keep the word before them whole for another reason.
constexpr auto aspirated = std::to_array<Text>({"hibou", "hiboux", "huit"});
constexpr auto vowels =
    std::to_array<Text>({"a", "e", "i", "o", "u", "h", "yeux", "à", "â", "é", "è", "ê", "î", "ô", "œ"});

}  // namespace

void append(Tokens& words, std::string_view text) {
    std::istringstream stream{std::string(text)};
    for (std::string word; stream >> word;)
        words.push_back(word);
}

void append(Tokens& words, const Tokens& more) { words.insert(words.end(), more.begin(), more.end()); }

bool begins_with_vowel_sound(std::string_view word) {
    return std::ranges::find(aspirated, word) == aspirated.end() &&
           (word == "y" ||
            std::ranges::any_of(vowels, [word](Text vowel) { return word.starts_with(vowel); }));
}

// Elision first: "de le homme" is "de l'homme", and nothing is left to contract.
Tokens with_elisions_and_contractions(const Tokens& words) {
    Tokens elided = words;
    for (std::size_t i = 0; i + 1 < elided.size(); ++i) {
        const auto change = std::ranges::find(elisions, elided[i], &Change::before);
        if (change != elisions.end() && begins_with_vowel_sound(elided[i + 1]))
            elided[i] = change->after;
    }
    Tokens spelled;
    for (std::string& word : elided) {
        const auto contraction = std::ranges::find_if(contractions, [&](const Contraction& each) {
            return !spelled.empty() && spelled.back() == each.preposition && word == each.article;
        });
        if (contraction != contractions.end())
            spelled.back() = contraction->together;
        else
            spelled.push_back(std::move(word));
    }
    return spelled;
}

}  // namespace headlight::english_french
