#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

#include <cmath>

namespace headlight {

void oracle_positions_root_distance(const OracleParts& parts, reference::Setting& setting) {
    setting.bias = [slope = parts.spec.position.options.number("slope")](const reference::Head& head) {
        reference::Matrix bias(head.q.rows, head.k.rows);
        for (std::size_t i = 0; i < bias.rows; ++i)
            for (std::size_t j = 0; j < bias.cols; ++j)
                bias(i, j) = -slope * std::sqrt(std::abs(Number(i) - Number(j)));
        return bias;
    };
}

Settings settings_positions_root_distance() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "position": {"type": "root_distance"}})"};
}

}  // namespace headlight
