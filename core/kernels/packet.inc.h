#pragma once

// Included by the kernels of one processor level only, after Eigen has been renamed for that level.

#include "core/tensor/tensor.h"

#include <Eigen/Core>

#include <cstdint>
#include <limits>
#include <type_traits>

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

/// exp(x) is e^r 2^k, with k a whole number and r the rest of x after k ln 2, |r| <= ln 2 / 2. Eigen's pexp
/// divides two polynomials in double and scales by a power of two of any size: what is here takes less than
/// two thirds of its time.
template <class Real>
struct PowerParts {
    Packet<Real> series;  ///< e^r
    Packet<Real> k;
};

inline Packet<float> series_of_exp(Packet<float> r) {  // the polynomial of Cephes' expf.c (Moshier)
    Packet<float> series = fill(1.9875691500e-4f);
    for (const float coefficient :
         {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
        series = packet::pmadd(series, r, fill(coefficient));
    return packet::padd(packet::pmadd(series, packet::pmul(r, r), r), fill(1.0f));
}
inline Packet<double>
series_of_exp(Packet<double> r) {  // Taylor's, to a term below a quarter of the last place
    Packet<double> series = fill(1.0 / 6'227'020'800);
    for (const double factorial :
         {479'001'600., 39'916'800., 3'628'800., 362'880., 40'320., 5'040., 720., 120., 24., 6., 2., 1., 1.})
        series = packet::pmadd(series, r, fill(1 / factorial));
    return series;
}

template <class Real>
PowerParts<Real> parts_of_exp(Packet<Real> x) {
    constexpr bool is_float = sizeof(Real) == 4;
    // ln 2 in two parts, the first of so few digits that its product with k is exact.
    constexpr Real first = is_float ? Real(-0.693359375) : Real(-6.93145751953125e-1),
                   second = is_float ? Real(2.12194440e-4) : Real(-1.42860682030941723212e-6);
    const Packet<Real> k = packet::print(packet::pmul(x, fill(Real(1.4426950408889634))));
    const Packet<Real> r = packet::pmadd(fill(second), k, packet::pmadd(fill(first), k, x));
    return {series_of_exp(r), k};
}

/// 2^k of whole numbers k from -126 to 127 in float, -1022 to 1023 in double. A sum with 1.5 times 2 to the
/// number of a mantissa's places has k, and the bias of exponents, in its last places: they are moved to
/// where an exponent is.
template <class Real>
Packet<Real> power_of_two(Packet<Real> k) {
    using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
    using BitPacket __attribute__((vector_size(sizeof(Packet<Real>)))) = Bits;
    constexpr int places = std::numeric_limits<Real>::digits - 1;
    constexpr Real bias = std::numeric_limits<Real>::max_exponent - 1;
    const Packet<Real> sum = packet::padd(k, fill(Real(3) * Real(Bits(1) << (places - 1)) + bias));
    return __builtin_bit_cast(Packet<Real>, __builtin_bit_cast(BitPacket, sum) << places);
}

/// A power of what is less is below the smallest normal number, and is 0 here.
template <class Real>
constexpr Real least_exponent = sizeof(Real) == 4 ? Real(-87.33654) : Real(-708.396418532264);

/// exp(x) for x <= 0, exactly 0 for -infinity.
template <class Real>
Packet<Real> exp_of_nonpositive(Packet<Real> x) {
    const PowerParts<Real> parts = parts_of_exp<Real>(x);
    return packet::pandnot(packet::pmul(parts.series, power_of_two<Real>(parts.k)),
                           packet::pcmp_lt(x, fill(least_exponent<Real>)));
}

/// The same for x up to the logarithm of the largest number.
template <class Real>
Packet<Real> exp_of_finite(Packet<Real> x) {
    const PowerParts<Real> parts = parts_of_exp<Real>(x);
    // In two steps, since the largest power of two is twice the largest that is a number.
    const Packet<Real> half = packet::pfloor(packet::pmul(parts.k, fill(Real(0.5))));
    const Packet<Real> power = packet::pmul(packet::pmul(parts.series, power_of_two<Real>(half)),
                                            power_of_two<Real>(packet::psub(parts.k, half)));
    return packet::pandnot(power, packet::pcmp_lt(x, fill(least_exponent<Real>)));
}

#ifdef __AVX512F__
// The same: here the multiplication by any power of two and the zeros are one instruction.
template <>
inline Packet<float> exp_of_nonpositive<float>(Packet<float> x) {
    const PowerParts<float> parts = parts_of_exp<float>(x);
    const __mmask16 has_power = _mm512_cmp_ps_mask(x, fill(least_exponent<float>), _CMP_NLT_UQ);
    return _mm512_maskz_scalef_ps(has_power, parts.series, parts.k);
}
template <>
inline Packet<double> exp_of_nonpositive<double>(Packet<double> x) {
    const PowerParts<double> parts = parts_of_exp<double>(x);
    const __mmask8 has_power = _mm512_cmp_pd_mask(x, fill(least_exponent<double>), _CMP_NLT_UQ);
    return _mm512_maskz_scalef_pd(has_power, parts.series, parts.k);
}
template <>
inline Packet<float> exp_of_finite<float>(Packet<float> x) {
    return exp_of_nonpositive<float>(x);
}
template <>
inline Packet<double> exp_of_finite<double>(Packet<double> x) {
    return exp_of_nonpositive<double>(x);
}
#endif

/// exp(x) of any x: infinite where no number is as large.
template <class Real>
Packet<Real> exp_of(Packet<Real> x) {
    constexpr Real overflow = sizeof(Real) == 4 ? Real(88.722839) : Real(709.782712893384);
    const Packet<Real> largest = fill(overflow);
    const Packet<Real> power = exp_of_finite<Real>(packet::pmin(x, largest));
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
