#include "core/tensor/words.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

namespace headlight {
namespace {

bool same_letter(char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(x) == lower(y);
}

/// People slip at the end of a word or swap two letters; a short word that begins otherwise is another word
/// ("gelu" is not a way to mean "relu").
bool may_be_a_slip_of(std::string_view typed, std::string_view word) {
    constexpr std::size_t short_word = 5;
    if (typed.size() > short_word || same_letter(typed[0], word[0]))
        return true;
    return typed.size() > 1 && word.size() > 1 && same_letter(typed[0], word[1]) &&
           same_letter(typed[1], word[0]);
}

/// How far apart the numbers of two words are that differ in nothing else, as "decoder.6" and "decoder.5";
/// nothing of other words.
std::optional<long> numbers_apart(std::string_view a, std::string_view b) {
    constexpr std::string_view digits = "0123456789";
    const auto [in_a, in_b] = std::ranges::mismatch(a, b);
    const auto begin = static_cast<std::size_t>(in_a - a.begin());
    // Whole numbers are compared: 12 and 13, not "2" and "3".
    const std::size_t before = a.substr(0, begin).find_last_not_of(digits);
    const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
    const auto number = [&](std::string_view& word) -> std::optional<long> {
        word.remove_prefix(first);
        long value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || word.front() == '-')
            return std::nullopt;
        word.remove_prefix(static_cast<std::size_t>(end - word.data()));
        return value;
    };
    const auto of_a = number(a), of_b = number(b);
    return first > 0 && of_a && of_b && a == b ? std::optional(std::abs(*of_a - *of_b)) : std::nullopt;
}

}  // namespace

std::size_t letters_apart(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {last[j] + 1, row[j - 1] + 1, last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1)});
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}

std::string list_in_words(const std::vector<std::string>& words, std::string_view conjunction) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0 && i + 1 == words.size())
            text.append(" ").append(conjunction).append(" ");
        else if (i > 0)
            text += ", ";
        text += words[i];
    }
    return text;
}

std::string list_with_others(const std::vector<std::string>& words, std::size_t others) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    if (others > 0)
        text += " and " + std::to_string(others) + (others == 1 ? " other" : " others");
    return text;
}

std::string list_of(const std::vector<std::string>& words) {
    std::vector<std::string> quoted;
    for (const std::string& word : words)
        quoted.push_back('"' + word + '"');
    return list_in_words(quoted, "or");
}

std::string nearest(const std::string& typed, const std::vector<std::string>& words) {
    constexpr std::size_t longest_word = 40;  // longer than any of ours: nothing to compare with
    if (typed.size() > longest_word)
        return {};
    std::string best;
    // A single letter that differs leaves nothing to compare.
    std::size_t best_distance = std::min(typed.size(), std::max<std::size_t>(1, typed.size() / 3) + 1);
    // Where only a number is wrong, another letter would be another place: the nearest number is meant.
    std::optional<long> apart;
    for (const std::string& word : words)
        if (const auto number = numbers_apart(typed, word); number && (!apart || *number < *apart)) {
            best = word;
            apart = number;
        }
    if (apart)
        return best;
    for (const std::string& word : words) {
        const std::size_t d = letters_apart(typed, word);
        if (d < best_distance && may_be_a_slip_of(typed, word)) {
            best = word;
            best_distance = d;
        }
    }
    return best;
}

std::string did_you_mean(const std::string& meant) {
    return meant.empty() ? "" : " (did you mean \"" + meant + "\"?)";
}

std::string quoted_with_hint(const std::string& typed, const std::vector<std::string>& words) {
    return '"' + excerpt(typed) + '"' + did_you_mean(nearest(typed, words));
}

}  // namespace headlight
