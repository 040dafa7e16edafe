#include "core/nn/operations.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headlight::nn {

template <class Real>
Variable<Real> cross_entropy(Tape<Real>& tape, Variable<Real> logits, std::span<const Index> labels,
                             Real divisor, std::span<const Real> weights) {
    assert(static_cast<Index>(labels.size()) == logits.rows);
    assert(weights.empty() || weights.size() == labels.size());
    const kernels::Table<Real>& kernels = tape.kernels();
    const Variable<Real> loss = tape.variable(1, 1);
    // What the logits' gradient is for a loss gradient of 1: softmax minus one-hot, times the row's factor.
    const Variable<Real> slope = tape.constant(logits.rows, logits.columns);
    double total = 0;  // of thousands of rows: in double, so that float training sees no rounding here
    for (Index r = 0; r < logits.rows; ++r) {
        const Index label = labels[static_cast<std::size_t>(r)];
        Real* row = slope.row(r);
        if (label < 0) {
            std::fill_n(row, logits.columns, Real(0));
            continue;
        }
        assert(label < logits.columns);
        std::copy_n(logits.row(r), logits.columns, row);
        const Real largest = kernels.maximum(row, logits.columns);
        const Real powers = kernels.exponentials(row, logits.columns, largest, Real(1));
        const Real factor = (weights.empty() ? Real(1) : weights[static_cast<std::size_t>(r)]) / divisor;
        total += static_cast<double>(factor) * (std::log(powers) + largest - logits.row(r)[label]);
        for (Index c = 0; c < logits.columns; ++c)
            row[c] *= factor / powers;
        row[label] -= factor;
    }
    *loss.value = static_cast<Real>(total);
    tape.on_backward([=](Tape<Real>& t) {
        if (logits.has_gradient())
            t.arithmetic().add_scaled(*loss.gradient(), slope.value, slope.size(), logits.gradient());
    });
    return loss;
}

template <class Real>
Variable<Real> sum(Tape<Real>& tape, Variable<Real> a) {
    const Variable<Real> y = tape.variable(1, 1);
    *y.value = 0;
    for (Index i = 0; i < a.size(); ++i)
        *y.value += a.value[i];
    tape.on_backward([=](Tape<Real>&) {
        Real* grad_a = a.gradient();
        for (Index i = 0; grad_a && i < a.size(); ++i)
            grad_a[i] += *y.gradient();
    });
    return y;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> cross_entropy(Tape<Real>&, Variable<Real>, std::span<const Index>, Real,         \
                                          std::span<const Real>);                                            \
    template Variable<Real> sum(Tape<Real>&, Variable<Real>);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
