#pragma once

#include "core/kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headlight {

// What is computed with one row of scores, whoever asks: a run, which records it, and training (core/nn).
// What a row records goes to `record`, a RowRecord or nowhere.

/// Takes the place of a RowRecord where nobody reads the stages.
struct Unrecorded {
    void number(const char*, double) const {}
    template <class Number>
    void row(const char*, const Number*, Index) const {}
};

/// What a row of scratch() holds: what is at work at the same time has rows of different names.
enum class ScratchRow {
    own,                  ///< of what turns one row of scores into weights
    beside,               ///< a second one of the same
    column_exponentials,  ///< of the row that column_log_sums() adds
    above,                ///< what columns sum to, beside their largest
    balanced,             ///< a row on its way to an equal sum
    weighed,              ///< one that has come to it
    seen,                 ///< which keys any query may look at
    stops,                ///< where the query before stopped
    chances,              ///< of stopping
    chunk,                ///< exponentials or sums in a chunk of keys
    shares,               ///< in all chunks
};

/// Room for `size` numbers, the same each time that this thread asks for this row. No memory is taken but
/// for the longest one.
template <class Real, ScratchRow name = ScratchRow::own>
Real* scratch(Index size) {
    thread_local std::vector<Real> numbers;
    if (std::ssize(numbers) < size)
        numbers.resize(static_cast<std::size_t>(size));
    return numbers.data();
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

/// Softmax in place of numbers that all count: nothing but minus infinity has overflowed, and becomes NaN.
template <class Real>
void softmax_of_all(Real* row, Index size, const kernels::Table<Real>& kernels, Real temperature) {
    divide(row, size, kernels.exponentials(row, size, kernels.maximum(row, size), temperature));
}

/// Softmax in place, exp((s - max) / t) / sum, recorded as the kernels record theirs. With a `sink`, a logit
/// that takes part in the sum and gets no value, its share is recorded as `unassigned`.
template <class Real, class Record>
void softmax_row(Real* row, Index size, const kernels::Table<Real>& kernels, const Record& record,
                 Real temperature, Real sink = forbidden<Real>) {
    const Real largest = std::max(kernels.maximum(row, size), sink * temperature);
    if (largest == forbidden<Real>) {
        std::fill(row, row + size, Real(0));
        return;
    }
    record.number("row_maximum", static_cast<double>(largest));
    const Real rest = sink == forbidden<Real> ? Real(0) : std::exp(sink - largest / temperature);
    const Real sum = kernels.exponentials(row, size, largest, temperature) + rest;
    record.row("exponentials", row, size);
    record.number("row_sum", static_cast<double>(sum));
    record.number("unassigned", static_cast<double>(rest / sum));
    for (Index key = 0; key < size; ++key)
        row[key] /= sum;
}

}  // namespace headlight
