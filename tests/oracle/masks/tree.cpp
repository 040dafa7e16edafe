#include "tests/oracle/own_oracles.h"
#include "tests/oracle/settings.h"

#include <algorithm>

namespace headlight {

/// A token and its ancestors (Miao et al. 2024). parents[t] < t, or -1 for none; tokens past the list
/// continue the one before.
reference::Allowed oracle_masks_tree(const Pattern& pattern, std::size_t queries, std::size_t keys) {
    const auto parents = pattern.list<long>("parents");
    const std::size_t tokens = std::max(queries, keys);
    reference::Allowed sees(tokens, std::vector<bool>(tokens, false));
    for (std::size_t t = 0; t < tokens; ++t) {
        const long parent = t < parents.size() ? parents[t] : static_cast<long>(t) - 1;
        if (parent >= 0)
            sees[t] = sees[static_cast<std::size_t>(parent)];  // what its parent sees
        sees[t][t] = true;
    }
    sees.resize(queries);
    for (std::vector<bool>& row : sees)
        row.resize(keys);
    return sees;
}

Settings settings_masks_tree() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "tree", "parents": [-1, 0, 0, 1]}})"};
}

}  // namespace headlight
