#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

namespace headlight {

/// w · [q; k; q ⊙ k] + b (Seo et al. 2017, equation of section 2.4).
void oracle_scores_trilinear(const OracleParts& parts, reference::Setting& setting) {
    const reference::Row w = parts.parameters.row("w");
    const Number b = parts.spec.score.bias ? parts.parameters.number("b") : 0;
    const auto of_pair = [w, b](const reference::Row& q, const reference::Row& k) {
        Number score = b;
        for (std::size_t c = 0; c < q.size(); ++c)
            score += w[c] * q[c] + w[q.size() + c] * k[c] + w[2 * q.size() + c] * q[c] * k[c];
        return score;
    };
    score_pairs(parts, of_pair, setting);
}

Settings settings_scores_trilinear() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "mask": {"type": "causal"}, "score": {"type": "trilinear", "bias": true}})"};
}

}  // namespace headlight
