#include "app/cli/hidden_keys.h"

#include "core/figure/called_tokens.h"

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

}  // namespace

std::vector<std::vector<Index>> hidden_keys(const Arguments& arguments, std::span<const KeyAxis> axes) {
    std::vector<std::set<Index>> all(axes.size());
    const std::string asked = arguments.value("--hide").value_or("");
    if (arguments.has("--hide") && asked.empty())
        arguments.refuse("--hide", "keys by name or by number from 1, parted by commas", "an empty text");
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
            arguments.refuse("--hide", "keys by name, or by number from 1 to " + std::to_string(most), word);
    }
    std::vector<std::vector<Index>> rising;
    rising.reserve(all.size());
    for (const std::set<Index>& keys : all)
        rising.emplace_back(keys.begin(), keys.end());
    return rising;
}

}  // namespace headlight
