#include "core/nn/copy.h"

#include "core/attention/normalizers/rows.h"
#include "core/attention/sigmoid.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headlight::nn {

namespace {

/// Below this a probability is not told from 0: its logarithm stays finite, and passes nothing on.
constexpr double smallest = 1e-30;

/// Key j of a row in a batch of so many.
Index word_of(const Index* keys, Index batch, Index row, Index key) {
    return keys[key * batch + row % batch];
}

template <class Real>
Real probability_of(Real gate) {
    return static_cast<Real>(sigmoid(static_cast<double>(gate)));
}

template <class Real>
void to_probabilities(const Real* logits, Real* p, Index size, const kernels::Table<Real>& kernels) {
    std::copy_n(logits, size, p);
    softmax_row(p, size, kernels, Unrecorded(), Real(1));
}

template <class Real>
struct Copying {
    Variable<Real> logits, weights, gate;
    const Index* keys;
    Index batch;
    Variable<Real> written;  ///< softmax(logits), [r, v]
    Variable<Real> said;     ///< P, [r, v]
    Variable<Real> result;   ///< log P

    Index word(Index row, Index key) const { return word_of(keys, batch, row, key); }
    Real share(Index row) const { return probability_of(gate.value[row]); }

    void say(Index row, const kernels::Table<Real>& kernels) const {
        const Index size = logits.columns;
        Real *p = written.row(row), *both = said.row(row);
        to_probabilities(logits.row(row), p, size, kernels);
        const Real g = share(row);
        for (Index w = 0; w < size; ++w)
            both[w] = g * p[w];
        for (Index j = 0; j < weights.columns; ++j)
            if (word(row, j) >= 0)
                both[word(row, j)] += (1 - g) * weights.row(row)[j];
        for (Index w = 0; w < size; ++w)
            result.row(row)[w] = std::log(std::max(both[w], static_cast<Real>(smallest)));
    }

    void say_back(Index row, Real* of_said) const {
        const Index size = logits.columns;
        const Real g = share(row), *p = written.row(row), *both = said.row(row);
        Real of_gate = 0, mean = 0;
        for (Index w = 0; w < size; ++w) {
            of_said[w] =
                both[w] > static_cast<Real>(smallest) ? result.gradient_row(row)[w] / both[w] : Real(0);
            of_gate += of_said[w] * p[w];
            mean += of_said[w] * p[w];
        }
        for (Index w = 0; logits.has_gradient() && w < size; ++w)
            logits.gradient_row(row)[w] += g * p[w] * (of_said[w] - mean);
        for (Index j = 0; j < weights.columns; ++j) {
            if (word(row, j) < 0)
                continue;
            const Real of_word = of_said[word(row, j)];
            of_gate -= of_word * weights.row(row)[j];
            if (weights.has_gradient())
                weights.gradient_row(row)[j] += (1 - g) * of_word;
        }
        if (gate.has_gradient())
            gate.gradient()[row] += g * (1 - g) * of_gate;
    }
};

}  // namespace

template <class Real>
Variable<Real> copy_logits(Tape<Real>& tape, Variable<Real> logits, Variable<Real> weights,
                           Variable<Real> gate, std::span<const Index> keys) {
    assert(weights.rows == logits.rows && gate.size() == logits.rows);
    assert(std::ranges::all_of(keys, [&](Index word) { return word < logits.columns; }));
    const Copying<Real> copying{.logits = logits,
                                .weights = weights,
                                .gate = gate,
                                .keys = tape.room_for_indices(keys),
                                .batch = static_cast<Index>(keys.size()) / weights.columns,
                                .written = tape.constant(logits.rows, logits.columns),
                                .said = tape.constant(logits.rows, logits.columns),
                                .result = tape.variable(logits.rows, logits.columns)};
    for (Index r = 0; r < logits.rows; ++r)
        copying.say(r, tape.kernels());
    tape.on_backward([copying](Tape<Real>& t) {
        Real* of_said = t.room(copying.logits.columns);
        for (Index r = 0; r < copying.logits.rows; ++r)
            copying.say_back(r, of_said);
    });
    return copying.result;
}

template <class Real>
void rule_out_impossible(Variable<Real> said) {
    const Real floor = std::log(static_cast<Real>(smallest));
    for (Index i = 0; i < said.size(); ++i)
        if (said.value[i] <= floor)
            said.value[i] = static_cast<Real>(log_of_impossible);
}

template <class Real>
CopyMixture<Real> copy_mixture(Tape<Real>& tape, Variable<Real> logits, Variable<Real> weights,
                               Variable<Real> gate, std::span<const Index> keys) {
    const CopyMixture<Real> mixture{tape.constant(logits.rows, 1), tape.constant(logits.rows, logits.columns),
                                    tape.constant(logits.rows, logits.columns)};
    const Index batch = static_cast<Index>(keys.size()) / weights.columns;
    for (Index row = 0; row < logits.rows; ++row) {
        mixture.generates.value[row] = probability_of(gate.value[row]);
        to_probabilities(logits.row(row), mixture.vocabulary.row(row), logits.columns, tape.kernels());
        std::fill_n(mixture.copied.row(row), logits.columns, Real(0));
        for (Index key = 0; key < weights.columns; ++key)
            if (const Index word = word_of(keys.data(), batch, row, key); word >= 0)
                mixture.copied.row(row)[word] += weights.row(row)[key];
    }
    return mixture;
}

template Variable<float> copy_logits(Tape<float>&, Variable<float>, Variable<float>, Variable<float>,
                                     std::span<const Index>);
template Variable<double> copy_logits(Tape<double>&, Variable<double>, Variable<double>, Variable<double>,
                                      std::span<const Index>);
template void rule_out_impossible(Variable<float>);
template void rule_out_impossible(Variable<double>);
template CopyMixture<float> copy_mixture(Tape<float>&, Variable<float>, Variable<float>, Variable<float>,
                                         std::span<const Index>);
template CopyMixture<double> copy_mixture(Tape<double>&, Variable<double>, Variable<double>, Variable<double>,
                                          std::span<const Index>);

}  // namespace headlight::nn
