#include "core/nn/vectors.h"

#include "core/attention/soft_cap.h"

#include <algorithm>
#include <cassert>

namespace headlight::nn {

template <class Real>
Variable<Real> normalize_vectors(Tape<Real>& tape, Variable<Real> x, VectorNorm norm, Variable<Real> gain) {
    if (norm == VectorNorm::none)
        return x;
    assert(!gain.value || gain.size() == x.columns);
    const Index width = x.columns;
    const double count = static_cast<double>(width);
    // z = (x - mean) / length; zeros have no direction, and so no derivative.
    const Variable<Real> normal = tape.constant(x.rows, width), lengths = tape.constant(x.rows, 1);
    const Variable<Real> y = tape.variable(x.rows, width);
    for (Index r = 0; r < x.rows; ++r) {
        const VectorMeasure by = measure(x.row(r), width, norm);
        lengths.value[r] = static_cast<Real>(by.length.value());
        normalize_vector<Real>(x.row(r), width, by, nullptr, normal.row(r));
        for (Index c = 0; c < width; ++c)
            y.row(r)[c] = normal.row(r)[c] * (gain.value ? gain.value[c] : Real(1));
    }
    const bool is_layer = norm == VectorNorm::layer, is_l2 = norm == VectorNorm::l2;
    tape.on_backward([=](Tape<Real>&) {
        Real* of_gain = gain.gradient();
        for (Index r = 0; r < x.rows; ++r) {
            const Real *grad_y = y.gradient_row(r), *z = normal.row(r);
            Real mean = 0, along = 0;  // of the gradient at z, and of its part along z
            for (Index c = 0; c < width; ++c) {
                if (of_gain)
                    of_gain[c] += grad_y[c] * z[c];
                const Real grad_z = grad_y[c] * (gain.value ? gain.value[c] : Real(1));
                mean += grad_z;
                along += grad_z * z[c];
            }
            mean = is_layer ? mean / static_cast<Real>(count) : Real(0);
            along = is_l2 ? along : along / static_cast<Real>(count);
            for (Index c = 0; x.has_gradient() && lengths.value[r] > 0 && c < width; ++c) {
                const Real grad_z = grad_y[c] * (gain.value ? gain.value[c] : Real(1));
                x.gradient_row(r)[c] += (grad_z - mean - z[c] * along) / lengths.value[r];
            }
        }
    });
    return y;
}

template <class Real>
Variable<Real> soft_cap(Tape<Real>& tape, Variable<Real> a, Real cap) {
    const Variable<Real> y = tape.variable(a.rows, a.columns);
    std::copy_n(a.value, a.size(), y.value);
    to_soft_capped(y.value, y.size(), cap, tape.kernels());
    tape.on_backward([=](Tape<Real>&) {
        Real* grad_a = a.gradient();
        for (Index i = 0; grad_a && i < y.size(); ++i)
            grad_a[i] += y.gradient()[i] * (1 - y.value[i] / cap * (y.value[i] / cap));
    });
    return y;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> normalize_vectors(Tape<Real>&, Variable<Real>, VectorNorm, Variable<Real>);      \
    template Variable<Real> soft_cap(Tape<Real>&, Variable<Real>, Real);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
