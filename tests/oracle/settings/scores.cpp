#include "tests/oracle/settings.h"

namespace headlight {

Settings settings_of_scores() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 1},
            "mask": {"type": "causal"}, "mask_order": "before_scale", "score": {"type": "additive",
            "attention_dimension": 3}})",
        R"({"score": {"type": "additive", "activation": "relu", "bias": true}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
            "score": {"type": "bilinear_pooling", "attention_dimension": 3}})",
        R"({"source": {"type": "cross"}, "score": {"type": "bilinear_pooling", "activation": "relu"}})",
        R"({"source": {"type": "cross"}, "score": {"type": "cosine", "groups": 4}})",
        R"({"score": {"type": "cosine", "divided": "keys"}})",
        R"({"source": {"type": "cross"}, "heads": {"type": "multi", "heads": 2},
            "score": {"type": "dimension_scale"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "mask": {"type": "causal"}, "score": {"type": "gaussian_window", "form": "density",
            "bells": 2}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "score": {"type": "hyperbolic", "beta": 0.5}})",
        R"({"source": {"type": "cross"}, "score": {"type": "hyperbolic"}})"};
}

}  // namespace headlight
