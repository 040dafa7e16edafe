#pragma once

#include "core/attention/normalizers/rows.h"
#include "core/attention/normalizers/threshold.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight {

// Scores to weights by a threshold, in place, for rows with a key that counts. What the scores must lose is
// recorded as `threshold`.

// Scores are counted from the largest of their row, so that no digits are lost however large they are: the
// difference of two doubles within a factor of 2 is exact, and 1 can be told from it.

/// (s - largest) / t, at most 0. A division by 1 would be most of what a row costs.
template <class Real>
double below_largest(Real score, double largest, double temperature) {
    const double below = static_cast<double>(score) - largest;
    return temperature == 1 ? below : below / temperature;
}

/// The threshold of [s - tau]_+ that makes the row sum to 1, counted from the `largest` score (Martins and
/// Astudillo 2016, algorithm 1): with the scores sorted downwards, k is the largest count with
/// 1 + k s_(k) > s_(1) + ... + s_(k). What is 1 or more below the largest never counts.
template <class Real>
double sparsemax_threshold(const Real* scores, Index size, double largest, double temperature) {
    double* sorted = scratch<double>(size);
    double* end = sorted;
    for (Index key = 0; key < size; ++key)
        if (const double below = below_largest(scores[key], largest, temperature); below > -1)
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
    return tau;
}

template <class Real, class Record>
void to_sparsemax(Real* row, Index size, double temperature, const kernels::Table<Real>& kernels,
                  const Record& record) {
    const auto largest = static_cast<double>(kernels.maximum(row, size));
    const double tau = sparsemax_threshold(row, size, largest, temperature);
    record.number("threshold", tau + largest / temperature);
    for (Index key = 0; key < size; ++key)
        row[key] = static_cast<Real>(std::max(below_largest(row[key], largest, temperature) - tau, 0.0));
}

/// The scores of a row that can get weight, x = (s - largest) / t. With a = alpha - 1 their weights are
/// (1 + a (x - theta))^(1 / a) where that is above 0: the paper's [a s - tau]_+^(1 / a) with
/// tau = a theta - 1, a form that keeps its digits as a goes to 0 and becomes e^(x - theta).
struct EntmaxCandidates {
    double* scores;  ///< x, at most 0
    Index* keys;
    Index count = 0;
};

template <class Real>
EntmaxCandidates entmax_candidates(const Real* row, Index size, double a, double largest,
                                   double temperature) {
    EntmaxCandidates found{scratch<double>(size), scratch<Index>(size)};
    for (Index key = 0; key < size; ++key)
        if (const double x = below_largest(row[key], largest, temperature); a * x > -1) {
            found.scores[found.count] = x;
            found.keys[found.count++] = key;
        }
    return found;
}

/// (1 + a (x - theta))^(1 / a); 0 where that has no value.
inline double entmax_weight(double x, double theta, double a) {
    const double above = a * (x - theta);
    if (above <= -1)
        return 0;
    if (a == 0.5)
        return (1 + above) * (1 + above);
    return a == 1 ? 1 + above : std::exp(std::log1p(above) / a);
}

/// alpha = 1.5, in closed form: for the k largest z = x / 2, tau = mean - sqrt((1 - k var) / k); the support
/// is the largest k whose tau does not pass the k-th score (Peters, Niculae and Martins 2019, appendix).
inline double exact_entmax_threshold(const EntmaxCandidates& found) {
    double* sorted = scratch<double, ScratchRow::beside>(found.count);
    std::transform(found.scores, found.scores + found.count, sorted, [](double x) { return x / 2; });
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
    return 2 * (threshold + 1);
}

/// theta. The largest weight lies between 1 / count and 1, which brackets it.
inline double entmax_threshold(const EntmaxCandidates& found, double a) {
    if (a == 0.5)
        return exact_entmax_threshold(found);
    const double highest = -std::expm1(-a * std::log(static_cast<double>(found.count))) / a;
    return solve_threshold(0, highest, [&](double theta) {
        SumAndSlope at{-1, 0};
        for (Index i = 0; i < found.count; ++i)
            if (const double weight = entmax_weight(found.scores[i], theta, a); weight > 0) {
                at.sum += weight;
                at.slope -= weight / (1 + a * (found.scores[i] - theta));
            }
        return at;
    });
}

