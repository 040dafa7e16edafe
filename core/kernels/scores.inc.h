#pragma once

#include "core/kernels/activation.inc.h"
#include "core/kernels/kernels.h"
#include "core/kernels/multiply.inc.h"
#include "core/kernels/sink.inc.h"

namespace headlight::kernels { namespace {

/// v . activation(left_i + right_j) for the first `keys` keys of every query of the block.
template <Activation activation, class Real, class Sink>
void score_energies(const Block<Real>& block, const Sink& sink, Index keys) {
    for (Index query = 0; query < block.queries; ++query) {
        const Real *left = block.left.row(query), *right = block.energies.data;
        for (Index key = 0; key < keys; ++key, right += block.energies.stride) {
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

template <class Real, class Sink>
void activated_energies(const Block<Real>& block, const Sink& sink, Index keys) {
    with_activation(block.score.activation,
                    [&]<Activation which>() { score_energies<which>(block, sink, keys); });
}

/// Scores of the first `keys` keys, into the block's rows of weights.
template <class Real, class Sink>
void score(const Block<Real>& block, const Sink& sink, Index keys) {
    if (block.hooks && block.hooks->writes_scores())
        return;  // row by row, later
    if (!block.score.energy) {
        Product<Real> product;
        product.left = block.left;
        product.right = block.right;
        product.out = block.map().column_range(0, keys);
        return multiply(product);
    }
    activated_energies(block, sink, keys);
}

/// The energies of a block for those who prepare their two sides themselves; recorded into `energy`, [query,
/// key, d_a], unless that is null.
template <class Real>
void score_energy_block(const Block<Real>& block, Index keys, double* energy) {
    if (!energy)
        return activated_energies(block, NullSink{}, keys);
    StageSlots slots;
    slots.energy = energy;
    activated_energies(block, RecordingSink{slots, block.keys, block.score.energy_width}, keys);
}

}}  // namespace headlight::kernels
