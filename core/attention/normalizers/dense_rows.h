#pragma once

#include "core/attention/normalizers/rows.h"
#include "core/kernels/arithmetic.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <array>
#include <functional>

namespace headlight {

// Scores to weights, in place, one row at a time, beside softmax (rows.h) and those with a threshold
// (sparse_rows.h).

template <class Real, class Record>
void to_clipped(Real* row, Index size, Real low, Real high, Real temperature,
                const kernels::Table<Real>& kernels, const Record& record) {
    Real* may = scratch<Real>(size);
    for (Index key = 0; key < size; ++key)
        may[key] = row[key] == forbidden<Real> ? Real(0) : Real(1);
    softmax_row(row, size, kernels, record, temperature);
    record.row("soft_weights", row, size);
    for (Index key = 0; key < size; ++key)
        row[key] = may[key] * std::clamp((high - low) * row[key] + low, Real(0), Real(1));
}

template <class Real, class Record>
void to_signed_softmax(Real* row, Index size, Real temperature, const kernels::Table<Real>& kernels,
                       const Record& record) {
    Real* sizes = scratch<Real>(size);
    for (Index key = 0; key < size; ++key)
        sizes[key] = row[key] == forbidden<Real> ? forbidden<Real> : std::abs(row[key]);
    softmax_row(sizes, size, kernels, record, temperature);
    for (Index key = 0; key < size; ++key)
        row[key] = row[key] < 0 ? Real(0) - sizes[key] : sizes[key];
}

template <class Real, class Record>
void to_relu(Real* row, Index size, bool squares, Real temperature, const Record& record) {
    const Index count = count_allowed(row, size);
    record.number("allowed_keys", static_cast<double>(count));
    const Real share = Real(1) / static_cast<Real>(count);
    divide(row, size, temperature);
    for (Index key = 0; key < size; ++key) {
        const Real positive = row[key] > 0 ? row[key] : Real(0);
        row[key] = share * positive * (squares ? positive : Real(1));
    }
}

/// What the sigmoid's option `bias` says to get one that follows from the number of keys.
inline constexpr double automatic_bias = -20;

inline double bias_for(Index allowed_keys) { return -std::log(static_cast<double>(allowed_keys)); }

template <class Real>
void to_biased_sigmoid(Real* row, Index size, Real temperature, Real bias,
                       const kernels::Table<Real>& kernels) {
    divide(row, size, temperature);
    for (Index key = 0; key < size; ++key)
        row[key] += bias;
    kernels.activate(Activation::sigmoid, row, size);
}

/// e^-largest (e^s - 1) of every score. Near 0 the difference would lose its digits; there its series is
/// used.
inline void to_exponentials_less_one(double* row, Index size, double largest,
                                     const kernels::Table<double>& kernels) {
    double* exponentials = scratch<double, ScratchRow::beside>(size);
    std::copy(row, row + size, exponentials);
    kernels.exponentials(exponentials, size, largest, 1);
    const double one = std::exp(-largest);
    for (Index key = 0; key < size; ++key) {
        const double s = row[key];
        const double series = one * s * (1 + s / 2 * (1 + s / 3 * (1 + s / 4)));
        row[key] = std::abs(s) < 1e-3 ? series : exponentials[key] - one;
    }
}

template <class Real, class Record>
void to_softpick(Real* row, Index size, double temperature, const kernels::Table<double>& kernels,
                 const Record& record) {
    double* exponentials = scratch<double>(size);
    std::copy(row, row + size, exponentials);
    divide(exponentials, size, temperature);
    const double largest = std::max(0.0, kernels.maximum(exponentials, size));
    to_exponentials_less_one(exponentials, size, largest, kernels);
    double sum = 0;
    for (Index key = 0; key < size; ++key)
        sum += row[key] == forbidden<Real> ? 0 : std::abs(exponentials[key]);
    for (Index key = 0; key < size; ++key) {
        const double positive = exponentials[key] > 0 ? exponentials[key] : 0;
        row[key] = static_cast<Real>(sum > 0 ? positive / sum : 0);  // zero scores, no weights
    }
    record.number("row_sum", sum);
    record.number("row_maximum", largest);
}

template <class Real, class Record>
void to_taylor(Real* row, Index size, int degree, double temperature, const Record& record) {
    double* scores = scratch<double>(size);
    double* powers = scratch<double, ScratchRow::beside>(size);
    for (Index key = 0; key < size; ++key) {
        const bool counts = row[key] != forbidden<Real>;
        scores[key] = counts ? static_cast<double>(row[key]) / temperature : 0;
        powers[key] = 1;
    }
    for (int term = degree; term > 0; --term) {  // 1 + s (1 + s/2 (1 + s/3 ...))
        const double share = 1.0 / term;
        for (Index key = 0; key < size; ++key)
            powers[key] = 1 + powers[key] * scores[key] * share;
    }
    double sum = 0;
    for (Index key = 0; key < size; ++key) {
        powers[key] = row[key] == forbidden<Real> ? 0 : powers[key];
        sum += powers[key];
    }
    record.row("polynomial", powers, size);
    record.number("row_sum", sum);
    for (Index key = 0; key < size; ++key)
        row[key] = static_cast<Real>(powers[key] / sum);
}

template <class Real, class Record>
void break_stick(Real* row, Index size, Real temperature, const kernels::Table<Real>& kernels,
                 const Record& record) {
    divide(row, size, temperature);
    Real* kept = scratch<Real>(size);  // 1 - sigmoid(s) = sigmoid(-s), with all its digits
    for (Index key = 0; key < size; ++key)
        kept[key] = -row[key];
    kernels.activate(Activation::sigmoid, kept, size);
    kernels.activate(Activation::sigmoid, row, size);
    record.row("break_probabilities", row, size);
    double stick = 1;
    for (Index key = size - 1; key >= 0; --key) {
        row[key] = static_cast<Real>(stick * static_cast<double>(row[key]));
        stick *= static_cast<double>(kept[key]);
    }
    record.number("unassigned", stick);
}

/// u of a key, uniform in (0, 1), of a row with this stream.
inline double gumbel_chance(std::uint64_t stream, Index key) {
    return std::max(uniform(substream(stream, static_cast<std::uint64_t>(key))), 0x1p-54);
}

/// -ln(-ln u) of so many keys from `first` on.
inline void gumbel_noise(std::uint64_t stream, Index first, Index count, double* noise) {
    const auto& by = kernels::chosen_arithmetic<double>();
    for (Index i = 0; i < count; ++i)
        noise[i] = gumbel_chance(stream, first + i);
    for (int times = 0; times < 2; ++times) {
        by.logarithm(noise, count, noise);
        std::transform(noise, noise + count, noise, std::negate<>());
    }
}

/// Adds the noise of a row with this stream to the scores of the keys that count, and writes it to `noise`
/// [size]. The scores are then counted from the largest of them, which is returned: next to a large score the
/// noise would be lost.
template <class Real>
Real add_gumbel_noise(Real* row, Index size, std::uint64_t stream, Real* noise) {
    const Real largest = *std::max_element(row, row + size);
    std::array<double, 64> drawn{};
    for (Index first = 0; first < size; first += std::ssize(drawn)) {
        const Index count = std::min(size - first, std::ssize(drawn));
        gumbel_noise(stream, first, count, drawn.data());
        for (Index i = 0; i < count; ++i) {
            const bool counts = row[first + i] != forbidden<Real>;
            noise[first + i] = counts ? static_cast<Real>(drawn[static_cast<std::size_t>(i)]) : Real(0);
            row[first + i] = counts ? (row[first + i] - largest) + noise[first + i] : forbidden<Real>;
        }
    }
    return largest;
}

/// One-hot on the largest score.
template <class Real>
void choose_largest(Real* row, Index size) {
    const Index best = std::max_element(row, row + size) - row;
    std::fill(row, row + size, Real(0));
    row[best] = 1;
}

}  // namespace headlight
