#include "core/attention/normalizers/balancing.h"
#include "core/attention/options.h"
#include "core/nn/normalizers/parts.h"

#include <cmath>

namespace headlight::nn {

namespace {

/// The scores of all heads divided by the temperature, [b h n, m], without a gradient.
template <class Real>
Variable<Real> logits_of(Tape<Real>& tape, const ScoreMap<Real>& map, Real temperature) {
    const Variable<Real> logits = tape.constant(map.scores.rows, map.scores.columns);
    std::copy_n(map.scores.value, logits.size(), logits.value);
    divide(logits.value, logits.size(), temperature);
    return logits;
}

/// exp(S / t) with its rows and columns brought to equal sums in turn. Of every iteration r and c are kept,
/// so that the way back goes through the same ones: what stands at (i, j) between two of them is exp(s + r_i
/// + c_j).
template <class Real>
class Sinkhorn {
public:
    Sinkhorn(Tape<Real>& tape, const ScoreMap<Real>& map, Real temperature, Index iterations)
        : map_(map), temperature_(temperature), iterations_(iterations),
          logits_(logits_of(tape, map, temperature)), weights_(tape.variable(logits_.rows, logits_.columns)),
          kernels_(&tape.kernels()), arithmetic_(&tape.arithmetic()),
          heads_(map.pairing.batch * map.pairing.heads), rows_(tape.room(heads_ * iterations * queries())),
          columns_(tape.room(heads_ * iterations * keys())) {}

    Variable<Real> weights() const { return weights_; }

    void balance() const {
        for (Index head = 0; head < heads_; ++head) {
            const Balancing<Real> balancing = balancing_of(head);
            std::fill_n(of_columns(head, 0), keys(), Real(0));
            balancing.balance_rows(of_columns(head, 0), of_rows(head, 0));
            for (Index step = 1; step < iterations_; ++step) {
                balancing.balance_columns(of_rows(head, step - 1), of_columns(head, step));
                balancing.balance_rows(of_columns(head, step), of_rows(head, step));
            }
            for (Index query = 0; query < queries(); ++query)
                balancing.weigh(query, of_columns(head, iterations_ - 1),
                                weights_.row(head * queries() + query));
        }
    }

    void balance_back() const {
        for (Index head = 0; head < heads_; ++head)
            balance_back(head);
    }

private:
    Index queries() const { return map_.pairing.queries; }
    Index keys() const { return map_.pairing.keys; }
    Real* of_rows(Index head, Index step) const { return rows_ + (head * iterations_ + step) * queries(); }
    Real* of_columns(Index head, Index step) const { return columns_ + (head * iterations_ + step) * keys(); }
    Balancing<Real> balancing_of(Index head) const {
        return {logits_.row(head * queries()), queries(), keys(), *kernels_};
    }

    /// The last rows are a softmax over s + c. Before it r_i = -ln of the sum over j of exp(s + c_j), and c_j
    /// = target - ln of the sum over i of exp(s + r_i): what either passes back to s and to the other is
    /// minus its own gradient times its shares, which are exp(s + r + c), for columns divided by what they
    /// sum to.
    void balance_back(Index head) const {
        const Index n = queries(), m = keys();
        Real* of_row = scratch<Real, ScratchRow::way_back>(n);
        Real* of_column = scratch<Real, ScratchRow::beside_way_back>(m);
        Real* of_scores = map_.scores.gradient_row(head * n);
        const auto add = [&](Index i, Index j, Real gradient) {
            of_scores[i * m + j] += gradient / temperature_;
        };

        std::fill_n(of_column, m, Real(0));
        for (Index i = 0; i < n; ++i) {
            const Index r = head * n + i;
            const Real *p = weights_.row(r), *grad_p = weights_.gradient_row(r);
            const Real mean = arithmetic_->inner_product(p, grad_p, m);
            for (Index j = 0; j < m; ++j) {
                const Real gradient = p[j] * (grad_p[j] - mean);
                add(i, j, gradient);
                of_column[j] += gradient;
            }
        }
        const Real target = balancing_of(head).target();
        Real* numbers = scratch<Real, ScratchRow::beside>(m);  // of one row, 0 where the mask forbids
        const auto balance_row = [&](Index i, Index row_step, Index column_step) {
            const Real *scores = logits_.row(head * n + i), *added = of_columns(head, column_step);
            for (Index j = 0; j < m; ++j)
                numbers[j] = scores[j] + of_rows(head, row_step)[i] + added[j];
            arithmetic_->exponential(numbers, m, numbers);
        };
        const Real of_share = std::exp(-target);
        for (Index step = iterations_ - 1; step > 0; --step) {
            for (Index i = 0; i < n; ++i) {
                of_row[i] = 0;
                balance_row(i, step - 1, step);
                for (Index j = 0; j < m; ++j) {
                    const Real gradient = -of_column[j] * numbers[j] * of_share;
                    add(i, j, gradient);
                    of_row[i] += gradient;
                }
            }
            std::fill_n(of_column, m, Real(0));
            for (Index i = 0; i < n; ++i) {
                balance_row(i, step - 1, step - 1);
                for (Index j = 0; j < m; ++j) {
                    const Real gradient = -of_row[i] * numbers[j];
                    add(i, j, gradient);
                    of_column[j] += gradient;
                }
            }
        }
    }

