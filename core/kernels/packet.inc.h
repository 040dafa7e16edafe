#pragma once

// Included by the kernels of one processor level only, after Eigen has been renamed for that level.

#include "core/tensor/tensor.h"

#include <Eigen/Core>

#include <limits>

namespace headlight::kernels { namespace {

namespace packet = Eigen::internal;

/// As many numbers as one register of this level holds; one number where Eigen knows no vectors.
template <class Real>
using Packet = typename packet::packet_traits<Real>::type;
template <class Real>
constexpr Index lanes = packet::unpacket_traits<Packet<Real>>::size;

template <class Real>
Packet<Real> load(const Real* from) {
    return packet::ploadu<Packet<Real>>(from);
}
template <class Real>
Packet<Real> fill(Real value) {
    return packet::pset1<Packet<Real>>(value);
}

/// The first `count` lanes from memory, the others `rest`.
template <class Real>
Packet<Real> load_part(const Real* from, Index count, Real rest) {
    if (count >= lanes<Real>)
        return load(from);
    Real values[lanes<Real>];
    for (Index i = 0; i < lanes<Real>; ++i)
        values[i] = i < count ? from[i] : rest;
    return load(values);
}
template <class Real>
void store_part(Real* to, Index count, Packet<Real> value) {
    if (count >= lanes<Real>)
        return packet::pstoreu(to, value);
    Real values[lanes<Real>];
    packet::pstoreu(values, value);
    for (Index i = 0; i < count; ++i)
        to[i] = values[i];
}

#ifdef __AVX512F__
// The same in one instruction: lanes that a mask leaves out are neither read nor written.

inline unsigned first_lanes(Index count) { return (1u << count) - 1; }

template <>
inline Packet<float> load_part<float>(const float* from, Index count, float rest) {
    if (count >= lanes<float>)
        return load(from);
    return _mm512_mask_loadu_ps(fill(rest), static_cast<__mmask16>(first_lanes(count)), from);
}
template <>
inline void store_part<float>(float* to, Index count, Packet<float> value) {
    if (count >= lanes<float>)
        return packet::pstoreu(to, value);
    _mm512_mask_storeu_ps(to, static_cast<__mmask16>(first_lanes(count)), value);
}
template <>
inline Packet<double> load_part<double>(const double* from, Index count, double rest) {
    if (count >= lanes<double>)
        return load(from);
    return _mm512_mask_loadu_pd(fill(rest), static_cast<__mmask8>(first_lanes(count)), from);
}
template <>
inline void store_part<double>(double* to, Index count, Packet<double> value) {
    if (count >= lanes<double>)
        return packet::pstoreu(to, value);
    _mm512_mask_storeu_pd(to, static_cast<__mmask8>(first_lanes(count)), value);
}
#endif

/// row[j] = f(row[j]). Every element goes through the same vector instruction wherever it lies, the last ones
/// included: results depend neither on addresses nor on lengths.
template <class Real, class Function>
void transform(Real* row, Index count, Function f) {
    Index j = 0;
    for (; j + lanes<Real> <= count; j += lanes<Real>)
        packet::pstoreu(row + j, f(load(row + j)));
    if (j < count)
        store_part(row + j, count - j, f(load_part(row + j, count - j, Real(0))));
}

/// Largest of row[j]; -infinity of none.
template <class Real>
Real maximum(const Real* row, Index count) {
    constexpr Real lowest = -std::numeric_limits<Real>::infinity();
    Packet<Real> largest = fill(lowest);
    Index j = 0;
    for (; j + lanes<Real> <= count; j += lanes<Real>)
        largest = packet::pmax(largest, load(row + j));
    if (j < count)
        largest = packet::pmax(largest, load_part(row + j, count - j, lowest));
    return packet::predux_max(largest);
}

/// exp(x) for x <= 0. Eigen's stops at the smallest normal number; here what is below it, and -infinity, is
/// exactly 0.
template <class Real>
Packet<Real> exp_of_nonpositive(Packet<Real> x) {
    constexpr Real underflow = sizeof(Real) == 4 ? Real(-87.33654) : Real(-708.396418532264);
    const Packet<Real> power = packet::pandnot(packet::pexp(x), packet::pcmp_lt(x, fill(underflow)));
    return packet::pselect(packet::pcmp_eq(x, x), power, x);  // a NaN stays one
}

#ifdef __AVX512F__
/// The same in half the instructions: 2^k e^r with r = x - k ln 2, e^r by the polynomial of Cephes' expf.c
/// (Moshier). The multiplication by 2^k and the zeros are one instruction.
template <>
inline Packet<float> exp_of_nonpositive<float>(Packet<float> x) {
    const __mmask16 has_power = _mm512_cmp_ps_mask(x, _mm512_set1_ps(-87.33654f), _CMP_NLT_UQ);
    const auto times = [](float factor, Packet<float> a, Packet<float> b) {
        return _mm512_fmadd_ps(_mm512_set1_ps(factor), a, b);
    };
    const Packet<float> k = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)),
                                                 _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const Packet<float> r = times(2.12194440e-4f, k, times(-0.693359375f, k, x));  // ln 2 in two parts
    Packet<float> series = _mm512_set1_ps(1.9875691500e-4f);
    for (const float coefficient :
         {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
        series = _mm512_fmadd_ps(series, r, _mm512_set1_ps(coefficient));
    series = _mm512_add_ps(_mm512_fmadd_ps(series, _mm512_mul_ps(r, r), r), _mm512_set1_ps(1));
    return _mm512_maskz_scalef_ps(has_power, series, k);
}

/// The same in double, in a third of the time: Eigen's divides two polynomials (Cephes' exp.c), here Taylor's
/// series of e^r, |r| <= ln 2 / 2, ends where a term is below a quarter of the last place.
template <>
inline Packet<double> exp_of_nonpositive<double>(Packet<double> x) {
    const __mmask8 has_power = _mm512_cmp_pd_mask(x, _mm512_set1_pd(-708.396418532264), _CMP_NLT_UQ);
    const auto times = [](double factor, Packet<double> a, Packet<double> b) {
        return _mm512_fmadd_pd(_mm512_set1_pd(factor), a, b);
    };
    const Packet<double> k = _mm512_roundscale_pd(_mm512_mul_pd(x, _mm512_set1_pd(1.4426950408889634)),
                                                  _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const Packet<double> r =  // ln 2 in two parts
        times(-1.42860682030941723212e-6, k, times(-6.93145751953125e-1, k, x));
    Packet<double> series = _mm512_set1_pd(1.0 / 6'227'020'800);
    for (const double factorial :
         {479'001'600., 39'916'800., 3'628'800., 362'880., 40'320., 5'040., 720., 120., 24., 6., 2., 1., 1.})
        series = _mm512_fmadd_pd(series, r, _mm512_set1_pd(1 / factorial));
    return _mm512_maskz_scalef_pd(has_power, series, k);
}
#endif

/// exp(x) of any x: exactly 0 below the smallest normal number, infinite where no number is as large.
template <class Real>
Packet<Real> exp_of(Packet<Real> x) {
    constexpr Real overflow = sizeof(Real) == 4 ? Real(88.722839) : Real(709.782712893384);
    const Packet<Real> largest = fill(overflow);
    const Packet<Real> power = exp_of_nonpositive<Real>(packet::pmin(x, largest));
    const Packet<Real> finite_or_not =
        packet::pselect(packet::pcmp_lt(largest, x), fill(std::numeric_limits<Real>::infinity()), power);
    return packet::pselect(packet::pcmp_eq(x, x), finite_or_not, x);
}

/// row[j] = exp((row[j] - largest) / temperature); returns their sum.
template <class Real>
Real exponentials(Real* row, Index count, Real largest, Real temperature) {
    const Packet<Real> offset = fill(largest);
    const Packet<Real> divisor = fill(temperature);
    const bool divides = temperature != Real(1);
    const auto power = [&](Packet<Real> score) {
        const Packet<Real> distance = packet::psub(score, offset);
        return exp_of_nonpositive<Real>(divides ? packet::pdiv(distance, divisor) : distance);
    };
    Packet<Real> sum = fill(Real(0));
    Index j = 0;
    for (; j + lanes<Real> <= count; j += lanes<Real>) {
        const Packet<Real> value = power(load(row + j));
        packet::pstoreu(row + j, value);
        sum = packet::padd(sum, value);
    }
    if (j < count) {
        constexpr Real nothing = -std::numeric_limits<Real>::infinity();
        const Packet<Real> value = power(load_part(row + j, count - j, nothing));
        store_part(row + j, count - j, value);
        sum = packet::padd(sum, value);
    }
    return packet::predux(sum);
}

}}  // namespace headlight::kernels
