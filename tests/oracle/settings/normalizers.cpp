#include "tests/oracle/settings.h"

namespace headlight {

Settings settings_of_normalizers() {
    return {
        R"({"mask": {"type": "causal"}, "normalizer": {"type": "adaptive_span", "ramp": 3, "span": -1.0}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "normalizer": {"type": "chain", "coupling": -20}})",
        R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 4},
            "score": {"type": "euclidean"}, "normalizer": {"type": "chain", "coupling": -20.0}})",
        R"({"position": {"type": "learned", "segments": [2, 1]}, "normalizer": {"type": "constrained"}})",
        R"({"normalizer": {"type": "constrained", "bounds": [60, 20], "nearest": "sparsemax"}})",
        R"({"mask": {"type": "causal"}, "normalizer": {"type": "constrained", "temperature": 0.5}})",
        R"({"normalizer": {"type": "dropout", "what": "pairs"}})",
        R"({"mask": {"type": "causal"}, "normalizer": {"type": "dropout", "what": "keys"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "position": {"type": "alibi"}, "mask": {"type": "causal"}, "normalizer": {"type": "dual_softmax",
            "temperature": 0.7}})",
        R"({"normalizer": {"type": "entmax", "alpha": 1.25}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "padding", "key_lengths": 3}, "normalizer": {"type": "forward",
            "temperature": 0.7}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "normalizer": {"type": "forward", "rule": "stepwise"}})",
        R"({"source": {"type": "cross"}, "normalizer": {"type": "forward", "temperature": 0.5}})",
        R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 3},
            "normalizer": {"type": "forward", "rule": "stepwise"}})",
        R"({"normalizer": {"type": "function_shares", "function": "stablemax"}})",
        R"({"mask": {"type": "causal"}, "normalizer": {"type": "function_shares", "function": "power",
            "power": "4"}})",
        R"({"mask": {"type": "causal"}, "normalizer": {"type": "fused", "which": "all"}})",
        R"({"heads": {"type": "multi", "heads": 2}, "mask": {"type": "causal"},
            "normalizer": {"type": "fused", "temperature": 0.5}})",
        R"({"score": {"type": "dot"}, "normalizer": {"type": "hard", "draws": 200, "mode": "sample"}})",
        R"({"source": {"type": "cross"}, "score": {"type": "gaussian_window", "bells": 2, "form": "density"},
            "normalizer": {"type": "none"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "normalizer": {"type": "prob_sparse", "active": 2}})",
        R"({"normalizer": {"type": "prob_sparse", "active": 2, "drawn": 3}})",
        R"({"mask": {"type": "causal"}, "normalizer": {"type": "row_norm", "by": "length"}})",
        R"({"normalizer": {"type": "row_norm", "by": "count"}})",
        R"({"normalizer": {"type": "row_norm", "by": "sum"}})",
        R"({"source": {"type": "cross"}, "projections": {"type": "learned"}, "heads": {"type": "multi",
            "heads": 2}, "normalizer": {"type": "sinkhorn", "dustbin": true, "iterations": 3}})",
        R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 3},
            "normalizer": {"type": "sinkhorn", "bin_score": 1.0, "dustbin": true, "iterations": 2,
            "temperature": 0.5}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "normalizer": {"type": "tree", "root": -20, "temperature": 0.7}})",
        R"({"source": {"type": "cross"}, "normalizer": {"type": "tree"}})"};
}

}  // namespace headlight
