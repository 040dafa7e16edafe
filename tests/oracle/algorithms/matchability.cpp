#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"

#include <cmath>

namespace headlight {

/// P_ij = σ_i σ_j A_ij with σ_i = sigmoid(Linear(x_i)), the same for both sequences (Lindenberger et al.
/// 2023).
void oracle_algorithms_matchability(const OracleParts& parts, reference::Setting& setting) {
    const auto partners = [W = parts.parameters.matrix("W_matchability"),
                           b = parts.parameters.row("b_matchability")](const reference::Matrix& tokens,
                                                                       std::size_t head) {
        reference::Row likely;
        for (std::size_t token = 0; token < tokens.rows; ++token) {
            Number logit = b[head];
            for (std::size_t c = 0; c < tokens.cols; ++c)
                logit += tokens(token, c) * W(c, head);
            likely.push_back(1 / (1 + std::exp(-logit)));
        }
        return likely;
    };
    setting.algorithm = [partners, weigh = reference::weighing_of(setting)](const reference::Head& head) {
        reference::Matrix scores(head.q.rows, head.k.rows);
        for (std::size_t i = 0; i < scores.rows; ++i)
            for (std::size_t j = 0; j < scores.cols; ++j)
                scores(i, j) = reference::product(head.q.row(i), head.k.row(j)) /
                               std::sqrt(static_cast<Number>(head.q.cols));
        const reference::Row asking = partners(head.x, head.number), asked = partners(head.y, head.number);
        reference::HeadResult result{weigh(head, scores, head.allowed),
                                     reference::Matrix(head.q.rows, head.v.cols)};
        for (std::size_t i = 0; i < scores.rows; ++i)
            for (std::size_t j = 0; j < scores.cols; ++j) {
                if (!head.allowed[i][j])
                    continue;
                result.weights(i, j) *= asking[i] * asked[j];
                for (std::size_t c = 0; c < head.v.cols; ++c)
                    result.context(i, c) += result.weights(i, j) * head.v(j, c);
            }
        return result;
    };
}

Settings settings_algorithms_matchability() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "padding", "key_lengths": 3},
            "normalizer": {"type": "dual_softmax"}, "algorithm": {"type": "matchability"}})",
        R"({"source": {"type": "cross"}, "projections": {"type": "learned", "bias": true},
            "heads": {"type": "multi", "heads": 2}, "normalizer": {"type": "dual_softmax"},
            "algorithm": {"type": "matchability"}})",
        R"({"source": {"type": "cross"}, "mask": {"type": "causal"}, "algorithm": {"type": "matchability"}})"};
}

}  // namespace headlight
