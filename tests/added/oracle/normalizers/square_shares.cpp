#include "tests/oracle/by_row.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

namespace headlight {
namespace {

reference::Row square_shares(const reference::Row& scores, const reference::Mask& allowed,
                             Number temperature) {
    reference::Row weights(scores.size(), Number(0));
    Number sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j]) {
            const Number s = scores[j] / temperature;
            weights[j] = 1 + s * s;
            sum += weights[j];
        }
    for (Number& weight : weights)
        weight = sum == 0 ? 0 : weight / sum;
    return weights;
}

}  // namespace

void oracle_normalizers_square_shares(const OracleParts& parts, reference::Setting& setting) {
    setting.normalize = by_row(square_shares, parts.spec.normalizer.temperature);
}

Settings settings_normalizers_square_shares() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "normalizer": {"type": "square_shares"}})"};
}

}  // namespace headlight