/// Entmax for any alpha above 1.
template <class Real, class Record>
void to_entmax(Real* row, Index size, double alpha, double temperature, const kernels::Table<Real>& kernels,
               const Record& record) {
    const double largest = static_cast<double>(kernels.maximum(row, size)), a = alpha - 1;
    const EntmaxCandidates found = entmax_candidates(row, size, a, largest, temperature);
    const double theta = entmax_threshold(found, a);
    record.number("threshold", a * (theta + largest / temperature) - 1);
    double sum = 0;
    for (Index i = 0; i < found.count; ++i)
        sum += found.scores[i] = entmax_weight(found.scores[i], theta, a);
    std::fill(row, row + size, Real(0));
    for (Index i = 0; i < found.count; ++i)
        row[found.keys[i]] = static_cast<Real>(found.scores[i] / sum);
}

/// argmax over the simplex of p . s - |p|_alpha. Its conditions give p_j = |p| u_j^(1 / (alpha - 1)) with
/// u = [s - tau]_+, and the norm is one of p when the sum of u^(alpha / (alpha - 1)) is 1: that finds tau.
template <class Real, class Record>
void to_normmax(Real* row, Index size, double alpha, double temperature, const kernels::Table<Real>& kernels,
                const Record& record) {
    const auto largest = static_cast<double>(kernels.maximum(row, size));
    double* scores = scratch<double>(size);
    Index* keys = scratch<Index>(size);
    Index count = 0;
    for (Index key = 0; key < size; ++key)  // no u is above 1
        if (const double below = below_largest(row[key], largest, temperature); below > -1) {
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

/// A threshold as one of the scores less something between 0 and 1, or more: exact, however far the score
/// is from 0.
struct NearScore {
    double score = 0;
    double below = 0;
};

/// The threshold at which clip(s - tau, 0, 1) sums to the budget; all are 1 where no more keys are there than
/// that. From above, the sum gains a key at each score and loses it, at its full weight, 1 below the score;
/// between these places it is a straight line. At 1 below the m-th largest score, m at least the budget, m
/// keys have all of their weight: what is lower never enters. Reorders `scores`.
inline NearScore budget_threshold(double* scores, Index count, double budget) {
    Index size = count;
    if (budget < static_cast<double>(count)) {
        const auto enough = static_cast<Index>(std::ceil(budget));
        std::nth_element(scores, scores + enough - 1, scores + count, std::greater());
        const double lowest = scores[enough - 1] - 1;
        size =
            std::partition(scores + enough, scores + count, [=](double s) { return s >= lowest; }) - scores;
    }
    std::sort(scores, scores + size, std::greater());
    Index entered = 0, full = 0;
    NearScore at{scores[0], 0};
    for (double sum = 0;;) {
        const bool enters = entered < size && scores[entered] - scores[full] >= -1;
        const NearScore next{scores[enters ? entered : full], enters ? 0.0 : 1.0};
        const double way = (at.score - next.score) + (next.below - at.below);
        const double slope = static_cast<double>(entered - full);
        const double gained = slope == 0 ? 0 : slope * way;
        if (sum + gained >= budget)
            return {at.score, at.below + (budget - sum) / slope};
        if (!enters && full + 1 == size)
            return next;
        sum += gained;
        ++(enters ? entered : full);
        at = next;
    }
}

template <class Real, class Record>
void to_budget(Real* row, Index size, double budget, double temperature, const kernels::Table<Real>& kernels,
               const Record& record) {
    double* scores = scratch<double>(size);
    Index count = 0;
    const auto offset = static_cast<double>(kernels.maximum(row, size));
    for (Index key = 0; key < size; ++key)
        if (row[key] != forbidden<Real>)
            if (const double below = below_largest(row[key], offset, temperature); below <= 0)  // no NaN
                scores[count++] = below;
    const NearScore tau = count == 0 ? NearScore() : budget_threshold(scores, count, budget);
    record.number("threshold", tau.score - tau.below + offset / temperature);
    for (Index key = 0; key < size; ++key)
        row[key] = static_cast<Real>(
            std::clamp((below_largest(row[key], offset, temperature) - tau.score) + tau.below, 0.0, 1.0));
}

}  // namespace headlight
