#include "tests/oracle/settings.h"

namespace headlight {

Settings settings_of_algorithms_segments() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "causal"},
            "algorithm": {"type": "dilated_segments", "segment": 2, "patterns": 3}})",
        R"({"heads": {"type": "multi", "heads": 1}, "mask": {"type": "causal"},
            "algorithm": {"type": "dilated_segments", "patterns": 3}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "gau"}})",
        R"({"heads": {"type": "multi", "heads": 2}, "mask": {"type": "causal"}, "algorithm": {"type": "gau",
            "length": 3}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "infini", "segment": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "algorithm": {"type": "infini", "segment": 2, "update": "linear"}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "infini", "segment": 3, "update": "linear"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "padding", "key_lengths": 3},
            "algorithm": {"type": "kernel_landmarks", "landmarks": 2}})",
        R"({"algorithm": {"type": "kernel_landmarks", "lambda": 0.5, "landmarks": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "causal"}, "algorithm": {"type": "landmark",
            "block": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "causal"}, "algorithm": {"type": "memorizing",
            "segment": 2, "neighbours": 1}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "position": {"type": "rope"}, "algorithm": {"type": "momentum_delta", "balanced": false}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "mask": {"type": "padding", "key_lengths": 3}, "algorithm": {"type": "momentum_delta",
            "momentum": false, "forgets": false}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "momentum_delta", "balanced": false}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "momentum_delta", "forgets": false,
            "momentum": false}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "selective_scan"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "selective_scan"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "mask": {"type": "padding", "key_lengths": 3}, "algorithm": {"type": "ufo"}})"};
}

}  // namespace headlight
