#include "core/attention/words.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

/// Edit distance (Levenshtein), with case not counting: "W_Q" is a way to mean "W_q".
std::size_t distance(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string list_of(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "\"" : i + 1 == words.size() ? " or \"" : ", \"") + words[i] + '"';
    return text;
}

std::string nearest(const std::string& typed, const std::vector<std::string>& words) {
    constexpr std::size_t longest_word = 40;  // longer than any of ours: nothing to compare with
    if (typed.size() > longest_word)
        return {};
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, typed.size() / 3) + 1;
    for (const std::string& word : words) {
        const std::size_t d = distance(typed, word);
        if (d < best_distance) {
            best = word;
            best_distance = d;
        }
    }
    return best;
}

std::string quoted_with_hint(const std::string& typed, const std::vector<std::string>& words) {
    const std::string near = nearest(typed, words);
    return '"' + excerpt(typed) + '"' + (near.empty() ? "" : " (did you mean \"" + near + "\"?)");
}

}  // namespace headlight
