#include "core/attention/options.h"
#include "core/catalog/oracles/oracle_parts.h"

namespace headlight {

void add_score_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.score.type) {
    default:
        (void)setting;
        return;
    }
}

}  // namespace headlight
