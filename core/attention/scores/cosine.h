#pragma once

#include "core/attention/pipeline.h"
#include "core/attention/scores/explained_scores.h"
#include "core/attention/vector_norm.h"

namespace headlight {

/// Makes q . k the cosine of q and k; that with a vector of zeros is 0.
template <class Real>
void divide_by_lengths(const Plan& plan, Pipeline<Real>& pipeline) {
    const Index n = plan.queries, m = plan.keys;
    Real* queries = pipeline.operands.allocate(plan.heads * n);  // 1 / |q|
    Real* keys = pipeline.operands.allocate(plan.heads * m);     // 1 / |k|
    pipeline.prepare.push_back(
        [&plan, &operands = pipeline.operands, queries, keys, n, m](Index head, const Recorder&) {
            const auto invert = [](Rows<Real> from, Index tokens, Index first, Index width, Real* to) {
                for (Index token = 0; token < tokens; ++token)
                    to[token] = static_cast<Real>(
                        1 / measure(from.data + token * from.stride + first, width, VectorNorm::l2).length);
            };
            const Index width = plan.head_key_width();
            invert(operands.compared_query(), n, head * width, width, queries + head * n);
            invert(operands.compared_key(), m, plan.kv_head(head) * width, width, keys + head * m);
        });
    pipeline.after_score.push_back([queries, keys, n, m](const ScoreRow<Real>& row, const Recorder&) {
        const Real of_query = queries[row.head * n + row.query];
        const Real* of_key = keys + row.head * m;
        for (Index key = 0; key < row.size; ++key)
            row.values[key] *= of_query * of_key[key];
    });
}

/// "q · k / (|q| |k|) = (0.1 × 0.2 + …) / (1.2 × 0.9)"
inline std::string cosine_text(const ExplainedCell& cell) {
    const auto q = compared(cell, false), k = compared(cell, true);
    std::vector<Factors> terms;
    for (std::size_t c = 0; c < q.size(); ++c)
        terms.push_back({q[c], k[c]});
    return "q · k / (|q| |k|) = (" + sum_of_products(terms) + ") / (" + format_number(length_of(q)) + " × " +
           format_number(length_of(k)) + ")";
}

}  // namespace headlight
