#include "core/analysis/token_units.h"

#include "core/map/site_name.h"
#include "core/tensor/error.h"
#include "core/text/bare_token.h"
#include "core/text/delimiter.h"
#include "core/text/token_text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace headlight {
namespace {

// Below, a token is the bytes that it stands for, and may have a part of a character
// (core/text/token_text.h).

constexpr std::string_view word_piece = "##";

/// How the tokenizer of a text marks where words begin.
enum class Marking { none, continues, begins, ends };

bool begins_with_space(std::string_view token) { return token.starts_with(' ') || token.starts_with('\n'); }
bool ends_with_space(std::string_view token) { return token.size() > 1 && token.ends_with(' '); }

Marking marking_of(const std::vector<std::string>& tokens) {
    const auto any = [&](const auto& is_so) { return std::ranges::any_of(tokens, is_so); };
    if (any([](const std::string& token) { return token.size() > 2 && token.starts_with(word_piece); }))
        return Marking::continues;
    if (any([](const std::string& token) { return token.size() > 1 && begins_with_space(token); }))
        return Marking::begins;
    if (any(ends_with_space))
        return Marking::ends;
    return Marking::none;
}

bool is_newline(std::string_view token) { return token.find('\n') != std::string_view::npos; }

/// "'", "’" and "-" inside a word do not end it: don't, well-known.
bool joins(std::string_view token) { return token == "'" || token == "’" || token == "-" || token == "'t"; }

bool begins_word(const std::vector<std::string>& tokens, std::size_t at, Marking marking) {
    const std::string &token = tokens[at], &before = tokens[at - 1];
    const bool is_marked = marking == Marking::none || begins_with_space(token) ||
                           (marking == Marking::continues && !token.starts_with(word_piece)) ||
                           (marking == Marking::ends && ends_with_space(before));
    if (is_marked || marking == Marking::continues)
        return is_marked;
    const auto is_alone = [](const std::string& piece) { return is_delimiter(piece) && !joins(piece); };
    return is_alone(token) || is_alone(before);
}

/// "[SEP]", "</s>": of a model, and not of a person.
bool is_special(std::string_view token) {
    return token.size() > 2 && (token.front() == '[' || token.front() == '<') && is_delimiter(token);
}

bool ends_sentence(std::string_view token) {
    if (is_special(token))
        return true;
    constexpr std::array marks{".", "!", "?", "…", "...", "。", "！", "？", "؟", "।"};
    const std::string text = bare_token(token);
    return std::ranges::any_of(marks, [&](const char* mark) { return text == mark; });
}

bool closes(std::string_view token) {
    constexpr std::array marks{"\"", "'", "”", "’", ")", "]", "»", "」"};
    return !begins_with_space(token) &&
           std::ranges::any_of(marks, [&](const char* mark) { return bare_token(token) == mark; });
}

bool begins_sentence(const std::vector<std::string>& tokens, std::size_t at) {
    if (ends_sentence(tokens[at]) || closes(tokens[at]))
        return false;
    std::size_t end = at;
    while (end > 0 && closes(tokens[end - 1]))
        --end;
    return end > 0 && ends_sentence(tokens[end - 1]);
}

bool opens_turn(std::string_view token) {
    constexpr std::array openings{
        "<|im_start|>", "<start_of_turn>", "<|start_header_id|>", "<|start|>", "[INST]",
        "<|user|>",     "<|assistant|>",   "<|system|>",          "<|turn>",   "<|START_OF_TURN_TOKEN|>"};
    return std::ranges::any_of(openings, [&](const char* opening) { return token == opening; });
}

/// At the start of a line at most three tokens, then a colon: "User:".
bool names_speaker(const std::vector<std::string>& tokens, std::size_t at) {
    constexpr std::size_t longest_name = 3;
    if (at > 0 && !is_newline(tokens[at - 1]))
        return false;
    for (std::size_t next = at; next < std::min(tokens.size(), at + longest_name + 1); ++next) {
        const std::string text = bare_token(tokens[next]);
        if (next > at && text == ":")
            return true;
        if (text.empty() || is_delimiter(text) || is_newline(tokens[next]))
            return false;
        if (text.size() > 1 && text.ends_with(':'))
            return true;
    }
    return false;
}

template <class Begins>
std::vector<TokenSpan> cut(std::size_t tokens, const Begins& begins) {
    std::vector<TokenSpan> units;
    for (std::size_t at = 0; at < tokens; ++at) {
        if (units.empty() || begins(at))
            units.push_back({static_cast<Index>(at), 0});
        ++units.back().count;
    }
    return units;
}

/// The first characters of a text, whole ones.
std::string cut_off(std::string text, std::size_t most) {
    if (text.size() <= most)
        return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;
    return text.substr(0, most) + "…";
}

/// What a unit is called: the text of its tokens put together, a long one cut off.
std::string label_of(const std::vector<std::string>& tokens, const TokenSpan& span, TokenUnit unit,
                     Marking marking) {
    const auto first = static_cast<std::size_t>(span.first),
               end = first + static_cast<std::size_t>(span.count);
    if (unit == TokenUnit::word && span.count == 1 && bare_token(tokens[first]).empty())
        return readable_bytes(tokens[first]);
    constexpr std::size_t longest_label = 32;
    std::string label;
    for (std::size_t at = first; at < end && label.size() <= longest_label; ++at) {
        const std::string piece = bare_token(tokens[at]);
        const bool is_apart = !label.empty() && !piece.empty() && begins_word(tokens, at, marking) &&
                              !(is_delimiter(piece) && !is_special(piece));
        label += (is_apart ? " " : "") + piece;
    }
    return cut_off(readable_bytes(label), longest_label);
}

/// Returns the labels of an axis that has names.
std::vector<std::string> labels_of(const std::vector<std::string>& tokens,
                                   const std::vector<TokenSpan>& units, TokenUnit unit) {
    const Marking marking = marking_of(tokens);
    std::vector<std::string> labels;
    labels.reserve(units.size());
    for (const TokenSpan& span : units)
        labels.push_back(label_of(tokens, span, unit, marking));
    return labels;
}

std::vector<TokenSpan> single_tokens(Index count) {
    return cut(static_cast<std::size_t>(count), [](std::size_t) { return true; });
}

/// The units of a text, one after another; every token is in one. Punctuation and special tokens are words of
/// their own.
std::vector<TokenSpan> spans_of(const std::vector<std::string>& tokens, TokenUnit unit) {
    switch (unit) {
    case TokenUnit::token:
        break;
    case TokenUnit::word:
        return cut(tokens.size(), [&, marking = marking_of(tokens)](std::size_t at) {
            return begins_word(tokens, at, marking);
        });
    case TokenUnit::sentence:
        return cut(tokens.size(), [&](std::size_t at) { return begins_sentence(tokens, at); });
    case TokenUnit::line:
        return cut(tokens.size(), [&](std::size_t at) { return is_newline(tokens[at - 1]); });
    case TokenUnit::turn:
        return cut(tokens.size(),
                   [&](std::size_t at) { return opens_turn(tokens[at]) || names_speaker(tokens, at); });
    }
    return single_tokens(std::ssize(tokens));
}

}  // namespace

