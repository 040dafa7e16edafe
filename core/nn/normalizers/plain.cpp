#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/options.h"
#include "core/nn/normalizers/parts.h"

#include <cmath>

namespace headlight::nn {

namespace {

/// s / t where the key counts, else 0.
template <class Real>
Variable<Real> scores_themselves(Tape<Real>& tape, const ScoreMap<Real>& map, Real temperature) {
    const auto forward = [=](Real* row, Index) {
        divide(row, map.scores.columns, temperature);
        for (Index j = 0; j < map.scores.columns; ++j)
            row[j] = row[j] == forbidden<Real> ? Real(0) : row[j];
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        for (Index j = 0; j < row.size; ++j)
            row.grad_s[j] += row.s[j] == forbidden<Real> ? Real(0) : row.grad_p[j] / temperature;
    });
}

/// sigmoid(s / t + b); b is learned, or a number, or minus the logarithm of the number of keys (Ramapuram et
/// al. 2025)
template <class Real>
Variable<Real> sigmoids(Tape<Real>& tape, const ScoreMap<Real>& map, Real temperature, double given,
                        Variable<Real> learned) {
    const auto* kernels = &tape.kernels();
    const auto forward = [=](Real* row, Index) {
        const Index size = map.scores.columns;
        const Real bias =
            learned.value
                ? *learned.value
                : static_cast<Real>(given == automatic_bias ? bias_for(count_allowed(row, size)) : given);
        to_biased_sigmoid(row, size, temperature, bias, *kernels);
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        for (Index j = 0; j < row.size; ++j) {
            const Real of_sum = row.grad_p[j] * row.p[j] * (1 - row.p[j]);
            row.grad_s[j] += of_sum / temperature;
            if (learned.has_gradient())
                *learned.gradient() += of_sum;
        }
    });
}

/// max(0, s / t)^power / n, n the keys that count (Wortsman et al. 2023)
template <class Real>
Variable<Real> relus(Tape<Real>& tape, const ScoreMap<Real>& map, bool squares, Real temperature) {
    const auto forward = [=](Real* row, Index) {
        to_relu(row, map.scores.columns, squares, temperature, Unrecorded());
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        const Real share = 1 / (temperature * static_cast<Real>(count_allowed(row.s, row.size)));
        for (Index j = 0; j < row.size; ++j)
            if (row.s[j] > 0)
                row.grad_s[j] += row.grad_p[j] * share * (squares ? 2 * row.s[j] / temperature : Real(1));
    });
}

/// max(0, e_j) / sum |e_k| with e = exp(s / t) - 1 (Zuhri et al. 2025)
template <class Real>
Variable<Real> softpick(Tape<Real>& tape, const ScoreMap<Real>& map, double temperature) {
    const auto* kernels = &kernels::table<double>(kernels::chosen_level());
    const auto forward = [=](Real* row, Index) {
        to_softpick(row, map.scores.columns, temperature, *kernels, Unrecorded());
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        // Powers and sum are exp(-largest) times the true ones, as in the forward direction.
        double* powers = scratch<double, ScratchRow::way_back>(row.size);
        std::copy_n(row.s, row.size, powers);
        divide(powers, row.size, temperature);
        const double largest = std::max(0.0, kernels->maximum(powers, row.size));
        kernels->exponentials(powers, row.size, largest, 1);
        const double one = std::exp(-largest);
        double sum = 0;
        for (Index j = 0; j < row.size; ++j)
            sum += row.s[j] == forbidden<Real> ? 0 : std::abs(powers[j] - one);
        if (sum == 0)
            return;
        const Real mean = row.mean();
        for (Index j = 0; j < row.size; ++j) {
            const Real slope = static_cast<Real>(powers[j] / (sum * temperature));
            row.grad_s[j] += slope * (row.s[j] > 0 ? row.grad_p[j] - mean : row.s[j] < 0 ? mean : Real(0));
        }
    });
}

