#include "core/reference/normalizers.h"
#include "core/attention/options.h"
#include "core/catalog/oracles/oracle_parts.h"

namespace headlight {
namespace {

/// A normaliser that works on each row alone.
auto by_row(const std::function<reference::Row(const reference::Row&, const std::vector<bool>&)>& row) {
    return [row](const reference::Head&, const reference::Matrix& scores, const reference::Allowed& allowed) {
        reference::Matrix weights(scores.rows, scores.cols);
        for (std::size_t i = 0; i < scores.rows; ++i) {
            const reference::Row result = row(scores.row(i), allowed[i]);
            for (std::size_t j = 0; j < scores.cols; ++j)
                weights(i, j) = result[j];
        }
        return weights;
    };
}

}  // namespace

void add_normalizer_oracle(const OracleParts& parts, reference::Setting& setting) {
    const double temperature = parts.spec.normalizer.temperature;
    switch (parts.spec.normalizer.type) {
    case NormalizerType::sparsemax:
        setting.normalize = by_row([=](const reference::Row& scores, const std::vector<bool>& allowed) {
            return reference::sparsemax(scores, allowed, temperature);
        });
        return;
    default:
        return;
    }
}

}  // namespace headlight