template <>
std::span<const Word<TokenUnit>> words() {
    static constexpr Word<TokenUnit> list[] = {
        {TokenUnit::token, "tokens", "as the model reads them"},
        {TokenUnit::word, "words", "the pieces of a word together"},
        {TokenUnit::sentence, "sentences", "up to a full stop, a question or an exclamation mark"},
        {TokenUnit::line, "lines", "up to the end of a line"},
        {TokenUnit::turn, "turns", "what each speaker of a dialogue says"}};
    return list;
}

LabelledMaps in_units(LabelledMaps maps, TokenUnit unit, TokenSpelling spelling) {
    if (unit == TokenUnit::token) {
        maps.tokens = spelled(std::move(maps.tokens), spelling);
        return maps;
    }
    const Index queries = maps.maps->extents().queries, keys = maps.maps->extents().keys;
    TokenLabels& tokens = maps.tokens;
    if (tokens.query.empty() && tokens.key.empty())
        throw Error({"join tokens", "units", "tokens with names, as the JSON beside a capture has them",
                     "numbered ones"});
    if (!maps.maps->left_out().empty())
        throw Error({"join tokens", "units", "whole rows, whose weights can be summed", "sparse rows"});
    const bool is_one_text = tokens.key.empty() && queries == keys;
    tokens.query = token_bytes(tokens.query);
    tokens.key = token_bytes(tokens.key);
    const auto query_units = tokens.query.empty() ? single_tokens(queries) : spans_of(tokens.query, unit);
    const auto key_units = is_one_text          ? query_units
                           : tokens.key.empty() ? single_tokens(keys)
                                                : spans_of(tokens.key, unit);
    const Index first_place = first_query_place(maps, 0);
    maps.first_place = std::ranges::count_if(
        key_units, [&](const TokenSpan& each) { return each.first + each.count <= first_place; });
    TokenLabels labels;
    if (!tokens.query.empty())
        labels.query = labels_of(tokens.query, query_units, unit);
    if (!tokens.key.empty())
        labels.key = labels_of(tokens.key, key_units, unit);
    maps.maps = maps_of_words(std::move(maps.maps), query_units, key_units);
    maps.values.reset();  // what a word gives is not the sum of what its tokens would give
    tokens = std::move(labels);
    return maps;
}

std::vector<LabelledMaps> in_units(std::vector<LabelledMaps> maps, TokenUnit unit, TokenSpelling spelling) {
    for (LabelledMaps& each : maps)
        each = in_units(std::move(each), unit, spelling);
    return maps;
}

}  // namespace headlight
