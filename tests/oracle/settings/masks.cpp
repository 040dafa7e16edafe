#include "tests/oracle/settings.h"

namespace headlight {

Settings settings_of_masks() {
    return {
        R"({"projections": {"type": "learned", "bias": true}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}})",
        R"({"mask_order": "before_scale", "mask_value": -3.0, "mask": {"type": "causal"}})",
        R"({"mask_order": "before_scale", "score": {"type": "scaled_dot", "softcap": 2.0},
            "mask": {"type": "causal"}})",
        R"({"mask": {"type": "permutation", "order": [], "seed": 0, "stream": "query"}})",
        R"({"mask": {"type": "radial", "first": false, "frame": 3}})"};
}

}  // namespace headlight
