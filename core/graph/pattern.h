#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace headlight {

/// A place in words that have some: "{0:whole}", "{column}".
struct PatternPlace {
    std::optional<std::size_t> operand = {};
    std::string_view word;  ///< how the operand is wanted, or what else stands there

    explicit PatternPlace(std::string_view inside) : word(inside) {
        if (inside.empty() || inside.front() < '0' || inside.front() > '9')
            return;
        operand = static_cast<std::size_t>(inside.front() - '0');
        word.remove_prefix(inside.size() > 1 ? 2 : 1);
    }
};

/// Calls `words(text)` and `place(PatternPlace)` for the parts of a pattern, one after another.
template <class Words, class Fill>
void walk_pattern(std::string_view pattern, const Words& words, const Fill& place) {
    while (!pattern.empty()) {
        const std::size_t open = pattern.find('{');
        if (open > 0)
            words(pattern.substr(0, open));
        if (open == pattern.npos)
            return;
        const std::size_t close = pattern.find('}', open);
        place(PatternPlace(pattern.substr(open + 1, close - open - 1)));
        pattern.remove_prefix(close + 1);
    }
}

}  // namespace headlight
