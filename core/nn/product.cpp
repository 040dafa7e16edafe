#include "core/nn/operations.h"

#include <cassert>

namespace headlight::nn {

namespace {

template <class Real>
void multiply_into(Tape<Real>& tape, Variable<Real> x, Weight matrix, const Real* bias, bool adds,
                   Variable<Real> to) {
    assert(x.columns == matrix.rows);
    tape.kernels().multiply({.left = x.value,
                             .left_stride = x.columns,
                             .right = tape.packed(matrix),
                             .bias = bias,
                             .adds = adds,
                             .out = to.value,
                             .out_stride = to.columns,
                             .rows = x.rows,
                             .depth = x.columns,
                             .columns = to.columns});
    if (!tape.differentiates())
        return;
    tape.collect(matrix, x.value, to.gradient, x.rows);
    tape.on_backward([=](Tape<Real>& t) {
        if (x.gradient)
            t.kernels().multiply({.left = to.gradient,
                                  .left_stride = to.columns,
                                  .right = t.packed(matrix, true),
                                  .adds = true,
                                  .out = x.gradient,
                                  .out_stride = x.columns,
                                  .rows = x.rows,
                                  .depth = to.columns,
                                  .columns = x.columns});
        t.add_collected(matrix);
    });
}

}  // namespace

template <class Real>
Variable<Real> product(Tape<Real>& tape, Variable<Real> x, Weight matrix) {
    const Variable<Real> y = tape.variable(x.rows, matrix.columns);
    multiply_into(tape, x, matrix, static_cast<const Real*>(nullptr), false, y);
    return y;
}

template <class Real>
Variable<Real> affine(Tape<Real>& tape, Variable<Real> x, Weight matrix, Weight bias, Activation activation) {
    const Variable<Real> y = tape.variable(x.rows, matrix.columns), b = tape.weight(bias);
    assert(bias.size() == matrix.columns);
    multiply_into(tape, x, matrix, b.value, false, y);
    tape.on_backward(
        [=](Tape<Real>& t) { t.arithmetic().add_column_sums(y.gradient, y.rows, y.columns, b.gradient); });
    if (activation != Activation::identity) {
        tape.kernels().activate(activation, y.value, y.size());
        // In place: the sum itself is asked for by nobody else.
        tape.on_backward([=](Tape<Real>& t) {
            t.arithmetic().multiply_by_slopes(activation, y.value, y.size(), y.gradient);
        });
    }
    return y;
}

template <class Real>
Variable<Real> add_product(Tape<Real>& tape, Variable<Real> sum, Variable<Real> x, Weight matrix) {
    const Variable<Real> y = tape.variable(x.rows, matrix.columns);
    assert(sum.rows == y.rows && sum.columns == y.columns);
    std::copy_n(sum.value, sum.size(), y.value);
    tape.pass_gradient(y, sum);
    multiply_into(tape, x, matrix, static_cast<const Real*>(nullptr), true, y);
    return y;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> product(Tape<Real>&, Variable<Real>, Weight);                                    \
    template Variable<Real> affine(Tape<Real>&, Variable<Real>, Weight, Weight, Activation);                 \
    template Variable<Real> add_product(Tape<Real>&, Variable<Real>, Variable<Real>, Weight);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
