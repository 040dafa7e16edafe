#pragma once

#include "core/kernels/kernels.h"
#include "core/kernels/packet.inc.h"

#include <cassert>

namespace headlight::kernels { namespace {

// A tile of the result is kept in registers while the depth is walked: at each step every row's number,
// spread over a register, is multiplied with the same few vectors of the right operand (Goto & van de Geijn
// 2008, section 4). The left operand is read where it lies; the right one is packed so that its vectors
// follow one another in memory.
//
// Why not Eigen's product: it allocates, it is slower here (bench/compare_pytorch.py prints both), and it
// rounds an element differently in the last rows and columns of a block.
//
// An element of the result is one chain of multiply-adds in the order of the depth, whichever tile it falls
// into: computing more rows or columns, in other blocks, changes no bit of the others.

/// With 32 registers 6 x 4 accumulators leave room for 4 vectors and a number; with 16, 6 x 2.
constexpr int tile_rows = 6;
template <class Real>
constexpr int tile_vectors = lanes<Real> * sizeof(Real) == 64 ? 4 : 2;
template <class Real>
constexpr Index panel_columns = Index{tile_vectors<Real>} * lanes<Real>;

/// `columns` of the tile's vectors exist, of the right operand and of the result.
template <int rows, int vectors, class Real>
void multiply_tile(const Product<Real>& p, const Real* left, const Real* right, Index right_stride,
                   const Real* bias, const Real* added, Real* out, Index columns) {
    Packet<Real> sums[rows][vectors];
#pragma GCC unroll 8
    for (int vector = 0; vector < vectors; ++vector) {
        const Index first = vector * lanes<Real>;
        const Packet<Real> start = bias ? load_part(bias + first, columns - first, Real(0)) : fill(Real(0));
#pragma GCC unroll 8
        for (int row = 0; row < rows; ++row)
            sums[row][vector] =
                p.adds ? load_part(out + row * p.out.stride + first, columns - first, Real(0)) : start;
    }
    for (Index k = 0; k < p.left.columns; ++k, left += p.left.step, right += right_stride) {
        Packet<Real> factors[vectors];
#pragma GCC unroll 8
        for (int vector = 0; vector < vectors; ++vector)
            factors[vector] = load(right + vector * lanes<Real>);
#pragma GCC unroll 8
        for (int row = 0; row < rows; ++row) {
            const Packet<Real> number = fill(left[row * p.left.stride]);
#pragma GCC unroll 8
            for (int vector = 0; vector < vectors; ++vector)
                sums[row][vector] = packet::pmadd(number, factors[vector], sums[row][vector]);
        }
    }
    if (added)
#pragma GCC unroll 8
        for (int row = 0; row < rows; ++row)
#pragma GCC unroll 8
            for (int vector = 0; vector < vectors; ++vector) {
                const Index first = vector * lanes<Real>;
                sums[row][vector] = sums[row][vector] +
                                    load_part(added + row * p.added.stride + first, columns - first, Real(0));
            }
#pragma GCC unroll 8
    for (int row = 0; row < rows; ++row)
#pragma GCC unroll 8
        for (int vector = 0; vector < vectors; ++vector)
            store_part(out + row * p.out.stride + vector * lanes<Real>, columns - vector * lanes<Real>,
                       sums[row][vector]);
}

/// Tiles below one another in one panel, the last one lower.
template <int rows, int vectors, class Real>
void multiply_rows(const Product<Real>& p, Index first_row, const Real* right, Index right_stride,
                   Index first_column) {
    if constexpr (rows > 0) {
        Index row = first_row;
        for (; row + rows <= p.out.rows; row += rows) {
            const Real* added = p.added.data ? p.added.data + row * p.added.stride + first_column : nullptr;
            multiply_tile<rows, vectors>(p, p.left.data + row * p.left.stride, right, right_stride,
                                         p.bias ? p.bias + first_column : nullptr, added,
                                         p.out.data + row * p.out.stride + first_column,
                                         p.out.columns - first_column);
        }
        if (row < p.out.rows)
            multiply_rows<rows - 1, vectors>(p, row, right, right_stride, first_column);
    }
}

template <int vectors, class Real>
void multiply_panel(const Product<Real>& p, const Real* right, Index right_stride, Index first_column) {
    if constexpr (vectors > 0) {
        if (p.out.columns - first_column > (vectors - 1) * lanes<Real>)
            multiply_rows<tile_rows, vectors>(p, 0, right, right_stride, first_column);
        else
            multiply_panel<vectors - 1>(p, right, right_stride, first_column);
    }
}

constexpr Index round_up(Index count, Index multiple) { return (count + multiple - 1) / multiple * multiple; }

template <class Real>
void multiply(const Product<Real>& p) {
    assert(p.left.rows == p.out.rows && p.left.columns <= p.right.depth && p.out.columns <= p.right.columns);
    const Index packed_columns = round_up(p.right.columns, lanes<Real>);
    for (Index column = 0; column < p.out.columns; column += panel_columns<Real>) {
        if (p.right.stride > 0) {
            multiply_panel<tile_vectors<Real>>(p, p.right.data + column, p.right.stride, column);
            continue;
        }
        const Index left = packed_columns - column;
        const Index stride = left < panel_columns<Real> ? left : panel_columns<Real>;
        multiply_panel<tile_vectors<Real>>(p, p.right.data + column * p.right.depth, stride, column);
    }
}

/// to[r][c] = from[c][r] for at most as many rows and columns as a vector has lanes; zero where there are
/// none.
template <class Real>
void pack_transposed_square(const Real* from, Index stride, Index rows, Index columns, Real* to,
                            Index to_stride) {
    packet::PacketBlock<Packet<Real>, lanes<Real>> square;
    for (Index column = 0; column < lanes<Real>; ++column)
        square.packet[column] =
            column < columns ? load_part(from + column * stride, rows, Real(0)) : fill(Real(0));
    packet::ptranspose(square);
    for (Index row = 0; row < lanes<Real> && row < rows; ++row)
        packet::pstoreu(to + row * to_stride, square.packet[row]);
}

/// Panels of panel_columns one after another, the last one as narrow as whole vectors allow and filled up
/// with zeros; in each panel row by row.
template <class Real>
Packed<Real> pack(MatrixView<const Real> from, Real* to) {
    assert(from.step == 1 || from.stride == 1);
    const Packed<Real> packed{to, from.rows, from.columns};
    for (Index first = 0; first < from.columns; first += panel_columns<Real>) {
        const Index left = from.columns - first;
        const Index columns = left < panel_columns<Real> ? left : panel_columns<Real>;
        const Index stride = round_up(columns, lanes<Real>);
        if (from.step != 1) {
            for (Index column = 0; column < columns; column += lanes<Real>)
                for (Index row = 0; row < from.rows; row += lanes<Real>)
                    pack_transposed_square(from.data + (first + column) * from.step + row, from.step,
                                           from.rows - row, columns - column, to + row * stride + column,
                                           stride);
        } else {
            for (Index row = 0; row < from.rows; ++row)
                for (Index column = 0; column < stride; column += lanes<Real>)
                    packet::pstoreu(
                        to + row * stride + column,
                        load_part(from.data + row * from.stride + first + column, columns - column, Real(0)));
        }
        to += from.rows * stride;
    }
    return packed;
}

}}  // namespace headlight::kernels
