#pragma once

#include "core/attention/normalizers/rows.h"
#include "core/attention/pipeline.h"
#include "core/attention/stage_list.h"

namespace headlight {

// What the normalisers share beside their arithmetic (rows.h): how a row is recorded.

template <class Real>
const kernels::Table<Real>& kernels_of(const Pipeline<Real>&) {
    return kernels::table<Real>(kernels::chosen_level());
}

/// Where the numbers of one row go in the trace.
template <class Real>
class RowRecord {
public:
    RowRecord(const Recorder& record, const Plan& plan, Index head, Index query)
        : record_(record), keys_(plan.keys), row_(head * plan.queries + query) {}
    RowRecord(const Recorder& record, const Plan& plan, const ScoreRow<Real>& row)
        : RowRecord(record, plan, row.head, row.query) {}

    void number(const char* stage, double value) const { record_.write(stage, row_, &value, 1); }
    template <class Number>
    void row(const char* stage, const Number* values, Index size) const {
        record_.write(stage, row_ * keys_, values, size);
    }

private:
    const Recorder& record_;
    Index keys_;
    Index row_;
};

inline void add_softmax_stages(StageList& list) {
    list.add_column("row_maximum");
    list.add_map("exponentials");
    list.add_column("row_sum");
}

}  // namespace headlight
