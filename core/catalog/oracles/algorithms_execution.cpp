#include "core/attention/options.h"
#include "core/catalog/oracles/oracle_parts.h"

namespace headlight {

void add_execution_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    default:
        (void)setting;
        return;
    }
}

}  // namespace headlight
