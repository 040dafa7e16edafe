#include "tests/oracle/settings.h"

namespace headlight {

Settings settings_of_heads() {
    return {R"({"source": {"type": "cross"}})",
            R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4,
            "kv_heads": 2}})",
            R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 1}})",
            R"({"projections": {"type": "learned"}, "score": {"type": "scaled_dot", "vector_norm": "layer",
            "softcap": 2}, "heads": {"type": "multi_query", "heads": 2, "gate": "headwise",
            "sharing": "key_value"}})",
            R"({"score": {"type": "scaled_dot", "vector_norm": "layer"}})",
            R"({"score": {"type": "scaled_dot", "vector_norm": "l2"}})"};
}

}  // namespace headlight
