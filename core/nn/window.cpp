#include "core/nn/window.h"

#include "core/attention/selections/window_shape.h"

#include <algorithm>
#include <cassert>

namespace headlight::nn {

template <class Real>
Variable<Real> mask_window(Tape<Real>& tape, Variable<Real> scores, Variable<Real> centres, Real radius) {
    assert(centres.size() == scores.rows);
    const Variable<Real> masked = tape.variable(scores.rows, scores.columns);
    const auto centre = [centres](Index row) { return static_cast<double>(centres.value[row]); };
    std::copy_n(scores.value, scores.size(), masked.value);
    for (Index r = 0; r < scores.rows; ++r)
        forbid_outside_window(centre(r), static_cast<double>(radius), masked.row(r), scores.columns);
    tape.on_backward([=](Tape<Real>&) {
        for (Index r = 0; scores.has_gradient() && r < scores.rows; ++r)
            for (Index j = 0; j < scores.columns; ++j)
                if (is_in_window(centre(r), static_cast<double>(radius), j))
                    scores.gradient_row(r)[j] += masked.gradient_row(r)[j];
    });
    return masked;
}

template <class Real>
Variable<Real> weigh_window(Tape<Real>& tape, Variable<Real> weights, Variable<Real> centres, Real sigma) {
    assert(centres.size() == weights.rows);
    const Variable<Real> weighed = tape.variable(weights.rows, weights.columns);
    const auto factor = [=](Index row, Index key) {
        return static_cast<Real>(
            window_factor(static_cast<double>(centres.value[row]), static_cast<double>(sigma), key));
    };
    for (Index r = 0; r < weights.rows; ++r)
        for (Index j = 0; j < weights.columns; ++j)
            weighed.row(r)[j] = weights.row(r)[j] * factor(r, j);
    tape.on_backward([=](Tape<Real>&) {
        for (Index r = 0; r < weights.rows; ++r)
            for (Index j = 0; j < weights.columns; ++j) {
                if (weights.has_gradient())
                    weights.gradient_row(r)[j] += weighed.gradient_row(r)[j] * factor(r, j);
                if (centres.has_gradient())
                    centres.gradient()[r] += weighed.gradient_row(r)[j] * weighed.row(r)[j] *
                                             (static_cast<Real>(j) - centres.value[r]) / (sigma * sigma);
            }
    });
    return weighed;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> mask_window(Tape<Real>&, Variable<Real>, Variable<Real>, Real);                  \
    template Variable<Real> weigh_window(Tape<Real>&, Variable<Real>, Variable<Real>, Real);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
