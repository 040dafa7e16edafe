#include "core/kernels/multiply_in_parts.h"
#include "core/nn/operations.h"

#include <cassert>

namespace headlight::nn {

namespace {

template <class Real>
struct Addends {
    const Real* bias = nullptr;         ///< where the sums begin
    bool adds = false;                  ///< they begin with what is there
    MatrixView<const Real> added = {};  ///< what is added in the end
};

/// out = left right, with the addends.
template <class Real>
void multiply(Tape<Real>& tape, MatrixView<Real> left, kernels::Packed<Real> right,
              const Addends<Real>& addends, MatrixView<Real> out) {
    assert(left.columns == right.depth && out.columns == right.columns);
    multiply_in_parts(tape.kernels(), {.left = left,
                                       .right = right,
                                       .bias = addends.bias,
                                       .adds = addends.adds,
                                       .added = addends.added,
                                       .out = out});
}

template <class Real>
void multiply_into(Tape<Real>& tape, Variable<Real> x, Weight matrix, const Addends<Real>& addends,
                   Variable<Real> to) {
    assert(x.columns == matrix.rows);
    multiply(tape, x.view(), tape.packed(matrix), addends, to.view());
}

/// The gradient of x grows by that of x matrix.
template <class Real>
void multiply_back(Tape<Real>& tape, Variable<Real> x, Weight matrix, Variable<Real> of) {
    if (!x.has_gradient())
        return;
    const bool is_untouched = x.untouched_gradient();
    multiply(tape, of.gradient_view(), tape.packed(matrix, true), {.adds = !is_untouched}, x.gradient_view());
}

template <class Real>
void differentiate(Tape<Real>& tape, Variable<Real> x, Weight matrix, Variable<Real> to) {
    if (!tape.differentiates())
        return;
    tape.collect(matrix, x.value, to);
    tape.on_backward([=](Tape<Real>& t) {
        multiply_back(t, x, matrix, to);
        t.add_collected(matrix);
    });
}

}  // namespace

template <class Real>
Variable<Real> product(Tape<Real>& tape, Variable<Real> x, Weight matrix) {
    const Variable<Real> y = tape.variable(x.rows, matrix.columns);
    multiply_into(tape, x, matrix, {}, y);
    differentiate(tape, x, matrix, y);
    return y;
}

template <class Real>
Variable<Real> affine(Tape<Real>& tape, Variable<Real> x, Weight matrix, Weight bias, Activation activation) {
    const Variable<Real> y = tape.variable(x.rows, matrix.columns), b = tape.weight(bias);
    assert(bias.size() == matrix.columns);
    multiply_into(tape, x, matrix, {.bias = b.value}, y);
    differentiate(tape, x, matrix, y);
    tape.on_backward([=](Tape<Real>& t) {
        t.arithmetic().add_column_sums(y.gradient(), y.rows, y.columns, b.gradient());
    });
    if (activation != Activation::identity) {
        tape.kernels().activate(activation, y.value, y.size());
        // In place: the sum itself is asked for by nobody else.
        tape.on_backward([=](Tape<Real>& t) {
            t.arithmetic().multiply_by_slopes(activation, y.value, y.size(), y.gradient());
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
    multiply_into(tape, x, matrix, {.adds = true}, y);
    differentiate(tape, x, matrix, y);
    return y;
}

template <class Real>
Variable<Real> add_affine(Tape<Real>& tape, Variable<Real> sum, Variable<Real> x, Weight matrix,
                          Weight bias) {
    assert(bias.size() == matrix.columns && !x.shares_gradient_with(sum));
    assert(sum.has_gradient() == tape.differentiates());
    const Variable<Real> b = tape.weight(bias);
    const Variable<Real> y = tape.constant(x.rows, matrix.columns).with_gradient_of(sum);
    assert(sum.rows == y.rows && sum.columns == y.columns);
    multiply_into(tape, x, matrix, {.bias = b.value, .added = sum.view()}, y);
    tape.on_backward([=](Tape<Real>& t) {
        t.arithmetic().add_column_sums(y.gradient(), y.rows, y.columns, b.gradient());
        multiply_back(t, x, matrix, y);
        // Not with other uses of the matrix: more is added to this gradient before they are known.
        t.add_outer_products(matrix, x.value, y);
    });
    return y;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> product(Tape<Real>&, Variable<Real>, Weight);                                    \
    template Variable<Real> affine(Tape<Real>&, Variable<Real>, Weight, Weight, Activation);                 \
    template Variable<Real> add_product(Tape<Real>&, Variable<Real>, Variable<Real>, Weight);                \
    template Variable<Real> add_affine(Tape<Real>&, Variable<Real>, Variable<Real>, Weight, Weight);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
