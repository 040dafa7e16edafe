#include "core/attention/options.h"
#include "core/catalog/oracles/oracle_parts.h"
#include "core/reference/linear_attention.h"

namespace headlight {

void add_recurrent_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::linear:
        setting.algorithm = reference::linear_attention;
        return;
    default:
        return;
    }
}

}  // namespace headlight
