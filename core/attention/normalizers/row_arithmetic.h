#pragma once

#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"
#include "core/attention/normalizers/rows.h"
#include "core/attention/pipeline.h"

namespace headlight {

// What the normalisers share beside their arithmetic (rows.h): how a row is recorded and explained.

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

/// How a forbidden key's weight is explained.
inline constexpr const char* forbidden_key = "0, for the mask forbids this key";

/// "1.2", or "(1.2 / 0.5)" where the temperature divides it.
inline Arithmetic score_over_temperature(const ExplainedCell& cell) {
    const double temperature = cell.plan.spec.normalizer.temperature;
    const Arithmetic score = cell.shown("masked_scores");
    return temperature == 1 ? score : "(" + score + " / " + written(temperature) + ")";
}

/// The score of a key of the cell's row over the temperature.
inline double tempered_score(const ExplainedCell& cell, Index query, Index key) {
    return cell.at("masked_scores", cell.head, query, key) / cell.plan.spec.normalizer.temperature;
}

inline Arithmetic share_of_row_sum(const ExplainedCell& cell) {
    return cell.shown("exponentials") + " / " + written(cell.of_row("row_sum"));
}

/// What the stages of softmax_row() mean; empty for other stages. `logit` is what is exponentiated.
inline Arithmetic explain_softmax(const ExplainedCell& cell, std::string_view stage,
                                  const Arithmetic& logit) {
    if (stage == "row_maximum")
        return "the largest number that takes part in the softmax";
    if (stage == "row_sum")
        return "the sum of all exponentials that take part in the softmax";
    if (stage == "exponentials" && !cell.counts(cell.column))
        return forbidden_key;
    if (stage == "exponentials")
        return "exp(" + plus(logit, -cell.of_row("row_maximum")) + ")";
    return {};
}

}  // namespace headlight
