#include "tests/oracle/settings.h"

namespace headlight {

Settings settings_of_algorithms_slots() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "algorithm": {"type": "capsules", "rounds": 2, "types": 2}})",
        R"({"source": {"type": "cross"}, "algorithm": {"type": "capsules", "rounds": 1, "types": 1}})",
        R"({"source": {"type": "cross"}, "projections": {"type": "learned"},
            "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}, "mask": {"type": "padding",
            "key_lengths": 3}, "algorithm": {"type": "capsules", "types": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "causal"}, "algorithm": {"type": "dynamic_mask",
            "keep": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "algorithm": {"type": "energy_descent", "steps": 2, "patterns": 2}})",
        R"({"algorithm": {"type": "energy_descent", "steps": 1, "patterns": 0, "norm": false}})",
        R"({"algorithm": {"type": "energy_descent", "beta": 0.5, "norm": false, "patterns": 0}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "causal"}, "algorithm": {"type": "expert_choice",
            "chosen": 2, "first": true}})",
        R"({"heads": {"type": "multi", "heads": 4}, "mask": {"type": "padding", "key_lengths": 3},
            "algorithm": {"type": "expert_choice", "chosen": 2, "first": true}})",
        R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 2},
            "algorithm": {"type": "merged_sources"}})",
        R"({"source": {"type": "cross"}, "projections": {"type": "learned"},
            "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "algorithm": {"type": "merged_sources"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "algorithm": {"type": "product_keys", "halves": 3, "read": 5}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "algorithm": {"type": "token_merging", "merged": 1}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "token_parameters", "tokens": 3}})",
        R"({"algorithm": {"type": "token_parameters", "tokens": 2, "order": "gelu_first"}})",
        R"({"source": {"type": "cross"}, "algorithm": {"type": "token_parameters", "order": "gelu_first"}})"};
}

}  // namespace headlight
