#pragma once

#include "core/attention/buffer.h"
#include "core/attention/kernels/kernels.h"
#include "core/nn/arithmetic/arithmetic.h"
#include "core/nn/parameters.h"

#include <map>
#include <span>
#include <type_traits>
#include <vector>

namespace headlight::nn {

/// A matrix of a computation, [rows, columns], row after row, and the gradient of the loss for it. Both lie
/// in the tape that made it. Copying one copies two pointers.
template <class Real>
struct Variable {
    Real* value = nullptr;
    Real* gradient = nullptr;  ///< null where nothing is differentiated
    Index rows = 0;
    Index columns = 0;

    Index size() const { return rows * columns; }
    std::span<const Real> values() const { return {value, static_cast<std::size_t>(size())}; }
    Real* row(Index r) const { return value + r * columns; }
    Real* gradient_row(Index r) const { return gradient + r * columns; }
    /// Some of its rows, without copying.
    Variable row_range(Index first, Index count) const {
        return {row(first), gradient ? gradient_row(first) : nullptr, count, columns};
    }
    /// The same numbers, cut into rows elsewhere; row_count * column_count must be size().
    Variable reshaped(Index row_count, Index column_count) const {
        return {value, gradient, row_count, column_count};
    }
};

/// Reverse-mode automatic differentiation (Griewank & Walther 2008, chapter 3): operations (operations.h,
/// recurrent.h, attention.h) compute at once, and those of a tape with gradients leave behind what computes
/// the gradients of their operands from that of their result. backward() calls these in reverse order.
///
/// A tape belongs to one thread. What is on it lives until clear(), which keeps the memory: after the first
/// batch training allocates nothing.
template <class Real>
class Tape {
public:
    /// Only to compute: nothing is kept for gradients. `weights` must outlive the tape.
    explicit Tape(std::span<const Real> weights) : Tape(weights, {}) {}
    /// Adds the gradients of the weights to `gradients`, of the same layout, in backward().
    Tape(std::span<const Real> weights, std::span<Real> gradients);
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;

    bool differentiates() const { return !gradients_.empty(); }
    const kernels::Table<Real>& kernels() const { return kernels_; }
    const Arithmetic<Real>& arithmetic() const { return arithmetic_; }

    /// The numbers of a weight as an operand; what arrives at its gradient is the weight's.
    Variable<Real> weight(Weight weight) const;
    /// A matrix to be filled by the caller (what it holds before is not said), with a gradient of zeros.
    Variable<Real> variable(Index rows, Index columns);
    /// The same without a gradient.
    Variable<Real> constant(Index rows, Index columns) {
        return {room(rows * columns), nullptr, rows, columns};
    }
    /// Room for numbers that live as long as what is on the tape.
    Real* room(Index size);
    /// Room until the next call: what passes through stays in the processor's cache.
    Real* scratch(Index size);
    Index* room_for_indices(std::span<const Index> values);

    /// Keeps `step`, called by backward(); it may hold nothing but pointers and numbers.
    template <class Step>
    void on_backward(const Step& step) {
        static_assert(std::is_trivially_copyable_v<Step> && std::is_trivially_destructible_v<Step>);
        if (!differentiates())
            return;
        void* place = bytes(sizeof(Step));
        ::new (place) Step(step);
        steps_.push_back(
            {[](Tape& tape, const void* kept) { (*static_cast<const Step*>(kept))(tape); }, place});
    }

    /// In backward(), `to` gets the gradient of `from`, which is as large, as it is: when there is one.
    void pass_gradient(Variable<Real> from, Variable<Real> to) {
        if (to.gradient)
            on_backward([=](Tape& t) { t.arithmetic().add(from.gradient, from.size(), to.gradient); });
    }

    /// Differentiates the sum of `loss`, [1, 1]. Once for what is on the tape.
    void backward(Variable<Real> loss);
    void clear();

    /// The weight rearranged for products x W, or x W^T, once for everything on the tape.
    kernels::Packed<Real> packed(Weight weight, bool is_transposed = false);
    /// The gradient of `weight` is to grow by inputs^T outputs: inputs [rows, weight.rows], outputs, whose
    /// numbers backward() has still to compute, [rows, weight.columns].
    void collect(Weight weight, const Real* inputs, const Real* outputs, Index rows);
    /// Called by backward() where it has computed the outputs of one use. With the last of them all uses are
    /// multiplied at once.
    void add_collected(Weight weight);
    /// The same of one use, at once.
    void add_outer_products(Weight weight, const Real* inputs, const Real* outputs, Index rows) {
        multiply(weight, {inputs, outputs, rows});
    }

private:
    struct Step {
        void (*call)(Tape&, const void*);
        const void* kept;
    };
    struct Use {
        const Real* inputs;
        const Real* outputs;
        Index rows;
    };
    struct Collected {
        Weight weight;
        std::vector<Use> uses;
        Index computed = 0;  ///< of their outputs
    };

    void* bytes(std::size_t count);
    Use joined(const Collected& collected);
    void multiply(Weight weight, const Use& use);

    const kernels::Table<Real>& kernels_;
    const Arithmetic<Real>& arithmetic_;
    std::span<const Real> weights_;
    std::span<Real> gradients_;
    std::vector<Buffer<std::byte>> chunks_;
    Index in_chunk_ = 0;  ///< bytes taken of the last chunk
    Index used_ = 0;      ///< bytes taken of all of them
    Buffer<Real> scratch_;
    std::vector<Step> steps_;
    struct PackedWeight {
        Weight weight;
        bool is_transposed;
        kernels::Packed<Real> packed;
    };
    std::vector<PackedWeight> packed_;
    std::vector<Collected> collected_;
};

extern template class Tape<float>;
extern template class Tape<double>;

}  // namespace headlight::nn
