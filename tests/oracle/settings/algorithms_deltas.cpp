#include "tests/oracle/settings.h"

namespace headlight {

Settings settings_of_algorithms_deltas() {
    return {
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "comba", "asks": "after"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 4},
            "mask": {"type": "causal"}, "algorithm": {"type": "comba", "key_heads": 2}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "delta_product", "forgets": false,
            "writes": 3}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "gated_delta_2", "overshoot": true}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "gated_kalma", "mixed": false, "ridge": 0.5}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "gated_oja"}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "longhorn", "erasure": "diagonal"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "memory_mixture"}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "memory_mixture", "active": 1,
            "own_keys": false, "shared": false}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "precond_delta", "gates": "feature"}})",
        R"({"mask": {"type": "padding", "key_lengths": 3}, "algorithm": {"type": "precond_delta"}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "rwkv7", "bonus": false, "scaled": true}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "algorithm": {"type": "titans", "momentum": false}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "titans", "momentum": false}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "titans", "forgets": false, "scaled": false}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "algorithm": {"type": "ttt", "batch": 2, "mean": true}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "ttt", "batch": 2, "norm": true}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "ttt", "batch": 2, "learner": "mlp",
            "units": 3}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "ttt", "batch": 2, "learner": "mlp",
            "mean": true, "units": 3}})"};
}

}  // namespace headlight