    ScoreMap<Real> map_;
    Real temperature_;
    Index iterations_;
    Variable<Real> logits_, weights_;
    const kernels::Table<Real>* kernels_;
    const kernels::Arithmetic<Real>* arithmetic_;
    Index heads_;    ///< of all sequences
    Real* rows_;     ///< r: [b h, iterations, n]
    Real* columns_;  ///< c: [b h, iterations, m]
};

/// softmax over the queries of each key, then each row divided by its sum (Locatello et al. 2020)
template <class Real>
class Slots {
public:
    Slots(Tape<Real>& tape, const ScoreMap<Real>& map, Real temperature)
        : map_(map), temperature_(temperature), logits_(logits_of(tape, map, temperature)),
          weights_(tape.variable(logits_.rows, logits_.columns)), kernels_(&tape.kernels()),
          arithmetic_(&tape.arithmetic()) {}

    Variable<Real> weights() const { return weights_; }

    /// Replaces the logits by the logarithms of the shares.
    void compete() const {
        const Index n = map_.pairing.queries, m = map_.pairing.keys;
        Real *largest = scratch<Real>(m), *above = scratch<Real, ScratchRow::above>(m);
        for (Index first = 0; first < weights_.rows; first += n) {
            column_log_sums<Real>(logits_.row(first), n, m, nullptr, largest, above, *kernels_);
            for (Index r = first; r < first + n; ++r) {
                for (Index j = 0; j < m; ++j)
                    logits_.row(r)[j] = (logits_.row(r)[j] - largest[j]) - above[j];
                std::copy_n(logits_.row(r), m, weights_.row(r));
                softmax_row(weights_.row(r), m, *kernels_, Unrecorded(), Real(1));
            }
        }
    }

    void compete_back() const {
        const Index n = map_.pairing.queries, m = map_.pairing.keys;
        Real *of_sums = scratch<Real>(m), *shares = scratch<Real, ScratchRow::above>(m);
        const auto of_logit = [&](Index r, Index j, Real mean) {
            return weights_.row(r)[j] * (weights_.gradient_row(r)[j] - mean);
        };
        Real* means = scratch<Real, ScratchRow::beside>(n);
        for (Index first = 0; first < weights_.rows; first += n) {
            std::fill_n(of_sums, m, Real(0));
            for (Index r = first; r < first + n; ++r) {
                means[r - first] = arithmetic_->inner_product(weights_.row(r), weights_.gradient_row(r), m);
                for (Index j = 0; j < m; ++j)
                    of_sums[j] += of_logit(r, j, means[r - first]);
            }
            for (Index r = first; r < first + n; ++r) {
                arithmetic_->exponential(logits_.row(r), m, shares);
                for (Index j = 0; j < m; ++j)
                    map_.scores.gradient_row(r)[j] +=
                        (of_logit(r, j, means[r - first]) - shares[j] * of_sums[j]) / temperature_;
            }
        }
    }

private:
    ScoreMap<Real> map_;
    Real temperature_;
    Variable<Real> logits_, weights_;
    const kernels::Table<Real>* kernels_;
    const kernels::Arithmetic<Real>* arithmetic_;
};

}  // namespace

template <class Real>
Variable<Real> coupled_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer) {
    const Real temperature = static_cast<Real>(normalizer.temperature);
    if (normalizer.type == NormalizerType::slot) {
        const Slots<Real> slots(tape, map, temperature);
        slots.compete();
        tape.on_backward([slots](Tape<Real>&) { slots.compete_back(); });
        return slots.weights();
    }
    const Sinkhorn<Real> sinkhorn(tape, map, temperature, option<Index>(normalizer.options, "iterations"));
    sinkhorn.balance();
    tape.on_backward([sinkhorn](Tape<Real>&) { sinkhorn.balance_back(); });
    return sinkhorn.weights();
}

template Variable<float> coupled_weights(Tape<float>&, const ScoreMap<float>&, const Normalizer&);
template Variable<double> coupled_weights(Tape<double>&, const ScoreMap<double>&, const Normalizer&);

}  // namespace headlight::nn
