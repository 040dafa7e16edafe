#include "core/nn/operations.h"

#include "core/tensor/random.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace headlight::nn {

template <class Real>
Variable<Real> add(Tape<Real>& tape, Variable<Real> a, Variable<Real> b) {
    assert(a.rows == b.rows && a.columns == b.columns);
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    for (Index i = 0; i < y.size(); ++i)
        y.value[i] = a.value[i] + b.value[i];
    tape.pass_gradient(y, a);
    tape.pass_gradient(y, b);
    return y;
}

template <class Real>
Variable<Real> multiply(Tape<Real>& tape, Variable<Real> a, Variable<Real> b) {
    assert(a.rows == b.rows && a.columns == b.columns);
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    for (Index i = 0; i < y.size(); ++i)
        y.value[i] = a.value[i] * b.value[i];
    tape.on_backward([=](Tape<Real>& t) {
        if (a.has_gradient())
            t.arithmetic().add_products(y.gradient(), b.value, y.size(), a.gradient());
        if (b.has_gradient())
            t.arithmetic().add_products(y.gradient(), a.value, y.size(), b.gradient());
    });
    return y;
}

template <class Real>
Variable<Real> scale(Tape<Real>& tape, Variable<Real> a, Real factor) {
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    for (Index i = 0; i < y.size(); ++i)
        y.value[i] = factor * a.value[i];
    tape.on_backward([=](Tape<Real>& t) {
        if (a.has_gradient())
            t.arithmetic().add_scaled(factor, y.gradient(), y.size(), a.gradient());
    });
    return y;
}

template <class Real>
Variable<Real> add_row(Tape<Real>& tape, Variable<Real> a, Variable<Real> row) {
    assert(row.size() == a.columns);
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    for (Index r = 0; r < y.rows; ++r)
        for (Index c = 0; c < y.columns; ++c)
            y.row(r)[c] = a.row(r)[c] + row.value[c];
    tape.pass_gradient(y, a);
    tape.on_backward([=](Tape<Real>& t) {
        if (row.has_gradient())
            t.arithmetic().add_column_sums(y.gradient(), y.rows, y.columns, row.gradient());
    });
    return y;
}

template <class Real>
Variable<Real> activate(Tape<Real>& tape, Variable<Real> a, Activation activation) {
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    std::copy_n(a.value, a.size(), y.value);
    tape.kernels().activate(activation, y.value, y.size());
    if (a.has_gradient())
        tape.on_backward([=](Tape<Real>& t) {
            // Nobody reads the gradient of y after this.
            t.arithmetic().multiply_by_slopes(activation, y.value, y.size(), y.gradient());
            t.arithmetic().add(y.gradient(), y.size(), a.gradient());
        });
    return y;
}

template <class Real>
Variable<Real> gelu(Tape<Real>& tape, Variable<Real> a) {
    const auto distribution = [](Real x) {
        return Real(0.5) * std::erfc(-x * Real(std::numbers::sqrt2 / 2));
    };
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    for (Index i = 0; i < y.size(); ++i)
        y.value[i] = a.value[i] * distribution(a.value[i]);
    tape.on_backward([=](Tape<Real>&) {
        constexpr Real height = Real(std::numbers::inv_sqrtpi / std::numbers::sqrt2);
        Real* grad_a = a.gradient();
        const Real* grad_y = y.gradient();
        for (Index i = 0; grad_a && i < y.size(); ++i) {
            const Real x = a.value[i];
            grad_a[i] += grad_y[i] * (distribution(x) + x * height * std::exp(-x * x / 2));
        }
    });
    return y;
}

template <class Real>
Variable<Real> dropout(Tape<Real>& tape, Variable<Real> a, double probability, std::uint64_t stream) {
    if (probability <= 0)
        return a;
    const Variable<Real> kept = tape.constant(a.rows, a.columns);
    for (Index i = 0; i < kept.size(); ++i)
        kept.value[i] = uniform(substream(stream, static_cast<std::uint64_t>(i))) < probability
                            ? Real(0)
                            : static_cast<Real>(1 / (1 - probability));
    return multiply(tape, a, kept);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> add(Tape<Real>&, Variable<Real>, Variable<Real>);                                \
    template Variable<Real> multiply(Tape<Real>&, Variable<Real>, Variable<Real>);                           \
    template Variable<Real> scale(Tape<Real>&, Variable<Real>, Real);                                        \
    template Variable<Real> add_row(Tape<Real>&, Variable<Real>, Variable<Real>);                            \
    template Variable<Real> activate(Tape<Real>&, Variable<Real>, Activation);                               \
    template Variable<Real> gelu(Tape<Real>&, Variable<Real>);                                               \
    template Variable<Real> dropout(Tape<Real>&, Variable<Real>, double, std::uint64_t);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
