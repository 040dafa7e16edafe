#pragma once

#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"
#include "core/nn/parameters.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/storage.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <span>
#include <type_traits>
#include <vector>

namespace headlight::nn {

template <class Real>
class Tape;

/// What the loss changes by with the numbers of one matrix. It takes memory when backward() first asks for
/// it, full of zeros, and gives it back with the operation that made the matrix, after which nobody can ask:
/// few gradients live at a time, and in the processor's cache.
template <class Real>
struct Gradient {
    Tape<Real>* tape;
    Real* numbers;  ///< null until somebody asks
    Index size;
    std::size_t first_step;  ///< the first of the steps that can ask
    bool stays = false;      ///< until clear()
    bool is_over = false;    ///< nobody may ask any more
};

/// A matrix of a computation, [rows, columns], row after row, and the gradient of the loss for it. Both lie
/// in the tape that made it. Copying one copies pointers.
template <class Real>
class Variable {
public:
    Variable() = default;
    Variable(Real* its_value, Index row_count, Index column_count, Gradient<Real>* gradient = nullptr,
             Index first = 0)
        : value(its_value), rows(row_count), columns(column_count), gradient_(gradient), first_(first) {}

    Index size() const { return rows * columns; }
    std::span<const Real> values() const { return {value, static_cast<std::size_t>(size())}; }
    Real* row(Index r) const { return value + r * columns; }
    MatrixView<Real> view() const { return row_major(value, rows, columns); }

    /// Null where nothing is differentiated.
    Real* gradient() const;
    Real* gradient_row(Index r) const { return gradient() + r * columns; }
    MatrixView<Real> gradient_view() const { return row_major(gradient(), rows, columns); }
    bool has_gradient() const { return gradient_; }
    bool shares_gradient_with(Variable other) const { return gradient_ && gradient_ == other.gradient_; }
    /// Returns the uninitialised gradient if nothing has been accumulated into it yet, else null. The caller
    /// must then write every element.
    Real* untouched_gradient() const;
    /// Others may ask for it when its operation is done.
    void keep_gradient() const { gradient_->stays = true; }
    Variable without_gradient() const { return {value, rows, columns}; }
    /// With that of another, as large.
    Variable with_gradient_of(Variable other) const {
        return {value, rows, columns, other.gradient_, other.first_};
    }

    /// Some of its rows, without copying.
    Variable row_range(Index first, Index count) const {
        return {row(first), count, columns, gradient_, first_ + first * columns};
    }
    /// The same numbers, cut into rows elsewhere; row_count * column_count must be size().
    Variable reshaped(Index row_count, Index column_count) const {
        return {value, row_count, column_count, gradient_, first_};
    }

    Real* value = nullptr;
    Index rows = 0;
    Index columns = 0;

private:
    Gradient<Real>* gradient_ = nullptr;
    Index first_ = 0;  ///< number of the gradient that is this one's first
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

    /// Calls `ask` before the tape takes memory, with the bytes that it would then hold. What it throws comes
    /// to the caller of the operation, and nothing has been allocated.
    void ask_before_growing(std::function<void(Index bytes)> ask) { ask_ = std::move(ask); }

    bool differentiates() const { return !gradients_.empty(); }
    const kernels::Table<Real>& kernels() const { return kernels_; }
    const kernels::Arithmetic<Real>& arithmetic() const { return arithmetic_; }

    /// The numbers of a weight as an operand; what arrives at its gradient is the weight's.
    Variable<Real> weight(Weight weight);
    /// A matrix to be filled by the caller (what it holds before is not said), with a gradient of zeros.
    Variable<Real> variable(Index rows, Index columns) { return with_gradient(constant(rows, columns)); }
    /// The same without a gradient.
    Variable<Real> constant(Index rows, Index columns) { return {room(rows * columns), rows, columns}; }
    /// With a gradient of its own, where the tape differentiates.
    Variable<Real> with_gradient(Variable<Real> variable);
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
        if (!to.has_gradient())
            return;
        on_backward([=](Tape& t) {
            if (Real* untouched = to.untouched_gradient())
                std::copy_n(from.gradient(), from.size(), untouched);
            else
                t.arithmetic().add(from.gradient(), from.size(), to.gradient());
        });
    }

    /// Differentiates the sum of `loss`, [1, 1]. Once for what is on the tape.
    void backward(Variable<Real> loss);
    void clear();

    /// The weight rearranged for products x W, or x W^T, once for everything on the tape.
    kernels::Packed<Real> packed(Weight weight, bool is_transposed = false);
    /// The gradient of `weight` is to grow by inputs^T of_outputs: inputs [rows, weight.rows], the gradient
    /// of outputs, which backward() has still to compute, [rows, weight.columns].
    void collect(Weight weight, const Real* inputs, Variable<Real> outputs);
    /// Called by backward() where it has computed the outputs of one use. With the last of them all uses are
    /// multiplied at once.
    void add_collected(Weight weight);
    /// The same of one use, at once.
    void add_outer_products(Weight weight, const Real* inputs, Variable<Real> outputs) {
        multiply(weight, inputs, outputs.gradient(), outputs.rows);
    }

private:
    struct Step {
        void (*call)(Tape&, const void*);
        const void* kept;
    };
    struct Use {
        const Real* inputs;
        Variable<Real> outputs;
    };
    struct Collected {
        Weight weight;
        std::vector<Use> uses;
        Index computed = 0;  ///< of their outputs
    };

    void* bytes(std::size_t count);
    Storage<std::byte>& add_chunk(Index size);
    void multiply(const Collected& collected);
    void multiply(Weight weight, const Real* inputs, const Real* of_outputs, Index rows);

    friend class Variable<Real>;
    void open(Gradient<Real>& gradient);
    void close(Gradient<Real>& gradient);

    const kernels::Table<Real>& kernels_;
    const kernels::Arithmetic<Real>& arithmetic_;
    std::span<const Real> weights_;
    std::span<Real> gradients_;
    std::function<void(Index)> ask_;
    std::vector<Storage<std::byte>> chunks_;
    Index in_chunk_ = 0;  ///< bytes taken of the last chunk
    Index used_ = 0;      ///< bytes taken of all of them
    Storage<Real> scratch_;
    std::vector<Step> steps_;
    std::vector<Gradient<Real>*> lent_;               ///< in the order of their first steps
    std::map<Index, std::vector<Real*>> given_back_;  ///< by size
    struct PackedWeight {
        Weight weight;
        bool is_transposed;
        kernels::Packed<Real> packed;
    };
    std::vector<PackedWeight> packed_;
    std::vector<Collected> collected_;
};

template <class Real>
Real* Variable<Real>::gradient() const {
    if (!gradient_)
        return nullptr;
    assert(!gradient_->is_over);
    if (!gradient_->numbers) {
        gradient_->tape->open(*gradient_);
        std::fill_n(gradient_->numbers, gradient_->size, Real(0));
    }
    return gradient_->numbers + first_;
}

template <class Real>
Real* Variable<Real>::untouched_gradient() const {
    if (!gradient_ || gradient_->numbers || gradient_->size != size())
        return nullptr;
    assert(!gradient_->is_over);
    gradient_->tape->open(*gradient_);
    return gradient_->numbers;
}

extern template class Tape<float>;
extern template class Tape<double>;

}  // namespace headlight::nn
