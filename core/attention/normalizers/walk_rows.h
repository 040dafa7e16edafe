#pragma once

#include "core/attention/normalizers/rows.h"

namespace headlight {

// The rows of monotonic attention, where each query goes on from where the one before it stopped.

/// From the chances p [keys] of stopping at each key: `stopped`, where the query before stopped, becomes
/// where this one does; returns their sum. q_j = (1 - p_(j-1)) q_(j-1) + a_j of the query before; a_j = p_j
/// q_j (Raffel et al. 2017, eq. 9).
template <class Real>
double stop_on_the_way(const Real* p, Index keys, double* stopped) {
    double arrives = 0, total = 0;
    for (Index key = 0; key < keys; ++key) {
        arrives += stopped[key];
        stopped[key] = static_cast<double>(p[key]) * arrives;
        total += stopped[key];
        arrives -= stopped[key];
    }
    return total;
}

/// b_j = sum over the stops k of a_k times the softmax of the scores u in the chunk of `width` keys that ends
/// at k (Chiu and Raffel 2018, eq. 10).
template <class Real>
void attend_in_chunks(const double* stopped, const Real* u, Index keys, Index width, double* weights) {
    std::fill(weights, weights + keys, 0.0);
    double* exponentials = scratch<double, ScratchRow::chunk>(width);
    for (Index stop = 0; stop < keys; ++stop) {
        if (stopped[stop] == 0)
            continue;
        const Index first = std::max<Index>(0, stop - width + 1);
        const double largest = static_cast<double>(*std::max_element(u + first, u + stop + 1));
        double sum = 0;
        for (Index key = first; key <= stop; ++key)
            sum += exponentials[key - first] = std::exp(static_cast<double>(u[key]) - largest);
        for (Index key = first; key <= stop; ++key)
            weights[key] += stopped[stop] * exponentials[key - first] / sum;
    }
}

/// The same with every chunk beginning at the first key (Arivazhagan et al. 2019), in one pass forth and one
/// back. L_k = ln of the sum of exp(u_l), l <= k, never falls, so that t_j = sum over k >= j of a_k
/// exp(L_j - L_k) cannot overflow; b_j = exp(u_j - L_j) t_j.
template <class Real>
void attend_to_all_before(const double* stopped, const Real* u, Index keys, double* weights) {
    double* sums = scratch<double, ScratchRow::chunk>(keys);
    double sum = forbidden<double>;
    for (Index key = 0; key < keys; ++key) {
        const double score = static_cast<double>(u[key]);
        const double high = std::max(score, sum), low = std::min(score, sum);
        sums[key] = sum = high == forbidden<double> ? high : high + std::log1p(std::exp(low - high));
    }
    double t = 0;
    for (Index key = keys - 1; key >= 0; --key) {
        weights[key] = 0;
        if (sums[key] == forbidden<double>)
            continue;
        if (key + 1 < keys)
            t *= std::exp(sums[key] - sums[key + 1]);
        t += stopped[key];
        weights[key] = std::exp(static_cast<double>(u[key]) - sums[key]) * t;
    }
}

}  // namespace headlight
