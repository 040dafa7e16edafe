#include "tests/reference/hybrid_heads.h"

#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"

#include <string>

namespace headlight {

/// Attention and the states of Mamba in one layer (Dong et al. 2025, section 2.1).
void oracle_algorithms_hybrid_heads(const OracleParts& parts, reference::Setting& setting) {
    const OracleParameters& given = parts.parameters;
    const Options& options = parts.spec.algorithm.options;
    const bool learns_mix = option<std::string>(options, "mix") == "learned";
    const reference::HybridHeads hybrid{given.matrix("W_state"),
                                        given.matrix("W_state_write"),
                                        given.matrix("W_state_read"),
                                        given.matrix("W_state_gate"),
                                        given.matrix("W_dt"),
                                        given.row("b_dt"),
                                        given.matrix("A_log"),
                                        given.row("g_attended"),
                                        given.row("g_state"),
                                        learns_mix ? given.matrix("W_mix") : reference::Matrix(),
                                        option<std::string>(options, "norm") == "heads"};
    setting.change_contexts = [hybrid](const std::vector<reference::Head>& heads,
                                       std::vector<reference::HeadResult>& results) {
        reference::hybrid_heads(hybrid, heads, results);
    };
}

}  // namespace headlight
