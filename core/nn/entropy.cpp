#include "core/nn/entropy.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headlight::nn {

template <class Real>
Variable<Real> entropy(Tape<Real>& tape, Variable<Real> scores, std::span<const Real> factors) {
    assert(static_cast<Index>(factors.size()) == scores.rows);
    const Variable<Real> total = tape.variable(1, 1);
    // What the scores' gradient is for a gradient of 1: -p (log p + H), times the row's factor.
    const Variable<Real> slope = tape.constant(scores.rows, scores.columns);
    double sum = 0;
    for (Index r = 0; r < scores.rows; ++r) {
        const Real factor = factors[static_cast<std::size_t>(r)];
        Real* row = slope.row(r);
        if (factor == 0) {
            std::fill_n(row, scores.columns, Real(0));
            continue;
        }
        std::copy_n(scores.row(r), scores.columns, row);
        const Real largest = tape.kernels().maximum(row, scores.columns);
        const Real powers = tape.kernels().exponentials(row, scores.columns, largest, Real(1));
        const auto log_p = [&](Index j) { return scores.row(r)[j] - largest - std::log(powers); };
        Real own = 0;
        for (Index j = 0; j < scores.columns; ++j)
            own -= row[j] > 0 ? row[j] / powers * log_p(j) : Real(0);
        for (Index j = 0; j < scores.columns; ++j)
            row[j] = row[j] > 0 ? -factor * row[j] / powers * (log_p(j) + own) : Real(0);
        sum += static_cast<double>(factor * own);
    }
    *total.value = static_cast<Real>(sum);
    tape.on_backward([=](Tape<Real>& t) {
        if (scores.has_gradient())
            t.arithmetic().add_scaled(*total.gradient(), slope.value, slope.size(), scores.gradient());
    });
    return total;
}

template Variable<float> entropy(Tape<float>&, Variable<float>, std::span<const float>);
template Variable<double> entropy(Tape<double>&, Variable<double>, std::span<const double>);

}  // namespace headlight::nn
