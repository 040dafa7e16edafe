#include "core/nn/positions.h"

#include "core/attention/positions/alibi.h"

#include <cassert>
#include <cmath>
#include <cstdlib>

namespace headlight::nn {

namespace {

constexpr double base = 10000;

/// Radians by which a place moves pair i of d numbers on.
double frequency(Index i, Index width) {
    return std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(width));
}

}  // namespace

template <class Real>
Variable<Real> add_sinusoids(Tape<Real>& tape, Variable<Real> x, Index batch, Index first) {
    const Variable<Real> y = tape.variable(x.rows, x.columns);
    Real* waves = tape.scratch(x.columns);  // of the place of the row
    for (Index r = 0; r < y.rows; ++r) {
        for (Index c = 0; r % batch == 0 && c < y.columns; ++c) {
            const double angle = static_cast<double>(first + r / batch) * frequency(c / 2, y.columns);
            waves[c] = static_cast<Real>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
        for (Index c = 0; c < y.columns; ++c)
            y.row(r)[c] = x.row(r)[c] + waves[c];
    }
    tape.pass_gradient(y, x);
    return y;
}

template <class Real>
Variable<Real> rotate(Tape<Real>& tape, Variable<Real> x, Index batch, Index heads, Index first) {
    const Index width = x.columns / heads, half = width / 2, places = x.rows / batch;
    assert(width % 2 == 0);
    const Variable<Real> sines = tape.constant(places, half), cosines = tape.constant(places, half);
    for (Index t = 0; t < places; ++t)
        for (Index i = 0; i < half; ++i) {
            const double angle = static_cast<double>(first + t) * frequency(i, width);
            sines.row(t)[i] = static_cast<Real>(std::sin(angle));
            cosines.row(t)[i] = static_cast<Real>(std::cos(angle));
        }
    // to (+)= from turned one way or, for the gradient, back
    const auto turn = [=](const Real* from, Real* to, Real direction, bool adds) {
        for (Index r = 0; r < places * batch; ++r)
            for (Index head = 0; head < heads; ++head) {
                const Index start = r * heads * width + head * width;
                const Real *s = sines.row(r / batch), *c = cosines.row(r / batch);
                for (Index i = 0; i < half; ++i) {
                    const Real a = from[start + i], b = from[start + half + i], sine = direction * s[i];
                    to[start + i] = (adds ? to[start + i] : Real(0)) + a * c[i] - b * sine;
                    to[start + half + i] = (adds ? to[start + half + i] : Real(0)) + b * c[i] + a * sine;
                }
            }
    };
    const Variable<Real> y = tape.variable(x.rows, x.columns);
    turn(x.value, y.value, Real(1), false);
    tape.on_backward([=](Tape<Real>&) {
        if (x.has_gradient())
            turn(y.gradient(), x.gradient(), Real(-1), true);
    });
    return y;
}

template <class Real>
Variable<Real> add_alibi(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores) {
    const Variable<Real> y = tape.variable(scores.rows, scores.columns);
    for (Index r = 0; r < y.rows; ++r) {
        const Index place = pairing.keys - pairing.queries + r % pairing.queries;
        const Index head = r / pairing.queries % pairing.heads;
        const double slope =
            std::exp2(-8 * static_cast<double>(head + 1) / static_cast<double>(pairing.heads));
        for (Index j = 0; j < y.columns; ++j)
            y.row(r)[j] =
                scores.row(r)[j] - static_cast<Real>(slope * static_cast<double>(std::abs(place - j)));
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
