#include "core/nn/coverage.h"

#include <algorithm>
#include <cassert>

namespace headlight::nn {

template <class Real>
Variable<Real> coverage_loss(Tape<Real>& tape, Variable<Real> weights, Variable<Real> covered,
                             std::span<const Index> labels, Real factor) {
    assert(weights.size() == covered.size() && static_cast<Index>(labels.size()) == weights.rows);
    const Variable<Real> loss = tape.variable(1, 1);
    const Index* counted = tape.room_for_indices(labels);
    double total = 0;  // in double, as the cross-entropy that it stands beside
    for (Index row = 0; row < weights.rows; ++row)
        for (Index key = 0; counted[row] >= 0 && key < weights.columns; ++key)
            total += static_cast<double>(std::min(weights.row(row)[key], covered.row(row)[key]));
    *loss.value = static_cast<Real>(static_cast<double>(factor) * total);
    tape.on_backward([=](Tape<Real>&) {
        for (Index row = 0; row < weights.rows; ++row)
            for (Index key = 0; counted[row] >= 0 && key < weights.columns; ++key) {
                const bool is_new = weights.row(row)[key] <= covered.row(row)[key];
                const Variable<Real>& smaller = is_new ? weights : covered;
                if (smaller.has_gradient())
                    smaller.gradient_row(row)[key] += factor * *loss.gradient();
            }
    });
    return loss;
}

template Variable<float> coverage_loss(Tape<float>&, Variable<float>, Variable<float>, std::span<const Index>,
                                       float);
template Variable<double> coverage_loss(Tape<double>&, Variable<double>, Variable<double>,
                                        std::span<const Index>, double);

}  // namespace headlight::nn