/// 1 + x + x^2 / 2 + ... up to x^degree / degree!
double series(double x, int degree) {
    double sum = 1;
    for (int term = degree; term > 0; --term)
        sum = 1 + sum * x / term;
    return sum;
}

/// The beginning of the series of exp(s / t), divided by the row's sum (Arora et al. 2024)
template <class Real>
Variable<Real> taylor(Tape<Real>& tape, const ScoreMap<Real>& map, int degree, double temperature) {
    const auto forward = [=](Real* row, Index) {
        to_taylor(row, map.scores.columns, degree, temperature, Unrecorded());
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        double sum = 0;
        for (Index j = 0; j < row.size; ++j)
            sum +=
                row.s[j] == forbidden<Real> ? 0 : series(static_cast<double>(row.s[j]) / temperature, degree);
        const Real mean = row.mean();
        for (Index j = 0; j < row.size; ++j)
            if (row.s[j] != forbidden<Real>) {  // the series' derivative is the series without its last term
                const double slope = series(static_cast<double>(row.s[j]) / temperature, degree - 1);
                row.grad_s[j] += static_cast<Real>(slope / (sum * temperature)) * (row.grad_p[j] - mean);
            }
    });
}

/// b_j times the product of 1 - b_k over the keys k after j, b = sigmoid(s / t) (Tan et al. 2025)
template <class Real>
Variable<Real> broken_stick(Tape<Real>& tape, const ScoreMap<Real>& map, bool own_key, Real temperature,
                            Index first_query) {
    const auto* kernels = &tape.kernels();
    const auto is_own = [=](Index row, Index key) { return !own_key && key == first_query + map.query(row); };
    const auto forward = [=](Real* row, Index r) {
        for (Index j = 0; j < map.scores.columns; ++j)
            row[j] = is_own(r, j) ? forbidden<Real> : row[j];
        break_stick(row, map.scores.columns, temperature, *kernels, Unrecorded());
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        Real* broken = scratch<Real, ScratchRow::way_back>(row.size);
        for (Index j = 0; j < row.size; ++j)
            broken[j] = row.s[j] / temperature;
        kernels->activate(Activation::sigmoid, broken, row.size);
        Real before = 0;  // sum of p_i of_p_i over the keys i before j, which get less when j breaks off more
        for (Index j = 0; j < row.size; ++j) {
            if (is_own(row.number, j))
                continue;
            row.grad_s[j] += (row.grad_p[j] * row.p[j] * (1 - broken[j]) - broken[j] * before) / temperature;
            before += row.grad_p[j] * row.p[j];
        }
    });
}

}  // namespace

template <class Real>
Variable<Real> plain_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                             const NormalizerWeights& learned, Index first_query) {
    const Options& options = normalizer.options;
    const Real temperature = static_cast<Real>(normalizer.temperature);
    switch (normalizer.type) {
    case NormalizerType::sigmoid:
        return sigmoids(tape, map, temperature, option<double>(options, "bias"),
                        learned.has("bias") ? tape.weight(learned["bias"]) : Variable<Real>{});
    case NormalizerType::relu:
        return relus(tape, map, option<std::string>(options, "power") == "2", temperature);
    case NormalizerType::softpick:
        return softpick(tape, map, normalizer.temperature);
    case NormalizerType::taylor:
        return taylor(tape, map, std::stoi(option<std::string>(options, "degree")), normalizer.temperature);
    case NormalizerType::stick_breaking:
        return broken_stick(tape, map, option<bool>(options, "own_key"), temperature, first_query);
    default:
        return scores_themselves(tape, map, temperature);
    }
}

template Variable<float> plain_weights(Tape<float>&, const ScoreMap<float>&, const Normalizer&,
                                       const NormalizerWeights&, Index);
template Variable<double> plain_weights(Tape<double>&, const ScoreMap<double>&, const Normalizer&,
                                        const NormalizerWeights&, Index);

}  // namespace headlight::nn
