#pragma once

#include "core/attention/kernels/activation.inc.h"
#include "core/attention/kernels/kernels.h"
#include "core/attention/kernels/multiply.inc.h"

namespace headlight::kernels { namespace {

/// v . activation(left_i + right_j) for keys first .. last-1 of every query of the block.
template <Activation activation, class Real, class Sink>
void score_energies(const Block<Real>& block, const Sink& sink, Index first, Index last) {
    for (Index query = 0; query < block.queries; ++query) {
        const Real* left = block.left + query * block.left_stride;
        for (Index key = first; key < last; ++key) {
            const Real* right = block.right + key * block.right_stride;
            Packet<Real> sum = fill(Real(0));
            for (Index feature = 0; feature < block.score.width; feature += lanes<Real>) {
                const auto energy =
                    activate<activation, Real>(packet::padd(load(left + feature), load(right + feature)));
                sum = packet::padd(sum, packet::pmul(energy, load(block.score.energy + feature)));
                if constexpr (Sink::records) {
                    Real values[lanes<Real>];
                    packet::pstoreu(values, energy);
                    sink.energy(query, key, feature, values, lanes<Real>);
                }
            }
            block.weights[query * block.keys + key] = packet::predux(sum);
        }
    }
}

/// Scores of keys first .. last-1, into the block's rows of weights.
template <class Real, class Sink>
void score(const Block<Real>& block, const Sink& sink, Index first, Index last) {
    if (first >= last)
        return;
    if (!block.score.energy) {
        multiply_transposed(block.left, block.left_stride, block.right + first * block.right_stride,
                            block.right_stride, block.weights + first, block.keys, block.queries,
                            block.score.width, last - first);
        return;
    }
    switch (block.score.activation) {
    case Activation::tanh:
        return score_energies<Activation::tanh>(block, sink, first, last);
    case Activation::relu:
        return score_energies<Activation::relu>(block, sink, first, last);
    case Activation::sigmoid:
        return score_energies<Activation::sigmoid>(block, sink, first, last);
    case Activation::identity:
        return score_energies<Activation::identity>(block, sink, first, last);
    }
}

}}  // namespace headlight::kernels
