#include "tests/oracle/oracle_parts.h"

namespace headlight {

void add_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    add_recurrent_algorithm_oracle(parts, setting);
    add_delta_algorithm_oracle(parts, setting);
    add_execution_algorithm_oracle(parts, setting);
    add_image_algorithm_oracle(parts, setting);
    add_pair_algorithm_oracle(parts, setting);
    add_segment_algorithm_oracle(parts, setting);
    add_mixed_head_algorithm_oracle(parts, setting);
    add_pooling_algorithm_oracle(parts, setting);
    add_filter_algorithm_oracle(parts, setting);
    add_slot_algorithm_oracle(parts, setting);
    add_state_algorithm_oracle(parts, setting);
}

}  // namespace headlight
