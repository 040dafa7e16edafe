#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

#include <algorithm>
#include <limits>

namespace headlight {

void oracle_selections_upper_half(const OracleParts&, reference::Setting& setting) {
    setting.select = [](const reference::Head& head, const reference::Matrix& scores) {
        reference::Allowed kept = head.allowed;
        for (std::size_t i = 0; i < scores.rows; ++i) {
            Number largest = -std::numeric_limits<Number>::infinity(), smallest = -largest;
            for (std::size_t j = 0; j < scores.cols; ++j)
                if (head.allowed[i][j]) {
                    largest = std::max(largest, scores(i, j));
                    smallest = std::min(smallest, scores(i, j));
                }
            for (std::size_t j = 0; j < scores.cols; ++j)
                kept[i][j] = head.allowed[i][j] && scores(i, j) >= (largest + smallest) / 2;
        }
        return kept;
    };
}

Settings settings_selections_upper_half() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "selection": {"type": "upper_half"}})"};
}

}  // namespace headlight
