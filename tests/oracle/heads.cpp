#include "tests/oracle/oracle_parts.h"

#include "tests/reference/vector_norm.h"

namespace headlight {
namespace {

void add_norm(const OracleParts& parts, reference::Setting& setting) {
    const VectorNorm norm = parts.spec.score.vector_norm;
    if (norm == VectorNorm::none)
        return;
    const reference::Row g_q = parts.parameters.row("g_q"), g_k = parts.parameters.row("g_k");
    setting.change_vector.insert(setting.change_vector.begin(), [=](const reference::Row& vector, bool is_key,
                                                                    std::size_t, std::size_t) {
        if (norm == VectorNorm::l2)
            return reference::direction(vector);
        const reference::Row& gain = is_key ? g_k : g_q;
        return norm == VectorNorm::layer ? reference::layer_normalized(vector, gain)
                                         : reference::rms_normalized(vector, gain);
    });
}

}  // namespace

void add_head_oracle(const OracleParts& parts, reference::Setting& setting) {
    add_norm(parts, setting);
    if (parts.spec.heads.type == HeadsType::talking) {
        setting.mix_scores = parts.parameters.matrix("P_scores");
        setting.mix_weights = parts.parameters.matrix("P_weights");
    }
    if (parts.spec.heads.gate != Gate::none)
        setting.gate = reference::Linear{parts.parameters.matrix("W_gate"), parts.parameters.row("b_gate")};
}

}  // namespace headlight
