#pragma once

#include "core/attention/pipeline.h"
#include "core/kernels/kernels.h"
#include "core/tensor/interruption.h"

namespace headlight {

/// The steps of a pipeline, as the kernels call them for the rows of one head.
template <class Real>
class HeadHooks final : public kernels::RowHooks<Real> {
public:
    HeadHooks(const Pipeline<Real>& pipeline, const Recorder& record, Index head, const Real* weights)
        : pipeline_(pipeline), record_(record), head_(head), weights_(weights) {}

    bool writes_scores() const override { return bool(pipeline_.score); }
    bool selects() const override { return !pipeline_.select.empty(); }
    bool normalizes() const override { return bool(pipeline_.normalize); }
    void write_scores(Index query, Real* row, Index size) const override {
        pipeline_.score(place(query, row, size), record_);
    }
    void after_score(Index query, Real* row, Index size) const override {
        Interruption::check();
        run(pipeline_.after_score, query, row, size);
    }
    void after_scale(Index query, Real* row, Index size) const override {
        run(pipeline_.after_scale, query, row, size);
    }
    void add_bias(Index query, Real* row, Index size) const override {
        run(pipeline_.bias, query, row, size);
    }
    void select(Index query, Real* row, Index size) const override {
        run(pipeline_.select, query, row, size);
    }
    void normalize(Index query, Real* row, Index size) const override {
        pipeline_.normalize(place(query, row, size), record_);
    }
    void after_normalize(Index query, Real* row, Index size) const override {
        run(pipeline_.after_normalize, query, row, size);
    }
    void finish_row(Index query, Real* row, Index size) const override {
        if (pipeline_.finish_row)
            pipeline_.finish_row(place(query, row, size), record_);
    }

private:
    ScoreRow<Real> place(Index query, Real* row, Index size) const {
        const bool has_previous = pipeline_.ordered && query > 0;
        return {head_, query, row, size,
                has_previous ? weights_ + (query - 1) * pipeline_.plan.keys : nullptr};
    }
    void run(const std::vector<typename Pipeline<Real>::RowFunction>& steps, Index query, Real* row,
             Index size) const {
        for (const auto& step : steps)
            step(place(query, row, size), record_);
    }

    const Pipeline<Real>& pipeline_;
    const Recorder& record_;
    Index head_;
    const Real* weights_;  ///< [n, m] of the head, when its rows are ordered
};

}  // namespace headlight
