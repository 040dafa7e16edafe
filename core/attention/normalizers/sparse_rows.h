#pragma once

#include "core/attention/normalizers/rows.h"
#include "core/attention/normalizers/threshold.h"

#include <functional>

namespace headlight {

// Scores to weights by a threshold, in place, for rows with a key that counts. What the scores must lose is
// recorded as `threshold`.

/// The threshold of [s - tau]_+ that makes the row sum to 1 (Martins and Astudillo 2016, algorithm 1): with
/// the scores sorted downwards, k is the largest count with 1 + k s_(k) > s_(1) + ... + s_(k). Counted from
/// the largest score, so that no digits are lost; what is 1 or more below it never counts.
template <class Real>
double sparsemax_threshold(const Real* scores, Index size, double temperature) {
    double largest = forbidden<double>;
    for (Index key = 0; key < size; ++key)
        largest = std::max(largest, static_cast<double>(scores[key]));
    double* sorted = scratch<double>(size);
    double* end = sorted;
    for (Index key = 0; key < size; ++key)
        if (const double below = (static_cast<double>(scores[key]) - largest) / temperature; below > -1)
            *end++ = below;
    std::sort(sorted, end, std::greater());
    double sum = 0, tau = 0, count = 0;
    for (const double* score = sorted; score != end; ++score) {
        sum += *score;
        count += 1;
        if (1 + count * *score <= sum)
            break;
        tau = (sum - 1) / count;
    }
    return tau + largest / temperature;
}

template <class Real, class Record>
void to_sparsemax(Real* row, Index size, double temperature, const Record& record) {
    const double tau = sparsemax_threshold(row, size, temperature);
    record.number("threshold", tau);
    for (Index key = 0; key < size; ++key)
        row[key] = static_cast<Real>(std::max(static_cast<double>(row[key]) / temperature - tau, 0.0));
}

/// The scores of a row that can get weight, as z = (alpha - 1) s counted from the largest: weights are
/// [z - tau]_+^(1 / (alpha - 1)) and at most 1, so tau >= -1.
struct EntmaxCandidates {
    double* scores;
    Index* keys;
    Index count = 0;
};

template <class Real>
EntmaxCandidates entmax_candidates(const Real* row, Index size, double factor, double largest) {
    EntmaxCandidates found{scratch<double>(size), scratch<Index>(size)};
    for (Index key = 0; key < size; ++key)
        if (const double z = (static_cast<double>(row[key]) - largest) * factor; z > -1) {
            found.scores[found.count] = z;
            found.keys[found.count++] = key;
        }
    return found;
}

/// alpha = 1.5, in closed form: for the k largest scores tau = mean - sqrt((1 - k var) / k); the support is
/// the largest k whose tau does not pass the k-th score (Peters, Niculae and Martins 2019, appendix).
inline double exact_entmax_threshold(const EntmaxCandidates& found) {
    double* sorted = scratch<double, 1>(found.count);
    std::copy(found.scores, found.scores + found.count, sorted);
    std::sort(sorted, sorted + found.count, std::greater());
    double sum = 0, squares = 0, threshold = -1;
    for (Index k = 0; k < found.count; ++k) {
        sum += sorted[k];
        squares += sorted[k] * sorted[k];
        const double count = static_cast<double>(k + 1), mean = sum / count;
        const double rest = std::max((1 - (squares - count * mean * mean)) / count, 0.0);
        const double tau = mean - std::sqrt(rest);
        if (tau > sorted[k])
            break;
        threshold = tau;
    }
    return threshold;
}

inline double entmax_threshold(const EntmaxCandidates& found, double alpha) {
    if (alpha == 1.5)
        return exact_entmax_threshold(found);
    const double power = 1 / (alpha - 1);
    const double highest = -std::pow(static_cast<double>(found.count), 1 - alpha);
    return solve_threshold(-1, highest, [&](double tau) {
        SumAndSlope at{-1, 0};
        for (Index i = 0; i < found.count; ++i)
            if (const double left = found.scores[i] - tau; left > 0) {
                const double weight = std::pow(left, power);
                at.sum += weight;
                at.slope -= power * weight / left;
            }
        return at;
    });
}

/// Of any alpha above 1.
template <class Real, class Record>
void to_entmax(Real* row, Index size, double alpha, double temperature, const Record& record) {
    double largest = forbidden<double>;
    for (Index key = 0; key < size; ++key)
        largest = std::max(largest, static_cast<double>(row[key]));
    const double factor = (alpha - 1) / temperature;
    const EntmaxCandidates found = entmax_candidates(row, size, factor, largest);
    const double tau = entmax_threshold(found, alpha);
    record.number("threshold", tau + largest * factor);
    double sum = 0;
    for (Index i = 0; i < found.count; ++i) {
        const double left = std::max(found.scores[i] - tau, 0.0);
        found.scores[i] = alpha == 1.5 ? left * left : alpha == 2 ? left : std::pow(left, 1 / (alpha - 1));
        sum += found.scores[i];
    }
    std::fill(row, row + size, Real(0));
    for (Index i = 0; i < found.count; ++i)
        row[found.keys[i]] = static_cast<Real>(found.scores[i] / sum);
}

/// argmax over the simplex of p . s - |p|_alpha. Its conditions give p_j = |p| u_j^(1 / (alpha - 1)) with
/// u = [s - tau]_+, and the norm is one of p when the sum of u^(alpha / (alpha - 1)) is 1: that finds tau.
template <class Real, class Record>
void to_normmax(Real* row, Index size, double alpha, double temperature, const Record& record) {
    double largest = forbidden<double>;
    for (Index key = 0; key < size; ++key)
        largest = std::max(largest, static_cast<double>(row[key]));
    double* scores = scratch<double>(size);
    Index* keys = scratch<Index>(size);
    Index count = 0;
    for (Index key = 0; key < size; ++key)  // no u is above 1
        if (const double below = (static_cast<double>(row[key]) - largest) / temperature; below > -1) {
            scores[count] = below;
            keys[count++] = key;
        }
    const double power = alpha / (alpha - 1);
    const double highest = -std::pow(static_cast<double>(count), -1 / power);
    const double tau = solve_threshold(-1, highest, [&](double at_tau) {
        SumAndSlope at{-1, 0};
        for (Index i = 0; i < count; ++i)
            if (const double u = scores[i] - at_tau; u > 0) {
                const double term = std::pow(u, power);
                at.sum += term;
                at.slope -= power * term / u;
            }
        return at;
    });
    record.number("threshold", tau + largest / temperature);
    double sum = 0;
    for (Index i = 0; i < count; ++i)
        sum += scores[i] = std::pow(std::max(scores[i] - tau, 0.0), 1 / (alpha - 1));
    std::fill(row, row + size, Real(0));
    for (Index i = 0; i < count; ++i)
        row[keys[i]] = static_cast<Real>(scores[i] / sum);
}

/// The threshold at which clip(s - tau, 0, 1) sums to the budget. With no more keys than the budget all
/// are 1.
inline double budget_threshold(const double* scores, Index size, double budget) {
    double smallest = scores[0], largest = scores[0];
    for (Index key = 0; key < size; ++key) {
        smallest = std::min(smallest, scores[key]);
        largest = std::max(largest, scores[key]);
    }
    if (budget >= static_cast<double>(size))
        return smallest - 1;
    return solve_threshold(smallest - 1, largest, [&](double tau) {
        SumAndSlope at{-budget, 0};
        for (Index key = 0; key < size; ++key) {
            const double share = scores[key] - tau;
            at.sum += std::clamp(share, 0.0, 1.0);
            at.slope -= share > 0 && share < 1 ? 1 : 0;
        }
        return at;
    });
}

template <class Real, class Record>
void to_budget(Real* row, Index size, double budget, double temperature, const kernels::Table<Real>& kernels,
               const Record& record) {
    double* scores = scratch<double>(size);
    Index count = 0;
    const auto offset = static_cast<double>(kernels.maximum(row, size));
    for (Index key = 0; key < size; ++key)
        if (row[key] != forbidden<Real>)
            scores[count++] = (static_cast<double>(row[key]) - offset) / temperature;
    const double tau = budget_threshold(scores, count, budget);
    record.number("threshold", tau + offset / temperature);
    for (Index key = 0; key < size; ++key)
        row[key] = static_cast<Real>(
            std::clamp((static_cast<double>(row[key]) - offset) / temperature - tau, 0.0, 1.0));
}

}  // namespace headlight
