#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

#include <cmath>

namespace headlight {

/// The product of the sinusoids of the two places, of this width, over the head's 8 (h + 1) / H (Chi et al.
/// 2023, appendix E).
void oracle_positions_sandwich(const OracleParts& parts, reference::Setting& setting) {
    const Index width = parts.spec.position.options.count("width");
    setting.bias = [pairs = width / 2, heads = setting.heads](const reference::Head& head) {
        reference::Matrix bias(head.q.rows, head.k.rows);
        for (std::size_t i = 0; i < bias.rows; ++i)
            for (std::size_t j = 0; j < bias.cols; ++j) {
                for (Index pair = 0; pair < pairs; ++pair) {
                    const Number turn = std::pow(10000.0, -Number(pair) / Number(pairs));
                    bias(i, j) += std::sin(Number(i) * turn) * std::sin(Number(j) * turn) +
                                  std::cos(Number(i) * turn) * std::cos(Number(j) * turn);
                }
                bias(i, j) *= Number(heads) / (8.0 * Number(head.number + 1));
            }
        return bias;
    };
}

Settings settings_positions_sandwich() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "position": {"type": "sandwich"}})"};
}

}  // namespace headlight
