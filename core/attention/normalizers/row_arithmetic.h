#pragma once

#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"
#include "core/attention/journey.h"
#include "core/attention/kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headlight {

// What the normalisers share: the kernels' exponentials, places to compute in, and how a row is recorded.

/// Room for `size` numbers, the same each time that this thread asks for this place. No memory is taken but
/// for the longest row.
template <class Real, int place = 0>
Real* scratch(Index size) {
    thread_local std::vector<Real> numbers;
    if (std::ssize(numbers) < size)
        numbers.resize(static_cast<std::size_t>(size));
    return numbers.data();
}

template <class Real>
const kernels::Table<Real>& kernels_of(const Journey<Real>&) {
    return kernels::table<Real>(kernels::chosen_level());
}

template <class Real>
constexpr Real forbidden = -std::numeric_limits<Real>::infinity();

template <class Real>
Index count_allowed(const Real* scores, Index size) {
    Index count = 0;
    for (Index key = 0; key < size; ++key)
        count += scores[key] != forbidden<Real>;
    return count;
}

/// row / t; minus infinity stays.
template <class Real>
void divide(Real* row, Index size, Real temperature) {
    if (temperature != Real(1))
        for (Index key = 0; key < size; ++key)
            row[key] /= temperature;
}

/// 1 / (1 + e^-s) without overflow: e = e^-|s| is at most 1.
template <class Real>
void to_sigmoid(Real* row, Index size, const kernels::Table<Real>& kernels) {
    Real* powers = scratch<Real, 9>(size);
    for (Index key = 0; key < size; ++key)
        powers[key] = -std::abs(row[key]);
    kernels.exponentials(powers, size, Real(0), Real(1));
    for (Index key = 0; key < size; ++key)
        row[key] = (row[key] < 0 ? powers[key] : Real(1)) / (Real(1) + powers[key]);
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

/// Softmax in place, exp((s - max) / t) / sum, recorded as the kernels record theirs. With a `sink`, a logit
/// that takes part in the sum and gets no value, its share is recorded as `unassigned`.
template <class Real>
void soften(Real* row, Index size, const kernels::Table<Real>& kernels, const RowRecord<Real>& record,
            Real temperature, Real sink = forbidden<Real>) {
    const Real largest = std::max(kernels.maximum(row, size), sink * temperature);
    if (largest == forbidden<Real>) {
        std::fill(row, row + size, Real(0));
        return;
    }
    record.number("row_maximum", static_cast<double>(largest));
    const Real rest = std::exp(sink - largest / temperature);
    const Real sum = kernels.exponentials(row, size, largest, temperature) + rest;
    record.row("exponentials", row, size);
    record.number("row_sum", static_cast<double>(sum));
    record.number("unassigned", static_cast<double>(rest / sum));
    for (Index key = 0; key < size; ++key)
        row[key] /= sum;
}

inline void add_softmax_stages(StageList& list) {
    list.add_column("row_maximum");
    list.add_map("exponentials");
    list.add_column("row_sum");
}

/// How a forbidden key's weight is explained.
inline constexpr const char* forbidden_key = "0, for the mask forbids this key";

/// "1.2", or "(1.2 / 0.5)" where the temperature divides it.
inline std::string score_over_temperature(const ExplainedCell& cell) {
    const double temperature = cell.plan.spec.normalizer.temperature;
    const std::string score = cell.shown("masked_scores");
    return temperature == 1 ? score : "(" + score + " / " + format_number(temperature) + ")";
}

inline std::string share_of_row_sum(const ExplainedCell& cell) {
    return cell.shown("exponentials") + " / " + format_number(cell.of_row("row_sum"));
}

/// What the stages of soften() mean; empty for other stages. `logit` is what is exponentiated.
inline std::string explain_soften(const ExplainedCell& cell, std::string_view stage,
                                  const std::string& logit) {
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
