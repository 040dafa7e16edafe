#include "core/nn/operations.h"

#include <cassert>

namespace headlight::nn {

template <class Real>
Variable<Real> layer_norm(Tape<Real>& tape, Variable<Real> x, Weight gain, Weight bias) {
    assert(gain.size() == x.columns && bias.size() == x.columns);
    const Variable<Real> g = tape.weight(gain), b = tape.weight(bias);
    const Variable<Real> normal = tape.constant(x.rows, x.columns), scales = tape.constant(x.rows, 1);
    const Variable<Real> y = tape.variable(x.rows, x.columns);
    tape.arithmetic().layer_norm({.rows = x.rows,
                                  .width = x.columns,
                                  .epsilon = Real(1e-5),
                                  .gain = g.value,
                                  .bias = b.value,
                                  .in = x.value,
                                  .normal = normal.value,
                                  .scales = scales.value,
                                  .out = y.value});
    tape.on_backward([=](Tape<Real>& t) {
        t.arithmetic().add_layer_norm_slopes({.rows = x.rows,
                                              .width = x.columns,
                                              .gain = g.value,
                                              .normal = normal.value,
                                              .scales = scales.value,
                                              .of_out = y.gradient(),
                                              .of_gain = g.gradient(),
                                              .of_bias = b.gradient(),
                                              .of_in = x.gradient()});
    });
    return y;
}

template Variable<float> layer_norm(Tape<float>&, Variable<float>, Weight, Weight);
template Variable<double> layer_norm(Tape<double>&, Variable<double>, Weight, Weight);

}  // namespace headlight::nn
