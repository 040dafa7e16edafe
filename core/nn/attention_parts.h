#pragma once

#include "core/nn/attention.h"

#include <algorithm>
#include <limits>

namespace headlight::nn {

// What attention.cpp and soft_attention.cpp are made of.

/// The tokens of one sequence of a batch.
template <class Real>
MatrixView<Real> sequence_of(MatrixView<Real> all, const Pairing& pairing, Index sequence) {
    const Index rows = all.rows / pairing.batch;
    return {.data = rows == 0 ? all.data : all.row(sequence),  // without tokens there is no such row
            .rows = rows,
            .columns = all.columns,
            .stride = pairing.batch * all.stride};
}

/// The vectors of one head of a sequence.
template <class Real>
MatrixView<Real> head_of(MatrixView<Real> sequence, const Pairing& pairing, Index head) {
    const Index width = sequence.columns / pairing.heads;
    return sequence.column_range(head * width, width);
}
template <class Real>
MatrixView<Real> head_of(MatrixView<Real> all, const Pairing& pairing, Index sequence, Index head) {
    return head_of(sequence_of(all, pairing, sequence), pairing, head);
}

/// The two products that attention has, and their derivatives, for one sequence and head: `map` is [queries,
/// keys], and each of the others has a vector for every query or every key. A single query is not worth
/// packing its keys for.
template <class Real>
class PairProducts {
public:
    /// `packing` has room for packing_size numbers.
    PairProducts(Tape<Real>& tape, Real* packing) : tape_(tape), packing_(packing) {}
    PairProducts(Tape<Real>& tape, const Pairing& pairing, Index width)
        : PairProducts(tape, tape.scratch(packing_size(pairing, width))) {}

    /// `width` is that of a head's vectors.
    static Index packing_size(const Pairing& pairing, Index width) {
        return std::max({kernels::packed_size<Real>(width, pairing.keys),
                         kernels::packed_size<Real>(pairing.keys, width),
                         kernels::packed_size<Real>(pairing.queries, width)});
    }

    /// map = query key^T, or what it was and that.
    void compare(MatrixView<const Real> query, MatrixView<const Real> key, MatrixView<Real> map,
                 bool adds) const {
        if (query.rows == 1) {
            Real* row = map.row(0);
            for (Index j = 0; j < key.rows; ++j)
                row[j] = (adds ? row[j] : Real(0)) +
                         tape_.arithmetic().inner_product(query.row(0), key.row(j), key.columns);
            return;
        }
        multiply(query, key.transposed(), map, adds);
    }

    /// of_query += map of_key
    void gather(MatrixView<const Real> map, MatrixView<const Real> of_key, MatrixView<Real> of_query) const {
        if (map.rows == 1) {
            for (Index j = 0; j < of_key.rows; ++j)
                tape_.arithmetic().add_scaled(map.row(0)[j], of_key.row(j), of_key.columns, of_query.row(0));
            return;
        }
        multiply(map, of_key, of_query, true);
    }

    /// of_key += map^T of_query
    void scatter(MatrixView<const Real> map, MatrixView<const Real> of_query, MatrixView<Real> of_key) const {
        if (map.rows == 1) {
            for (Index j = 0; j < of_key.rows; ++j)
                tape_.arithmetic().add_scaled(map.row(0)[j], of_query.row(0), of_key.columns, of_key.row(j));
            return;
        }
        multiply(map.transposed(), of_query, of_key, true);
    }

private:
    void multiply(MatrixView<const Real> left, MatrixView<const Real> right, MatrixView<Real> out,
                  bool adds) const {
        const kernels::Packed<Real> packed = tape_.kernels().pack(right, packing_);
        tape_.kernels().multiply({.left = left, .right = packed, .adds = adds, .out = out});
    }

    Tape<Real>& tape_;
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
