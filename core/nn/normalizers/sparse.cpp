#include "core/attention/normalizers/sparse_rows.h"
#include "core/attention/options.h"
#include "core/nn/normalizers/parts.h"

#include <cmath>

namespace headlight::nn {

namespace {

/// grad_s += factor (diag(u) - u u^T / sum(u)) grad_p: the derivative of what is softmax-like in u.
template <class Real, class Share>
void add_shared_slope(const RowSlope<Real>& row, Real factor, const Share& u) {
    Real sum = 0, weighted = 0;
    for (Index j = 0; j < row.size; ++j) {
        sum += u(row.p[j]);
        weighted += u(row.p[j]) * row.grad_p[j];
    }
    if (sum == 0)
        return;
    const Real mean = weighted / sum;
    for (Index j = 0; j < row.size; ++j)
        row.grad_s[j] += factor * u(row.p[j]) * (row.grad_p[j] - mean);
}

/// u is 1 where there is weight (Martins & Astudillo 2016, proposition 2)
template <class Real>
Variable<Real> sparsemax(Tape<Real>& tape, const ScoreMap<Real>& map, double temperature) {
    const auto* kernels = &tape.kernels();
    const auto forward = [=](Real* row, Index) {
        to_sparsemax(row, map.scores.columns, temperature, *kernels, Unrecorded());
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        add_shared_slope(row, static_cast<Real>(1 / temperature),
                         [](Real p) { return p > 0 ? Real(1) : Real(0); });
    });
}

/// u_j = p_j^(2 - alpha) where there is weight (Peters, Niculae & Martins 2019, proposition 2)
template <class Real>
Variable<Real> entmax(Tape<Real>& tape, const ScoreMap<Real>& map, double alpha, double temperature) {
    if (alpha == 1)
        return softmax(tape, map.scores, static_cast<Real>(temperature));
    const auto* kernels = &tape.kernels();
    const auto forward = [=](Real* row, Index) {
        to_entmax(row, map.scores.columns, alpha, temperature, *kernels, Unrecorded());
    };
    const Real power = static_cast<Real>(2 - alpha);
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        add_shared_slope(row, static_cast<Real>(1 / temperature),
                         [power](Real p) { return p > 0 ? std::pow(p, power) : Real(0); });
    });
}

/// u is 1 where the weight is neither 0 nor 1 (Malaviya, Ferreira & Martins 2018, section 3)
template <class Real>
Variable<Real> budget(Tape<Real>& tape, const ScoreMap<Real>& map, double budget, double temperature) {
    const auto* kernels = &tape.kernels();
    const auto forward = [=](Real* row, Index) {
        to_budget(row, map.scores.columns, budget, temperature, *kernels, Unrecorded());
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        add_shared_slope(row, static_cast<Real>(1 / temperature),
                         [](Real p) { return p > 0 ? Real(p < 1) : Real(0); });
    });
}

/// p = u^q / sum(u^q) with q = 1 / (alpha - 1) and u = [s - tau]_+, where the sum of u^(q alpha) is 1
/// (Blondel, Martins & Niculae 2020). From the latter d tau = p . d s, hence d u = d s - p . d s on the
/// support; and u = p^(alpha - 1) / |p|_alpha^(alpha - 1) is known from the weights.
template <class Real>
void add_normmax_slope(const RowSlope<Real>& row, Real alpha, Real temperature) {
    Real sum = 0;
    for (Index j = 0; j < row.size; ++j)
        sum += row.p[j] > 0 ? std::pow(row.p[j], alpha) : Real(0);
    const Real norm = std::pow(sum, (alpha - 1) / alpha);
    const Real mean = row.mean();
    const auto grad_u = [&](Index j) {  // d p_j = q p_j / u_j (d u_j - ...)
        const Real p_over_u = std::pow(row.p[j], 2 - alpha) * norm;
        return p_over_u * (row.grad_p[j] - mean) / (alpha - 1);
    };
    Real all = 0;
    for (Index j = 0; j < row.size; ++j)
        all += row.p[j] > 0 ? grad_u(j) : Real(0);
    for (Index j = 0; j < row.size; ++j)
        if (row.p[j] > 0)
            row.grad_s[j] += (grad_u(j) - row.p[j] * all) / temperature;
}

template <class Real>
Variable<Real> normmax(Tape<Real>& tape, const ScoreMap<Real>& map, double alpha, double temperature) {
    const auto* kernels = &tape.kernels();
    const auto forward = [=](Real* row, Index) {
        to_normmax(row, map.scores.columns, alpha, temperature, *kernels, Unrecorded());
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        add_normmax_slope(row, static_cast<Real>(alpha), static_cast<Real>(temperature));
    });
}

}  // namespace

template <class Real>
Variable<Real> sparse_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer) {
    const double temperature = normalizer.temperature;
    const auto number = [&](const char* name) { return option<double>(normalizer.options, name); };
    switch (normalizer.type) {
    case NormalizerType::entmax:
        return entmax(tape, map, number("alpha"), temperature);
    case NormalizerType::normmax:
        return normmax(tape, map, number("alpha"), temperature);
    case NormalizerType::budget:
        return budget(tape, map, number("budget"), temperature);
    default:
        return sparsemax(tape, map, temperature);
    }
}

template Variable<float> sparse_weights(Tape<float>&, const ScoreMap<float>&, const Normalizer&);
template Variable<double> sparse_weights(Tape<double>&, const ScoreMap<double>&, const Normalizer&);

}  // namespace headlight::nn
