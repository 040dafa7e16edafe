#include "tests/reference/hybrid_heads.h"

#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

#include <string>

namespace headlight {

/// Attention and the states of Mamba in one layer (Dong et al. 2025, section 2.1).
void oracle_algorithms_hybrid_heads(const OracleParts& parts, reference::Setting& setting) {
    const OracleParameters& given = parts.parameters;
    const Options& options = parts.spec.algorithm.options;
    const bool learns_mix = options.word("mix") == "learned";
    const reference::HybridHeads hybrid{
        given.matrix("W_state"),        given.matrix("W_state_write"),
        given.matrix("W_state_read"),   given.matrix("W_state_gate"),
        given.matrix("W_dt"),           given.row("b_dt"),
        given.matrix("A_log"),          given.row("g_attended"),
        given.row("g_state"),           learns_mix ? given.matrix("W_mix") : reference::Matrix(),
        options.word("norm") == "heads"};
    setting.change_contexts = [hybrid](const std::vector<reference::Head>& heads,
                                       std::vector<reference::HeadResult>& results) {
        reference::hybrid_heads(hybrid, heads, results);
    };
}

Settings settings_algorithms_hybrid_heads() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "causal"}, "algorithm": {"type": "hybrid_heads",
            "states": 2, "mix": "learned", "norm": "heads"}})",
        R"({"projections": {"type": "learned"}, "mask": {"type": "padding", "key_lengths": 3},
            "algorithm": {"type": "hybrid_heads", "states": 1}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "selection": {"type": "head_windows", "reaches": [2]},
            "algorithm": {"type": "hybrid_heads", "mix": "learned", "norm": "heads"}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "causal"}, "selection": {"type": "head_windows",
            "reaches": [2]}, "algorithm": {"type": "hybrid_heads", "states": 1}})"};
}

}  // namespace headlight
