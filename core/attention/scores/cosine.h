#pragma once

#include "core/attention/pipeline.h"
#include "core/attention/scores/explained_scores.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace headlight {

/// Takes the place of 0 as the length of a vector: its cosines are then 0.
inline constexpr double smallest_vector_length = 1e-12;

/// Makes q . k the cosine of q and k.
template <class Real>
void divide_by_lengths(const Plan& plan, Pipeline<Real>& pipeline) {
    const Index n = plan.queries, m = plan.keys;
    Real* queries = pipeline.operands.allocate(plan.heads * n);  // 1 / |q|
    Real* keys = pipeline.operands.allocate(plan.heads * m);     // 1 / |k|
    pipeline.prepare.push_back(
        [&plan, &operands = pipeline.operands, queries, keys, n, m](Index head, const Recorder&) {
            const auto invert = [](Rows<Real> from, Index tokens, Index first, Index width, Real* to) {
                for (Index token = 0; token < tokens; ++token) {
                    double squares = 0;
                    for (Index c = 0; c < width; ++c) {
                        const auto x = static_cast<double>(from.data[token * from.stride + first + c]);
                        squares += x * x;
                    }
                    to[token] = static_cast<Real>(1 / std::max(std::sqrt(squares), smallest_vector_length));
                }
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
inline Arithmetic cosine_text(const ExplainedCell& cell) {
    const auto q = compared(cell, false), k = compared(cell, true);
    std::vector<Factors> terms;
    for (std::size_t c = 0; c < q.size(); ++c)
        terms.push_back({q[c], k[c]});
    return "q · k / (|q| |k|) = (" + sum_of_products(terms) + ") / (" + written(length_of(q)) + " × " +
           written(length_of(k)) + ")";
}

}  // namespace headlight
