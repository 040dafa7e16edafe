#include "core/reference/positions.h"
#include "core/attention/options.h"
#include "core/catalog/oracles/oracle_parts.h"

namespace headlight {

void add_position_oracle(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.position.options;
    const auto heads = static_cast<std::size_t>(parts.spec.heads.count());
    switch (parts.spec.position.type) {
    case PositionType::alibi: {
        const double slope = option<double>(options, "slope");
        const std::string form = option<std::string>(options, "form");
        setting.bias = [=](const reference::Head& head) {
            const double m = slope > 0 ? slope : reference::alibi_slope(head.number, heads);
            return reference::alibi_bias(head.q.rows, head.k.rows, m, form);
        };
        return;
    }
    default:
        return;
    }
}

}  // namespace headlight
