#include "core/model/tasks/task.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

using Text = std::string_view;

constexpr Text no_break_space = "\u00A0";

struct Replaced {
    Text typed, meant;
};

/// Capitals with accents, typographic apostrophes and spaces, as French keyboards and text processors make
/// them.
constexpr auto replaced = std::to_array<Replaced>({{"À", "à"},
                                                   {"Â", "â"},
                                                   {"Ç", "ç"},
                                                   {"É", "é"},
                                                   {"È", "è"},
                                                   {"Ê", "ê"},
                                                   {"Î", "î"},
                                                   {"Ô", "ô"},
                                                   {"Œ", "œ"},
                                                   {"’", "'"},
                                                   {no_break_space, " "},
                                                   {"\u202F", " "}});

std::string lower_case(Text text) {
    std::string lower;
    for (std::size_t i = 0; i < text.size();) {
        const auto found = std::ranges::find_if(
            replaced, [&](const Replaced& each) { return text.substr(i).starts_with(each.typed); });
        if (found != replaced.end()) {
            lower += found->meant;
            i += found->typed.size();
        } else {
            const char c = text[i++];
            lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return lower;
}

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_mark(char c) { return Text(".?!,;:").find(c) != Text::npos; }

/// Runs of characters that are neither white space nor marks, and each mark.
Tokens split_words(Text text) {
    Tokens words;
    bool inside = false;
    for (const char c : text) {
        if (is_white(c) || is_mark(c)) {
            inside = false;
            if (is_mark(c))
                words.emplace_back(1, c);
        } else {
            if (!inside)
                words.emplace_back();
            words.back() += c;
            inside = true;
        }
    }
    return words;
}

/// UTF-8 characters, white space at the ends left away.
Tokens split_characters(Text text) {
    while (!text.empty() && is_white(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_white(text.back()))
        text.remove_suffix(1);
    Tokens characters;
    for (const char c : text) {
        const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
        if (!continues || characters.empty())
            characters.emplace_back();
        characters.back() += c;
    }
    return characters;
}

bool is_picture(const Task& task, Side side) { return side == Side::source && task.sight; }

/// Those of a text of a task. Rows of a picture may stand apart.
Tokens typed_characters(const Task& task, Text text, Side side) {
    Tokens characters = split_characters(text);
    if (is_picture(task, side))
        std::erase_if(characters, [](const std::string& each) { return is_white(each.front()); });
    return characters;
}

const Tokens& vocabulary_of(const Task& task, Side side) {
    return side == Side::source && task.kind != TaskKind::language_model ? task.source_vocabulary
                                                                         : task.target_vocabulary;
}

Writing writing_of(const Task& task, Side side) {
    return side == Side::source && task.kind != TaskKind::language_model ? task.source_writing
                                                                         : task.target_writing;
}

bool is_known(const Tokens& vocabulary, const std::string& word) {
    return std::ranges::find(vocabulary, word) != vocabulary.end();
}

/// The tokens that a typed word stands for, none when it is unknown: itself, or what its apostrophe joins
/// ("l'homme", "paul's", "doesn't").
Tokens known_parts(const Tokens& vocabulary, const std::string& word) {
    if (is_known(vocabulary, word))
        return {word};
    const std::size_t apostrophe = word.find('\'');
    if (apostrophe == std::string::npos)
        return {};
    if (word == "can't" && is_known(vocabulary, "cannot"))
        return {"cannot"};
    const auto split_at = [&](std::size_t place, const std::string& second) {
        Tokens parts = known_parts(vocabulary, word.substr(0, place));
        const Tokens rest = known_parts(vocabulary, second);
        if (parts.empty() || rest.empty())
            return Tokens{};
        parts.insert(parts.end(), rest.begin(), rest.end());
        return parts;
    };
    if (word.ends_with("n't"))
        return split_at(word.size() - 3, "not");
    Tokens parts;
    if (apostrophe + 1 < word.size())
        parts = split_at(apostrophe + 1, word.substr(apostrophe + 1));
    if (parts.empty() && apostrophe > 0)
        parts = split_at(apostrophe, word.substr(apostrophe));
    return parts;
}

/// A typed word that no token stands for.
struct Unknown {
    std::size_t place;  ///< token, from 1
    std::string typed;
};

std::string quoted_unknown(const std::string& typed, const Tokens& vocabulary) {
    if (typed == "\t")  // these look like a space in a message of one line
        return "\"⇥\" (a tab)";
    if (typed == "\n" || typed == "\r")
        return "\"↵\" (a line break)";
    return quoted_with_hint(typed, vocabulary);
}

/// Names them all, each once, so that a person need not ask for one after the other.
[[noreturn]] void refuse(const Task& task, const Tokens& vocabulary, const std::vector<Unknown>& unknown) {
    std::string expected;
    if (vocabulary.size() <= 40) {
        expected = "one of ";
        for (const std::string& token : vocabulary)
            expected += token == " " ? "space " : token + " ";
        expected.pop_back();
    } else {
        expected = "one of the " + std::to_string(vocabulary.size()) + " words that it knows";
    }
    constexpr std::size_t most = 20;
    std::string places;
    Tokens got;
    for (const Unknown& each : std::span(unknown).first(std::min(unknown.size(), most))) {
        places += (places.empty() ? "" : ", ") + std::to_string(each.place);
        got.push_back(quoted_unknown(each.typed, vocabulary));
    }
    throw Error({.what = "read text for task " + task.id,
                 .where = (unknown.size() == 1 ? "token " : "tokens ") + places,
                 .expected = expected,
                 .got = list_with_others(got, unknown.size() - got.size())});
}

}  // namespace

Tokens tokens_of(const Task& task, std::string_view text, Side side) {
    const Tokens& vocabulary = vocabulary_of(task, side);
    const bool in_words = writing_of(task, side) != Writing::characters;
    Tokens tokens;
    std::vector<Unknown> unknown;
    for (const std::string& typed :
         in_words ? split_words(lower_case(text)) : typed_characters(task, text, side)) {
        Tokens parts = known_parts(vocabulary, typed);
        if (parts.empty())
            parts = known_parts(vocabulary, lower_case(typed));
        if (parts.empty()) {
            if (std::ranges::find(unknown, typed, &Unknown::typed) == unknown.end())
                unknown.push_back({tokens.size() + 1, typed});
            parts = {typed};  // counted, for the places of those behind it
        }
        tokens.insert(tokens.end(), parts.begin(), parts.end());
    }
    if (!unknown.empty())
        refuse(task, vocabulary, unknown);
    if (tokens.empty())
        throw Error(
            {.what = "read text for task " + task.id, .where = {}, .expected = "text", .got = "empty text"});
    return tokens;
}

std::string text_of(const Task& task, std::span<const std::string> tokens, Side side) {
    const Writing writing = writing_of(task, side);
    std::string text;
    Index patch = 0;  // of a picture
    for (const std::string& token : tokens) {
        const bool begins_row = is_picture(task, side) && patch > 0 && patch % task.sight.grid.columns == 0;
        ++patch;
        if (begins_row)
            text += ' ';
        const bool attached = writing == Writing::characters || text.empty() || text.ends_with('\'') ||
                              token == "." || token == "," || token.starts_with('\'');
        if (!attached && token == "?")
            text += writing == Writing::french ? no_break_space : Text();
        else if (!attached)
            text += ' ';
        text += token;
    }
    return text;
}

}  // namespace headlight
