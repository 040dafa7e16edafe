#pragma once

#include "core/kernels/activation.h"
#include "core/kernels/cell_type.h"
#include "core/kernels/level.h"
#include "core/tensor/matrix_view.h"

namespace headlight::kernels {

// Loops over numbers that lie side by side, for attention, graphs and training. Gradients are added to what
// is there, unless it says otherwise. Operands do not overlap, but exponential(), logarithm() and
// log_sigmoid() may write where they read.

/// Rows of a layer normalisation, each `width` wide.
template <class Real>
struct LayerNormRows {
    Index rows = 0;
    Index width = 0;
    Real epsilon = 0;  ///< under the root
    const Real* gain = nullptr;
    const Real* bias = nullptr;
    const Real* in = nullptr;
    Real* normal = nullptr;  ///< what meets gain and bias
    Real* scales = nullptr;  ///< [rows]: one over the standard deviation
    Real* out = nullptr;
};
template <class Real>
struct LayerNormSlopes {
    Index rows = 0;
    Index width = 0;
    const Real* gain = nullptr;
    const Real* normal = nullptr;
    const Real* scales = nullptr;
    const Real* of_out = nullptr;
    Real* of_gain = nullptr;
    Real* of_bias = nullptr;
    Real* of_in = nullptr;  ///< null: nobody asks
};

/// score[j] = v . activation(query + key[j]) of one query and its keys.
template <class Real>
struct EnergyRow {
    Activation activation = Activation::tanh;
    const Real* query = nullptr;
    MatrixView<const Real> key;
    const Real* v = nullptr;
    Real* energies = nullptr;  ///< as large as `key`, without gaps, after the activation
    Real* scores = nullptr;
};
template <class Real>
struct EnergySlopes {
    Activation activation = Activation::tanh;
    const Real* v = nullptr;
    const Real* energies = nullptr;
    const Real* of_scores = nullptr;
    Real* of_query = nullptr;
    MatrixView<Real> of_key;
    Real* grad_v = nullptr;
};

/// One sequence at one time step of a recurrent cell of `width` h, g = gates_of(type).
template <class Real>
struct CellRow {
    Index width = 0;
    Real* gates = nullptr;            ///< [g h]: x W + b, which become the activated gates
    const Real* recurrent = nullptr;  ///< [g h]: h U + c
    const Real* hidden = nullptr;     ///< [h], before
    const Real* memory = nullptr;     ///< [h], before
    Real* next_hidden = nullptr;      ///< [h]
    Real* next_memory = nullptr;      ///< [h]
};
template <class Real>
struct CellSlopes {
    Index width = 0;
    const Real* gates = nullptr;
    const Real* recurrent = nullptr;
    const Real* hidden = nullptr;
    const Real* memory = nullptr;
    const Real* next_memory = nullptr;
    const Real* of_next_hidden = nullptr;
    const Real* of_next_memory = nullptr;
    Real* of_hidden = nullptr;
    Real* of_memory = nullptr;
    Real* of_gates = nullptr;      ///< of x W + b; set
    Real* of_recurrent = nullptr;  ///< of h U + c; set
};

/// The numbers of one step of Adam.
template <class Real>
struct AdamFactors {
    Real shorten;       ///< the gradient, to clip it
    Real first_rest;    ///< 1 - beta_1
    Real second_rest;   ///< 1 - beta_2
    Real first_scale;   ///< rate / (1 - beta_1^t)
    Real second_scale;  ///< 1 / (1 - beta_2^t)
    Real epsilon;
    Real kept;  ///< of a weight: 1 - rate * decay
};

/// Tokens that pass one after another through a state [rows, columns], kept in place of a map: with S its
/// rows, each token fades and writes, S[r] <- kept[r] S[r] + written[r] what, and reads, answer += query[0]
/// S[0] + query[1] S[1] + ... By the delta rule it first takes from `what` that which `erased` reads.
template <class Real>
struct StateTokens {
    MatrixView<Real> state;
    MatrixView<const Real> kept = {};  ///< [token, row]; without data: everything
    Index kept_step = 1;               ///< 0: one number for every row
    MatrixView<const Real> written;    ///< of `what`: [token, row]
    MatrixView<const Real> what;       ///< [token, column]
    MatrixView<const Real> erased =
        {};  ///< [token, row], of the state before the token; without data: no delta rule
    MatrixView<Real> predicted = {};    ///< what they read, [token, column]
    MatrixView<const Real> query = {};  ///< [token, row]; without data: nobody reads
    MatrixView<Real> answer = {};       ///< [token, column]; is added to

