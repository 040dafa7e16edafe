#pragma once

#include "core/kernels/activation.h"
#include "core/kernels/level.h"
#include "core/tensor/matrix_view.h"

#include <cstdint>

namespace headlight::kernels {

// The arithmetic of the engine, compiled once for each processor level. Plain pointers in, plain pointers
// out: nothing here allocates, throws (but hooks and pauses may) or knows about threads.

/// Rows that are read in whole vectors, of whatever level, are filled up to a multiple of this many numbers:
/// 64 bytes.
template <class Real>
inline constexpr Index padding = 64 / static_cast<Index>(sizeof(Real));

/// The right operand of a product, [depth, columns]: rearranged by Table::pack for the level that multiplies,
/// or, where `columns` is a multiple of `padding`, as it lies.
template <class Real>
struct Packed {
    const Real* data = nullptr;
    Index depth = 0;
    Index columns = 0;
    Index stride = 0;  ///< of what is read as it lies; 0: rearranged
};

/// Numbers that a packed matrix takes, whatever the level.
template <class Real>
constexpr Index packed_size(Index depth, Index columns) {
    return depth * ((columns + padding<Real> - 1) / padding<Real> * padding<Real>);
}

/// out[rows, columns] = left[rows, depth] right + bias[columns] + added[rows, columns]. Fewer than the right
/// operand's rows and columns may be asked for: the first ones are used.
template <class Real>
struct Product {
    MatrixView<const Real> left = {};  ///< may be transposed
    Packed<Real> right = {};
    const Real* bias = nullptr;         ///< none when null
    bool adds = false;                  ///< to what `out` holds; then there is no bias
    MatrixView<const Real> added = {};  ///< to the sums when they are done; none without data
    MatrixView<Real> out = {};

    /// Returns the product for some of the rows.
    Product row_range(Index first, Index count) const {
        Product part = *this;
        part.left = left.row_range(first, count);
        part.out = out.row_range(first, count);
        if (added.data)
            part.added = added.row_range(first, count);
        return part;
    }
};

/// How a block's scores come from its two operands, each row a query's or a key's.
template <class Real>
struct ScoreRule {
    Index width = 0;  ///< of both operands; for energies a multiple of padding<Real>
    /// v, padded with zeros: the score is v . activation(left + right). Null: it is left . right.
    const Real* energy = nullptr;
    Index energy_width = 0;  ///< d_a, without the padding
    Activation activation = Activation::tanh;
    Real scale = 1;
};

struct MaskRule {
    /// Forbidden pairs get no weight at all; otherwise `value` is added to their scores.
    bool excludes = false;
    bool is_prefix = true;  ///< of every query of the sequence the allowed keys are those before its end
    bool before_scale = false;
    double value = 0;
};

/// How weights follow from a row of scores: a softmax, of which one key may be chosen to have it all.
struct NormalizeRule {
    enum class Choice {
        none,
        largest,  ///< the lowest key among ties
        drawn,    ///< with the softmax as its probabilities
    };
    Choice choice = Choice::none;
    double temperature = 1;
    Index draws = 1;  ///< drawn: how many the recorded frequencies come from
};

/// What a row of scores meets on its way beside scale, mask and softmax. Rows are in place; `query` is the
/// number in the sequence.
template <class Real>
class RowHooks {
public:
    virtual ~RowHooks() = default;
    virtual bool writes_scores() const = 0;  ///< in place of the product or the energies
    virtual bool selects() const = 0;        ///< may forbid keys that the mask allows
    virtual bool normalizes() const = 0;     ///< in place of the softmax
    virtual void write_scores(Index query, Real* row, Index size) const = 0;
    virtual void after_score(Index query, Real* row, Index size) const = 0;
    virtual void after_scale(Index query, Real* row, Index size) const = 0;
    virtual void add_bias(Index query, Real* row, Index size) const = 0;
    virtual void select(Index query, Real* row, Index size) const = 0;
    virtual void normalize(Index query, Real* row, Index size) const = 0;
    virtual void after_normalize(Index query, Real* row, Index size) const = 0;
    /// The last word on a row of weights, also on one that has none.
    virtual void finish_row(Index query, Real* row, Index size) const = 0;
};

/// A run of consecutive queries of one head, from scores to context.
template <class Real>
struct Block {
    ScoreRule<Real> score;
    MaskRule mask;
    NormalizeRule normalizer;

