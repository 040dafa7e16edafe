#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

#include <cmath>

namespace headlight {

/// ln(x + √(x² + 1)), x = q · k.
void oracle_scores_flattened_dot(const OracleParts& parts, reference::Setting& setting) {
    const auto of_pair = [](const reference::Row& q, const reference::Row& k) {
        const Number x = reference::product(q, k), size = std::abs(x);
        return std::copysign(std::log(size + std::sqrt(size * size + 1)), x);
    };
    score_pairs(parts, of_pair, setting);
}

Settings settings_scores_flattened_dot() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "score": {"type": "flattened_dot"}})"};
}

}  // namespace headlight
