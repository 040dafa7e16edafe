#include "core/nn/operations.h"

#include "core/attention/random.h"

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
    tape.on_backward([=](Tape<Real>&) {
        for (const Variable<Real>& each : {a, b})
            for (Index i = 0; each.gradient && i < y.size(); ++i)
                each.gradient[i] += y.gradient[i];
    });
    return y;
}

template <class Real>
Variable<Real> multiply(Tape<Real>& tape, Variable<Real> a, Variable<Real> b) {
    assert(a.rows == b.rows && a.columns == b.columns);
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    for (Index i = 0; i < y.size(); ++i)
        y.value[i] = a.value[i] * b.value[i];
    tape.on_backward([=](Tape<Real>&) {
        for (Index i = 0; a.gradient && i < y.size(); ++i)
            a.gradient[i] += y.gradient[i] * b.value[i];
        for (Index i = 0; b.gradient && i < y.size(); ++i)
            b.gradient[i] += y.gradient[i] * a.value[i];
    });
    return y;
}

template <class Real>
Variable<Real> scale(Tape<Real>& tape, Variable<Real> a, Real factor) {
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    for (Index i = 0; i < y.size(); ++i)
        y.value[i] = factor * a.value[i];
    tape.on_backward([=](Tape<Real>&) {
        for (Index i = 0; a.gradient && i < y.size(); ++i)
            a.gradient[i] += factor * y.gradient[i];
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
    tape.on_backward([=](Tape<Real>&) {
        for (Index i = 0; a.gradient && i < y.size(); ++i)
            a.gradient[i] += y.gradient[i];
        for (Index r = 0; row.gradient && r < y.rows; ++r)
            for (Index c = 0; c < y.columns; ++c)
                row.gradient[c] += y.gradient_row(r)[c];
    });
    return y;
}

template <class Real>
Variable<Real> multiply_row(Tape<Real>& tape, Variable<Real> a, Variable<Real> row) {
    assert(row.size() == a.columns);
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    for (Index r = 0; r < y.rows; ++r)
        for (Index c = 0; c < y.columns; ++c)
            y.row(r)[c] = a.row(r)[c] * row.value[c];
    tape.on_backward([=](Tape<Real>&) {
        for (Index r = 0; r < y.rows; ++r) {
            for (Index c = 0; a.gradient && c < y.columns; ++c)
                a.gradient_row(r)[c] += y.gradient_row(r)[c] * row.value[c];
            for (Index c = 0; row.gradient && c < y.columns; ++c)
                row.gradient[c] += y.gradient_row(r)[c] * a.row(r)[c];
        }
    });
    return y;
}

namespace {

/// The derivative of an activation at a place whose value is known.
template <class Real>
Real slope(Activation activation, Real value) {
    switch (activation) {
    case Activation::tanh:
        return 1 - value * value;
    case Activation::sigmoid:
        return value * (1 - value);
    case Activation::relu:
        return value > 0 ? Real(1) : Real(0);
    case Activation::identity:
        return 1;
    }
    return 0;
}

}  // namespace

template <class Real>
Variable<Real> activate(Tape<Real>& tape, Variable<Real> a, Activation activation) {
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    std::copy_n(a.value, a.size(), y.value);
    tape.kernels().activate(activation, y.value, y.size());
    tape.on_backward([=](Tape<Real>&) {
        for (Index i = 0; a.gradient && i < y.size(); ++i)
            a.gradient[i] += y.gradient[i] * slope(activation, y.value[i]);
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
        for (Index i = 0; a.gradient && i < y.size(); ++i) {
            const Real x = a.value[i];
            a.gradient[i] += y.gradient[i] * (distribution(x) + x * height * std::exp(-x * x / 2));
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
    template Variable<Real> multiply_row(Tape<Real>&, Variable<Real>, Variable<Real>);                       \
    template Variable<Real> activate(Tape<Real>&, Variable<Real>, Activation);                               \
    template Variable<Real> gelu(Tape<Real>&, Variable<Real>);                                               \
    template Variable<Real> dropout(Tape<Real>&, Variable<Real>, double, std::uint64_t);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
