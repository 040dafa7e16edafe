#include "tests/oracle/settings.h"

namespace headlight {

Settings settings_of_algorithms_filters() {
    return {
        R"({"mask": {"type": "causal"}, "score": {"type": "cosine", "beta": 0},
            "algorithm": {"type": "attention_on_attention", "gates": "both", "units": 3}})",
        R"({"source": {"type": "cross"}, "projections": {"type": "learned"}, "heads": {"type": "multi",
            "heads": 2}, "algorithm": {"type": "attention_on_attention"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "algorithm": {"type": "attention_on_attention", "gates": "both", "units": 3}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 8},
            "mask": {"type": "causal"}, "algorithm": {"type": "attention_on_attention",
            "reads_query": false}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "algorithm": {"type": "autocorrelation", "factor": 2}})",
        R"({"heads": {"type": "multi", "heads": 8}, "algorithm": {"type": "autocorrelation", "factor": 3.0,
            "over": "features"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 4},
            "algorithm": {"type": "autocorrelation", "factor": 2.0}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "co_attention", "kind": "bidaf"}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "co_attention", "kind": "dcn"}})",
        R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 3},
            "score": {"type": "trilinear"}, "algorithm": {"type": "co_attention", "kind": "dcn"}})",
        R"({"source": {"type": "cross"}, "score": {"type": "dot"}, "algorithm": {"type": "co_attention",
            "kind": "esim"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "algorithm": {"type": "long_convolution", "filter": "network", "hidden": 3, "bands": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "algorithm": {"type": "long_convolution", "filter": "network", "order": 3, "hidden": 3,
            "bands": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "algorithm": {"type": "long_convolution", "filter": "matrix", "states": 2, "gates": false}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "long_convolution", "states": 2}})",
        R"({"mask": {"type": "padding", "key_lengths": 3}, "algorithm": {"type": "long_convolution",
            "bands": 1, "filter": "network", "gates": false}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "long_convolution", "bands": 2,
            "filter": "network", "hidden": 3, "order": 3}})",
        R"({"mask": {"type": "causal"}, "algorithm": {"type": "long_convolution", "filter": "matrix",
            "gates": false, "states": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "mask": {"type": "causal"}, "algorithm": {"type": "spatial_gating", "norm": false}})"};
}

}  // namespace headlight
