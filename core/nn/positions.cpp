#include "core/nn/positions.h"

#include "core/attention/positions/alibi.h"
#include "core/attention/rotary.h"

#include <cassert>

namespace headlight::nn {

template <class Real>
Variable<Real> add_sinusoids(Tape<Real>& tape, Variable<Real> x, Index batch, Index first) {
    const Variable<Real> y = tape.variable(x.rows, x.columns);
    Real* waves = tape.scratch(x.columns);  // of the place of the row
    for (Index r = 0; r < y.rows; ++r) {
        const Index place = first + r / batch;
        for (Index c = 0; r % batch == 0 && c < y.columns; ++c)
            waves[c] = static_cast<Real>(sinusoid(static_cast<double>(place), c, y.columns));
        for (Index c = 0; c < y.columns; ++c)
            y.row(r)[c] = x.row(r)[c] + waves[c];
    }
    tape.pass_gradient(y, x);
    return y;
}

template <class Real>
Variable<Real> rotate(Tape<Real>& tape, Variable<Real> x, Index batch, Index heads, Index first) {
    const Index width = x.columns / heads, places = x.rows / batch;
    assert(width % 2 == 0);
    const RotationTable<Real> table = fill_rotations(
        rotary_frequencies(width, standard_base), first, false, [](Index, Index) { return 1.0; },
        tape.constant(places, width / 2).view(), tape.constant(places, width / 2).view());
    const Variable<Real> y = tape.variable(x.rows, x.columns);
    std::copy_n(x.value, x.size(), y.value);
    for (Index r = 0; r < y.rows; ++r)
        for (Index head = 0; head < heads; ++head)
            table.rotate(y.row(r) + head * width, r / batch);
    tape.on_backward([=](Tape<Real>& t) {
        if (!x.has_gradient())
            return;
        // Nobody reads the gradient of y after this.
        for (Index r = 0; r < y.rows; ++r)
            for (Index head = 0; head < heads; ++head)
                table.rotate_back(y.gradient_row(r) + head * width, r / batch);
        t.arithmetic().add(y.gradient(), y.size(), x.gradient());
    });
    return y;
}

template <class Real>
Variable<Real> add_alibi(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores) {
    const Variable<Real> y = tape.variable(scores.rows, scores.columns);
    for (Index r = 0; r < y.rows; ++r) {
        const Index place = pairing.keys - pairing.queries + r % pairing.queries;
        const double slope = alibi_slope(r / pairing.queries % pairing.heads, pairing.heads);
        for (Index j = 0; j < y.columns; ++j)
            y.row(r)[j] = scores.row(r)[j] +
                          static_cast<Real>(alibi_bias(slope, AlibiForm::absolute_distance, place, j));
    }
    tape.pass_gradient(y, scores);
    return y;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> add_sinusoids(Tape<Real>&, Variable<Real>, Index, Index);                        \
    template Variable<Real> rotate(Tape<Real>&, Variable<Real>, Index, Index, Index);                        \
    template Variable<Real> add_alibi(Tape<Real>&, const Pairing&, Variable<Real>);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
