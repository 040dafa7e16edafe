#include "tests/oracle/own_oracles.h"
#include "tests/oracle/settings.h"

namespace headlight {

/// From its own place a query walks back, n keys at a time.
reference::Allowed oracle_masks_every_nth(const Pattern& pattern, std::size_t queries, std::size_t keys) {
    reference::Allowed allowed(queries, std::vector<bool>(keys, false));
    const auto step = static_cast<long>(pattern.count("n"));
    for (std::size_t i = 0; i < queries; ++i)
        for (long j = static_cast<long>(i); j >= 0; j -= step)
            if (j < static_cast<long>(keys))
                allowed[i][static_cast<std::size_t>(j)] = true;
    return allowed;
}

Settings settings_masks_every_nth() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "every_nth", "n": 2}})"};
}

}  // namespace headlight
