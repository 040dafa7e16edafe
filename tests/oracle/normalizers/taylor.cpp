#include "core/attention/options.h"
#include "tests/oracle/by_row.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

#include <string>

namespace headlight {
namespace {

/// The series of exp(s) up to s^degree / degree!, divided by the sum of the row.
reference::Row taylor_shares(const reference::Row& scores, const reference::Mask& allowed, Number temperature,
                             int degree) {
    reference::Row weights(scores.size(), Number(0));
    Number total = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        if (!allowed[j])
            continue;
        Number term = 1;
        weights[j] = 1;
        for (int power = 1; power <= degree; ++power)
            weights[j] += term *= scores[j] / temperature / power;
        total += weights[j];
    }
    for (Number& weight : weights)
        weight = total == 0 ? 0 : weight / total;
    return weights;
}

}  // namespace

void oracle_normalizers_taylor(const OracleParts& parts, reference::Setting& setting) {
    const Normalizer& normalizer = parts.spec.normalizer;
    setting.normalize =
        by_row(taylor_shares, normalizer.temperature, std::stoi(normalizer.options.word("degree")));
}

Settings settings_normalizers_taylor() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "normalizer": {"type": "taylor"}})"};
}

}  // namespace headlight
