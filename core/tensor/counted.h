#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// A number with what it counts: "1 query", "2 queries", "0 layers". `many` is `one` with an s unless it is
/// given.
inline std::string counted(long long number, std::string_view one, std::string_view many = {}) {
    std::string text = std::to_string(number) + ' ';
    if (number == 1 || many.empty())
        return (text += one) += number == 1 ? "" : "s";
    return text += many;
}

}  // namespace headlight
