#pragma once

#include "core/attention/operands.h"
#include "core/attention/recorder.h"

#include <functional>
#include <string>
#include <vector>

namespace headlight {

// A run as components see it. The kernels take every query's row of scores to weights and context; at the
// places named below they hand the row to the steps that components have added. Steps run on several threads
// at once, each on a row (or head) of its own, and allocate nothing that they could have taken when they were
// added.

/// One query's row, in place from scores to weights.
template <class Real>
struct ScoreRow {
    Index head = 0;
    Index query = 0;
    Real* values = nullptr;          ///< [size]
    Index size = 0;                  ///< keys from here on are forbidden and are not looked at
    const Real* previous = nullptr;  ///< [m], the weights of the query before; null for the first. Only when
                                     ///< Pipeline::ordered
};

/// One head, for an algorithm: its vectors, and where its context goes.
template <class Real>
struct HeadTask {
    Index head = 0;
    MatrixView<const Real> query;  ///< [n, d_k]
    MatrixView<const Real> key;    ///< [m, d_k]
    MatrixView<const Real> value;  ///< [m, d_v]
    MatrixView<Real> context;      ///< [n, d_v]
    /// [n, m], to be filled with the (implicit) weights; without data when nobody reads them.
    MatrixView<Real> weights;

    bool wants_weights() const { return weights.data; }
};

template <class Real>
struct Pipeline {
    Pipeline(const Plan& given_plan, Operands<Real>& given_operands)
        : plan(given_plan), operands(given_operands) {}

    const Plan& plan;
    Operands<Real>&
        operands;  ///< q, k, v and token vectors; the pointers stay, the numbers come with the run

    using VectorFunction = std::function<void(Real* vector, Index head, Index token)>;
    using RowFunction = std::function<void(const ScoreRow<Real>& row, const Recorder& record)>;
    using HeadFunction = std::function<void(Index head, const Recorder& record)>;

    /// On one head's query or key, in place, after projection. The result is recorded as `query_stage` and
    /// `key_stage`, "rotated_query".
    struct VectorStep {
        std::string query_stage, key_stage;
        VectorFunction on_query, on_key;
    };
    std::vector<VectorStep> vectors;

    /// Once per head, before the product q . k is made ready: fills Operands::product_query() and
    /// product_key() where the score compares other vectors than the position and the selection do.
    std::vector<HeadFunction> before_product;
    /// Once per head, before its rows: what rows need of all keys.
    std::vector<HeadFunction> prepare;

    RowFunction score;                     ///< writes the scores, in place of the product q . k
    std::vector<RowFunction> after_score;  ///< on the scores
    std::vector<RowFunction> after_scale;  ///< on the scaled scores, before the position bias
    std::vector<RowFunction> bias;         ///< adds to the scaled scores
    std::vector<RowFunction> select;       ///< on the masked scores: makes keys -infinity
    RowFunction normalize;  ///< scores to weights, in place of the softmax; -infinity is forbidden
    std::vector<RowFunction> after_normalize;  ///< on the weights
    RowFunction finish_row;  ///< the last to change a row of weights, also one that has none (GivenRows)

    /// Weights of one head from all its masked scores [n, m], in place; for normalisers that couple rows.
    std::function<void(Index head, Real* scores, const Recorder& record)> normalize_head;
    /// On the masked scores and on the weights of all heads, for queries [first, first + count): a row of
    /// `maps`, [h, count m], is what one head has for them.
    using MixFunction =
        std::function<void(MatrixView<Real> maps, Index first, Index count, const Recorder& record)>;
    MixFunction mix_scores, mix_weights;

    /// Adds to one head's context of one query, given its weights [m].
    std::vector<std::function<void(Index head, Index query, const Real* weights, Real* context)>>
        after_context;

    /// Changes one query's output [d_out], in place, after everything else.
    std::function<void(Index query, Real* output, const Recorder& record)> after_output;

    /// In place of everything from the scores to the context.
    std::function<void(const HeadTask<Real>& task, const Recorder& record)> algorithm;

    /// The rows of a head run one after another, from the first query on: ScoreComponent::is_ordered.
    bool ordered = false;

    bool has_row_steps() const {
        return score || !after_score.empty() || !after_scale.empty() || !bias.empty() || !select.empty() ||
               normalize || !after_normalize.empty() || finish_row || is_mapped();
    }
    /// All scores of a head, or of all heads, are there before the first weight.
    bool is_mapped() const { return normalize_head || mix_scores || mix_weights; }
};

}  // namespace headlight
