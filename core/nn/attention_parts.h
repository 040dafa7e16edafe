#pragma once

#include "core/nn/attention.h"

#include <algorithm>
#include <limits>

namespace headlight::nn {

// What attention.cpp and soft_attention.cpp are made of.

/// The vectors of one sequence and head within a matrix of all, `stride` apart.
template <class Real>
struct Strip {
    Real* data;
    Index stride;

    Real* row(Index r) const { return data + r * stride; }
};

template <class Real>
Strip<Real> strip(Real* data, Index columns, const Pairing& pairing, Index sequence, Index head) {
    const Index width = columns / pairing.heads;
    return {data + sequence * columns + head * width, pairing.batch * columns};
}

/// The two products that attention has, and their derivatives, for one sequence and head: `map` is [queries,
/// keys], and each of the others has a vector for every query or every key. A single query is not worth
/// packing its keys for.
template <class Real>
class PairProducts {
public:
    /// `width` is that of a head's vectors. `packing` has room for packing_size numbers.
    PairProducts(Tape<Real>& tape, const Pairing& pairing, Index width, Real* packing)
        : tape_(tape), queries_(pairing.queries), keys_(pairing.keys), width_(width), packing_(packing) {}
    PairProducts(Tape<Real>& tape, const Pairing& pairing, Index width)
        : PairProducts(tape, pairing, width, tape.scratch(packing_size(pairing, width))) {}

    static Index packing_size(const Pairing& pairing, Index width) {
        return std::max({kernels::packed_size<Real>(width, pairing.keys),
                         kernels::packed_size<Real>(pairing.keys, width),
                         kernels::packed_size<Real>(pairing.queries, width)});
    }

    /// map = query key^T, or what it was and that.
    void compare(Strip<Real> query, Strip<Real> key, Real* map, bool adds) const {
        if (queries_ == 1) {
            for (Index j = 0; j < keys_; ++j)
                map[j] = (adds ? map[j] : Real(0)) +
                         tape_.arithmetic().inner_product(query.data, key.row(j), width_);
            return;
        }
        multiply({.left = query.data,
                  .left_stride = query.stride,
                  .right = {},
                  .adds = adds,
                  .out = map,
                  .out_stride = keys_,
                  .rows = queries_,
                  .depth = width_,
                  .columns = keys_},
                 {.from = key.data, .stride = key.stride, .is_transposed = true});
    }

    /// of_query += map of_key
    void gather(const Real* map, Strip<Real> of_key, Strip<Real> of_query) const {
        if (queries_ == 1) {
            for (Index j = 0; j < keys_; ++j)
                tape_.arithmetic().add_scaled(map[j], of_key.row(j), width_, of_query.data);
            return;
        }
        multiply({.left = map,
                  .left_stride = keys_,
                  .right = {},
                  .adds = true,
                  .out = of_query.data,
                  .out_stride = of_query.stride,
                  .rows = queries_,
                  .depth = keys_,
                  .columns = width_},
                 {.from = of_key.data, .stride = of_key.stride});
    }

    /// of_key += map^T of_query
    void scatter(const Real* map, Strip<Real> of_query, Strip<Real> of_key) const {
        if (queries_ == 1) {
            for (Index j = 0; j < keys_; ++j)
                tape_.arithmetic().add_scaled(map[j], of_query.data, width_, of_key.row(j));
            return;
        }
        multiply({.left = map,
                  .left_stride = 1,
                  .left_step = keys_,
                  .right = {},
                  .adds = true,
                  .out = of_key.data,
                  .out_stride = of_key.stride,
                  .rows = keys_,
                  .depth = queries_,
                  .columns = width_},
                 {.from = of_query.data, .stride = of_query.stride});
    }

private:
    void multiply(kernels::Product<Real> product, kernels::Packing<Real> packing) const {
        packing.depth = product.depth;
        packing.columns = product.columns;
        packing.to = packing_;
        tape_.kernels().pack(packing);
        product.right = packing.packed();
        tape_.kernels().multiply(product);
    }

    Tape<Real>& tape_;
    Index queries_, keys_, width_;
    Real* packing_;
};

/// Calls visit(sequence, head, first row of the map).
template <class Visit>
void for_each_head(const Pairing& pairing, const Visit& visit) {
    for (Index sequence = 0; sequence < pairing.batch; ++sequence)
        for (Index head = 0; head < pairing.heads; ++head)
            visit(sequence, head, pairing.map_row(sequence, head, 0));
}

/// One past the last key that counts for query i of a sequence: what counts is always a prefix.
inline Index end_of_keys(const Pairing& pairing, const Allowed& allowed, Index sequence, Index i) {
    const Index length =
        allowed.key_lengths.empty() ? pairing.keys : allowed.key_lengths[static_cast<std::size_t>(sequence)];
    const Index seen = allowed.causal ? pairing.keys - pairing.queries + i + 1 : pairing.keys;
    return std::clamp<Index>(std::min(seen, length), 0, pairing.keys);
}

}  // namespace headlight::nn