    /// Returns what concerns some of the rows, which without the delta rule know nothing of each other.
    StateTokens row_range(Index first, Index count) const {
        StateTokens part = *this;
        part.state = state.row_range(first, count);
        if (kept.data && kept_step != 0)
            part.kept = kept.column_range(first, count);
        part.written = written.column_range(first, count);
        if (erased.data)
            part.erased = erased.column_range(first, count);
        if (query.data)
            part.query = query.column_range(first, count);
        return part;
    }
};

/// A key of softmaxes that channels have side by side, each for itself: running sums over exp of the largest
/// exponent so far. An exponent is in two parts, a key's number and what the places add to it: next to a
/// large number the second would be lost.
template <class Real>
struct ChannelStep {
    Index channels = 0;
    const Real* number = nullptr;
    const Real* of_place = nullptr;
    const Real* value = nullptr;
    Real* largest_number = nullptr;  ///< of the exponent above which the sums stand
    Real* largest_place = nullptr;
    Real* values = nullptr;   ///< sum of exp(...) value
    Real* weights = nullptr;  ///< sum of exp(...)
};

/// Row i of an upper triangular R, and what stands behind it. Key after key is rotated into it, so that the
/// key's number i becomes 0 (Givens 1958); query number t, asked when t + 1 keys have been, or none where
/// there are none, is divided by the diagonal, and what that share explains is taken from the rest of it: a
/// step of R^-T q.
template <class Real>
struct RotatedRow {
    static constexpr Index most = 16;  ///< keys and queries at once
    Real* row = nullptr;               ///< zeros before the diagonal, which is above 0
    Index diagonal = 0;                ///< i
    Real* square = nullptr;            ///< of the diagonal, kept with it, also where it is out of range
    Real* inverse = nullptr;           ///< one over the diagonal, kept with it
    MatrixView<Real> keys = {};        ///< [key, number]: what is left of each, zeros before number i
    MatrixView<Real> queries = {};
    Index size = 0;  ///< of the row
};

template <class Real>
struct Arithmetic {
    /// to += from
    void (*add)(const Real* from, Index count, Real* to);
    /// to += factor from
    void (*add_scaled)(Real factor, const Real* from, Index count, Real* to);
    /// to += factors[0] rows[0] + factors[1] rows[1] + ..., in this order
    void (*add_scaled_rows)(const Real* factors, MatrixView<const Real> rows, Real* to);
    /// to[i] -= (x[0] - rows[0][i])^2 + (x[1] - rows[1][i])^2 + ..., one after another
    void (*subtract_squared_distances)(const Real* x, MatrixView<const Real> rows, Real* to);
    /// to = kept to + factor added, number by number; `kept` null: all of it, step 0: one number for all
    void (*fade_and_add)(const Real* kept, Index kept_step, Real factor, const Real* added, Index count,
                         Real* to);
    /// to += a b, number by number
    void (*add_products)(const Real* a, const Real* b, Index count, Real* to);
    /// to[c] += the sum of column c
    void (*add_column_sums)(const Real* from, Index rows, Index columns, Real* to);
    Real (*sum)(const Real* from, Index count);
    Real (*inner_product)(const Real* a, const Real* b, Index count);
    /// to[r] = factor (a . rows[r]): the same number, to the last bit, as inner_product() of that row gives
    void (*inner_products)(const Real* a, MatrixView<const Real> rows, Real factor, Real* to);
    /// to = exp(from): 0 below the smallest normal number, infinite where there is no number as large
    void (*exponential)(const Real* from, Index count, Real* to);
    /// to = ln(from): -infinite at 0, NaN below
    void (*logarithm)(const Real* from, Index count, Real* to);
    /// to = ln(1 / (1 + exp(-from))); as exact for large numbers, where it is nearly 0
    void (*log_sigmoid)(const Real* from, Index count, Real* to);
    /// gradient *= the activation's derivative where its value is `values`
    void (*multiply_by_slopes)(Activation activation, const Real* values, Index count, Real* gradient);
    /// grad_s += factor (diag(p) - p p^T) grad_p, for each row
    void (*add_softmax_slopes)(const Real* p, const Real* grad_p, Index rows, Index columns, Real factor,
                               Real* grad_s);
    void (*layer_norm)(const LayerNormRows<Real>&);
    void (*add_layer_norm_slopes)(const LayerNormSlopes<Real>&);
    void (*score_energy_row)(const EnergyRow<Real>&);
    void (*add_energy_slopes)(const EnergySlopes<Real>&);
    void (*run_cell)(CellType, const CellRow<Real>&);
    void (*add_cell_slopes)(CellType, const CellSlopes<Real>&);
    void (*adam)(const AdamFactors<Real>&, const Real* gradient, Index count, Real* first, Real* second,
                 Real* weights);
    void (*pass_tokens)(const StateTokens<Real>&);
    void (*add_to_channels)(const ChannelStep<Real>&);
    void (*rotate_into_row)(const RotatedRow<Real>&);
};

template <class Real>
const Arithmetic<Real>& arithmetic(Level level);
template <>
const Arithmetic<float>& arithmetic(Level level);
template <>
const Arithmetic<double>& arithmetic(Level level);

/// Returns that of chosen_level().
template <class Real>
const Arithmetic<Real>& chosen_arithmetic() {
    return arithmetic<Real>(chosen_level());
}

}  // namespace headlight::kernels
