#include "core/nn/copy.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headlight::nn {

namespace {

/// Below this a probability is not told from 0: its logarithm stays finite, and passes nothing on.
constexpr double smallest = 1e-30;

template <class Real>
struct Copying {
    Variable<Real> logits, weights, gate;
    const Index* keys;
    Index batch;
    Variable<Real> written;  ///< softmax(logits), [r, v]
    Variable<Real> said;     ///< P, [r, v]
    Variable<Real> result;   ///< log P

    Index word(Index row, Index key) const { return keys[key * batch + row % batch]; }
    Real share(Index row) const { return 1 / (1 + std::exp(-gate.value[row])); }

    void say(Index row, const kernels::Table<Real>& kernels) const {
        const Index size = logits.columns;
        Real *p = written.row(row), *both = said.row(row);
        std::copy_n(logits.row(row), size, p);
        const Real sum = kernels.exponentials(p, size, kernels.maximum(p, size), Real(1));
        const Real g = share(row);
        for (Index w = 0; w < size; ++w) {
            p[w] /= sum;
            both[w] = g * p[w];
        }
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
        for (Index w = 0; logits.gradient && w < size; ++w)
            logits.gradient_row(row)[w] += g * p[w] * (of_said[w] - mean);
        for (Index j = 0; j < weights.columns; ++j) {
            if (word(row, j) < 0)
                continue;
            const Real of_word = of_said[word(row, j)];
            of_gate -= of_word * weights.row(row)[j];
            if (weights.gradient)
                weights.gradient_row(row)[j] += (1 - g) * of_word;
        }
        if (gate.gradient)
            gate.gradient[row] += g * (1 - g) * of_gate;
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

template Variable<float> copy_logits(Tape<float>&, Variable<float>, Variable<float>, Variable<float>,
                                     std::span<const Index>);
template Variable<double> copy_logits(Tape<double>&, Variable<double>, Variable<double>, Variable<double>,
                                      std::span<const Index>);

}  // namespace headlight::nn
