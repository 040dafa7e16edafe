#include "core/nn/operations.h"

#include <cassert>
#include <cmath>

namespace headlight::nn {

template <class Real>
Variable<Real> layer_norm(Tape<Real>& tape, Variable<Real> x, Weight gain, Weight bias) {
    assert(gain.size() == x.columns && bias.size() == x.columns);
    constexpr Real epsilon = Real(1e-5);
    const Index width = x.columns;
    const Real count = static_cast<Real>(width);
    const Variable<Real> g = tape.weight(gain), b = tape.weight(bias);
    const Variable<Real> normal = tape.constant(x.rows, width), scales = tape.constant(x.rows, 1);
    const Variable<Real> y = tape.variable(x.rows, width);
    for (Index r = 0; r < x.rows; ++r) {
        const Real* in = x.row(r);
        Real mean = 0, square = 0;
        for (Index c = 0; c < width; ++c)
            mean += in[c];
        mean /= count;
        for (Index c = 0; c < width; ++c)
            square += (in[c] - mean) * (in[c] - mean);
        scales.value[r] = 1 / std::sqrt(square / count + epsilon);
        for (Index c = 0; c < width; ++c) {
            normal.row(r)[c] = (in[c] - mean) * scales.value[r];
            y.row(r)[c] = normal.row(r)[c] * g.value[c] + b.value[c];
        }
    }
    tape.on_backward([=](Tape<Real>&) {
        for (Index r = 0; r < x.rows; ++r) {
            const Real *dy = y.gradient_row(r), *z = normal.row(r);
            Real mean = 0, slope = 0;  // of the gradient at z, and of its part along z
            for (Index c = 0; c < width; ++c) {
                g.gradient[c] += dy[c] * z[c];
                b.gradient[c] += dy[c];
                mean += dy[c] * g.value[c];
                slope += dy[c] * g.value[c] * z[c];
            }
            mean /= count;
            slope /= count;
            for (Index c = 0; x.gradient && c < width; ++c)
                x.gradient_row(r)[c] += scales.value[r] * (dy[c] * g.value[c] - mean - z[c] * slope);
        }
    });
    return y;
}

template Variable<float> layer_norm(Tape<float>&, Variable<float>, Weight, Weight);
template Variable<double> layer_norm(Tape<double>&, Variable<double>, Weight, Weight);

}  // namespace headlight::nn