    Index queries = 0;                ///< in this block
    Index keys = 0;                   ///< m
    Index reach = 0;                  ///< one past the last key that any query of the block gives weight to
    MatrixView<const Real> left;      ///< [queries, score.width]
    Packed<Real> right;               ///< products: [score.width, keys]
    MatrixView<const Real> energies;  ///< energies: [keys, score.width]
    Packed<Real> packed_value;        ///< [keys, d_v]
    MatrixView<const Real> value;     ///< the same, not packed
    const RowHooks<Real>* hooks = nullptr;  ///< none when null
    const std::uint8_t* allowed = nullptr;  ///< [queries, keys]
    const Index* ends = nullptr;            ///< [queries]
    std::uint64_t stream = 0;               ///< of random numbers, for the block's head
    Index first_query = 0;                  ///< number in the sequence of the block's first query
    bool is_mapped = false;                 ///< the rows are read whole, by more than their own normaliser
    void (*pause)() = nullptr;              ///< called now and then where a row may last; may throw

    Real* weights = nullptr;   ///< [queries, keys]; zero where no pass writes
    MatrixView<Real> context;  ///< [queries, d_v]

    [[gnu::always_inline]] MatrixView<Real> map() const { return row_major(weights, queries, keys); }
};

/// Where the stages of a block go: each pointer at the block's first query; null when the trace has no such
/// stage.
struct StageSlots {
    double* energy = nullptr;  ///< [query, key, d_a]
    double* scores = nullptr;  ///< [query, key], and so on
    double* scaled_scores = nullptr;
    double* biased_scores = nullptr;
    double* masked_scores = nullptr;
    double* exponentials = nullptr;
    double* soft_weights = nullptr;
    double* frequencies = nullptr;
    double* weights = nullptr;
    double* row_maximum = nullptr;  ///< [query]
    double* row_sum = nullptr;
    double* draw = nullptr;
};

template <class Real>
struct Table {
    /// Rearranges a matrix, which may be transposed, at `to`, packed_size(rows, columns).
    Packed<Real> (*pack)(MatrixView<const Real> from, Real* to);
    void (*multiply)(const Product<Real>&);
    void (*attend)(const Block<Real>&);
    void (*attend_recorded)(const Block<Real>&, const StageSlots&);
    // The same in three parts, for what needs the rows of all queries or heads in between.
    void (*score_rows)(const Block<Real>&, const StageSlots*);      ///< to masked scores
    void (*normalize_rows)(const Block<Real>&, const StageSlots*);  ///< masked scores to weights
    void (*sum_values)(const Block<Real>&);                         ///< weights to context
    /// The scores alone of the first `keys` keys, of a block whose score rule has energies; these into
    /// `energy`, [query, key, d_a], unless it is null.
    void (*score_energy_block)(const Block<Real>&, Index keys, double* energy);
    // For normalisers of a row that are not the kernels' own.
    Real (*maximum)(const Real* row, Index count);  ///< -infinity of none
    /// row[j] = exp((row[j] - largest) / temperature), exactly 0 for -infinity; returns their sum.
    Real (*exponentials)(Real* row, Index count, Real largest, Real temperature);
    /// row[j] = activation(row[j]): as the energies of scores go through it.
    void (*activate)(Activation activation, Real* row, Index count);
};

template <class Real>
const Table<Real>& table(Level level);
template <>
const Table<float>& table(Level level);
template <>
const Table<double>& table(Level level);

}  // namespace headlight::kernels
