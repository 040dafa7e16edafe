#include "app/cli/hidden_keys.h"

#include "core/analysis/token_spelling.h"
#include "core/figure/called_tokens.h"
#include "core/text/token_pattern.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

namespace headlight {
namespace {

/// Every key that is called so, or the one that has this number.
std::set<Index> keys_called(const std::string& word, const KeyAxis& axis) {
    const CalledTokens called =
        tokens_called(word, axis.tokens->key.empty() ? axis.tokens->query : axis.tokens->key);
    std::set<Index> found(called.exact.begin(), called.exact.end());
    found.insert(called.bare.begin(), called.bare.end());
    const auto number = whole_number(word);
    if (found.empty() && number && *number >= 1 && *number <= axis.keys)
        found.insert(*number - 1);
    return found;
}

/// Says how words are asked for that a regular expression finds, where the word is no key.
std::string names_hint(const std::string& word, std::span<const KeyAxis> axes) {
    constexpr std::size_t most_names = 5;
    if (word.find_first_of("\\^$.|?*+()[]{}") == std::string::npos)
        return {};
    std::vector<std::string> found;
    try {
        const TokenPattern pattern(word);
        for (const KeyAxis& axis : axes) {
            const auto names = spelled(axis.tokens->key.empty() ? axis.tokens->query : axis.tokens->key,
                                       TokenSpelling::plain);
            for (std::size_t key = 0; key < names.size() && found.size() <= most_names; ++key) {
                // A name that an apostrophe or a comma would break in two is said as its number.
                const std::string name = names[key].find_first_of("',") == std::string::npos
                                             ? names[key]
                                             : std::to_string(key + 1);
                if (pattern.is_in(names[key]) && !std::ranges::count(found, name))
                    found.push_back(name);
            }
        }
    } catch (const Error&) {
        return {};
    }
    if (found.empty())
        return {};
    std::string asked;
    for (std::size_t i = 0; i < std::min(found.size(), most_names); ++i)
        asked += (i > 0 ? "," : "") + found[i];
    return "; a name stands for itself, it is no regular expression: --hide '" + asked +
           (found.size() > most_names ? ",…'" : "'");
}

}  // namespace

std::vector<std::vector<Index>> hidden_keys(const Arguments& arguments, std::span<const KeyAxis> axes) {
    std::vector<std::set<Index>> all(axes.size());
    const std::string asked = arguments.value("--hide").value_or("");
    if (arguments.has("--hide") && asked.empty())
        arguments.refuse("--hide", "keys by name or by number from 1, separated by commas", "an empty text");
    std::istringstream words(asked);
    for (std::string word; std::getline(words, word, ',');) {
        bool is_key = false;
        Index most = 0;
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const std::set<Index> found = keys_called(word, axes[axis]);
            all[axis].insert(found.begin(), found.end());
            is_key |= !found.empty();
            most = std::max(most, axes[axis].keys);
        }
        if (!is_key)
            arguments.refuse("--hide", "keys by name, or by number from 1 to " + std::to_string(most),
                             word + names_hint(word, axes));
    }
    std::vector<std::vector<Index>> rising;
    rising.reserve(all.size());
    for (const std::set<Index>& keys : all)
        rising.emplace_back(keys.begin(), keys.end());
    return rising;
}

}  // namespace headlight
