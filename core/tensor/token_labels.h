#pragma once

#include <string>
#include <vector>

namespace headlight {

/// What the rows of a sequence are called in pictures, and which of them the vectors do not know.
struct TokenLabels {
    std::vector<std::string> query;
    std::vector<std::string> key;
    std::vector<bool> query_unknown;  ///< empty when every token is known
    std::vector<bool> key_unknown;
    bool operator==(const TokenLabels&) const = default;
};

}  // namespace headlight
