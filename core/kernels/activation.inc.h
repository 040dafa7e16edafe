#pragma once

#include "core/kernels/activation.h"
#include "core/kernels/packet.inc.h"

namespace headlight::kernels { namespace {

/// Near 0 by the rational function of Cephes' tanh.c (Moshier), elsewhere from exp(-2|x|): both keep the
/// relative error within a few units of the last place, which 1 - 2 / (exp(2x) + 1) alone does not.
template <class Real>
Packet<Real> tanh_of(Packet<Real> x) {
    const Packet<Real> one = fill(Real(1));
    const Packet<Real> size = packet::pabs(x);
    const Packet<Real> z = packet::pmul(x, x);
    const auto plus = [](Packet<Real> a, Real b) { return packet::padd(a, fill(b)); };

    Packet<Real> p = packet::pmul(z, fill(Real(-9.64399179425052238628e-1)));
    p = packet::pmul(plus(p, Real(-9.92877231001918586564e1)), z);
    p = plus(p, Real(-1.61468768441708447952e3));
    Packet<Real> q = plus(z, Real(1.12811678491632931402e2));
    q = plus(packet::pmul(q, z), Real(2.23548839060100448583e3));
    q = plus(packet::pmul(q, z), Real(4.84406305325125486048e3));
    const Packet<Real> near = packet::padd(x, packet::pmul(x, packet::pmul(z, packet::pdiv(p, q))));

    const Packet<Real> power = exp_of_nonpositive<Real>(packet::pmul(size, fill(Real(-2))));
    const Packet<Real> far = packet::pdiv(packet::psub(one, power), packet::padd(one, power));
    const Packet<Real> far_signed =
        packet::pselect(packet::pcmp_lt(x, fill(Real(0))), packet::pnegate(far), far);
    return packet::pselect(packet::pcmp_lt(size, fill(Real(0.625))), near, far_signed);
}

/// 1 / (1 + exp(-x)), from exp(-|x|) so that nothing overflows.
template <class Real>
Packet<Real> sigmoid_of(Packet<Real> x) {
    const Packet<Real> one = fill(Real(1));
    const Packet<Real> power = exp_of_nonpositive<Real>(packet::pnegate(packet::pabs(x)));
    const Packet<Real> numerator = packet::pselect(packet::pcmp_lt(x, fill(Real(0))), power, one);
    return packet::pdiv(numerator, packet::padd(one, power));
}

template <Activation activation, class Real>
Packet<Real> activate(Packet<Real> x) {
    if constexpr (activation == Activation::tanh)
        return tanh_of<Real>(x);
    else if constexpr (activation == Activation::sigmoid)
        return sigmoid_of<Real>(x);
    else if constexpr (activation == Activation::relu)
        return packet::pmax(x, fill(Real(0)));
    else
        return x;
}

/// Calls function with the activation as a template argument.
template <class Function>
void with_activation(Activation activation, const Function& function) {
    switch (activation) {
    case Activation::tanh:
        return function.template operator()<Activation::tanh>();
    case Activation::sigmoid:
        return function.template operator()<Activation::sigmoid>();
    case Activation::relu:
        return function.template operator()<Activation::relu>();
    case Activation::identity:
        return function.template operator()<Activation::identity>();
    }
}

template <class Real>
void activate(Activation activation, Real* row, Index count) {
    if (activation == Activation::identity)
        return;
    with_activation(activation, [&]<Activation which>() {
        transform(row, count, [](Packet<Real> x) { return activate<which, Real>(x); });
    });
}

}}  // namespace headlight::kernels
