#include "core/nn/tape.h"

#include "core/kernels/multiply_in_parts.h"
#include "core/tensor/error.h"
#include "core/tensor/sanitizers.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace headlight::nn {

namespace {

constexpr Index alignment = 64;
constexpr Index smallest_chunk = Index(1) << 20;
/// Columns up to which a gradient is multiplied where it lies. It is read once for every few rows of the
/// weight, too seldom for rearranging it to pay, unless its rows are so far apart that they drive each other
/// out of the cache.
constexpr Index widest_unpacked = 512;

#ifdef HEADLIGHT_ADDRESS_SANITIZER
constexpr bool is_watched = true;
#else
constexpr bool is_watched = false;
#endif

/// What is read before it is written, or after its time, is seen in the results.
template <class Number>
void fill_with_nans(Number* numbers, Index size) {
    if (size > 0)
        std::memset(numbers, 0xFF, static_cast<std::size_t>(size) * sizeof(Number));
}

/// AddressSanitizer sees where a piece ends when it has a chunk of its own.
Storage<std::byte> watched_piece(std::size_t count) {
    Storage<std::byte> piece(static_cast<Index>(count));
    fill_with_nans(piece.data(), std::ssize(piece));
    return piece;
}

}  // namespace

template <class Real>
Tape<Real>::Tape(std::span<const Real> weights, std::span<Real> gradients)
    : kernels_(kernels::table<Real>(kernels::chosen_level())),
      arithmetic_(kernels::arithmetic<Real>(kernels::chosen_level())), weights_(weights),
      gradients_(gradients) {
    assert(gradients.empty() || gradients.size() == weights.size());
}

template <class Real>
Variable<Real> Tape<Real>::weight(Weight weight) {
    // Nothing writes to a weight's value: a Variable has one kind of pointer so that operations have one
    // form.
    Real* value = const_cast<Real*>(weights_.data()) + weight.offset;
    const Variable<Real> constant{value, weight.rows, weight.columns};
    if (!differentiates())
        return constant;
    auto* gradient = ::new (bytes(sizeof(Gradient<Real>)))
        Gradient<Real>{this, gradients_.data() + weight.offset, weight.size(), 0};
    return {value, weight.rows, weight.columns, gradient};
}

template <class Real>
Variable<Real> Tape<Real>::with_gradient(Variable<Real> variable) {
    if (!differentiates() || variable.has_gradient())
        return variable;
    auto* gradient =
        ::new (bytes(sizeof(Gradient<Real>))) Gradient<Real>{this, nullptr, variable.size(), steps_.size()};
    lent_.push_back(gradient);
    return {variable.value, variable.rows, variable.columns, gradient};
}

template <class Real>
void Tape<Real>::open(Gradient<Real>& gradient) {
    std::vector<Real*>& alike = given_back_[gradient.size];
    if (alike.empty()) {
        gradient.numbers = room(gradient.size);
        return;
    }
    gradient.numbers = alike.back();
    alike.pop_back();
}

template <class Real>
void Tape<Real>::close(Gradient<Real>& gradient) {
    if (gradient.stays)
        return;
    gradient.is_over = true;
    if (!gradient.numbers)
        return;
    if constexpr (is_watched)  // nobody gets it again, and who kept a pointer to it reads NaNs
        fill_with_nans(gradient.numbers, gradient.size);
    else
        given_back_[gradient.size].push_back(gradient.numbers);
}

template <class Real>
Real* Tape<Real>::room(Index size) {
    Interruption::check();  // every operation asks for room
    return static_cast<Real*>(bytes(static_cast<std::size_t>(size) * sizeof(Real)));
}

template <class Real>
Real* Tape<Real>::scratch(Index size) {
    if (is_watched ? std::ssize(scratch_) != size : std::ssize(scratch_) < size)
        scratch_ = Storage<Real>(size);
    if constexpr (is_watched)
        fill_with_nans(scratch_.data(), size);
    return scratch_.data();
}

template <class Real>
Index* Tape<Real>::room_for_indices(std::span<const Index> values) {
    auto* place = static_cast<Index*>(bytes(values.size_bytes()));
    std::ranges::copy(values, place);
    return place;
}

template <class Real>
Storage<std::byte>& Tape<Real>::add_chunk(Index size) {
    if (ask_) {
        Index held = size;
        for (const Storage<std::byte>& chunk : chunks_)
            held += std::ssize(chunk);
        ask_(held);
    }
    return chunks_.emplace_back(size);
}

template <class Real>
void* Tape<Real>::bytes(std::size_t count) {
    if constexpr (is_watched)
        return chunks_.emplace_back(watched_piece(count)).data();
    const Index size = parts_of_size(static_cast<Index>(count), alignment) * alignment;
    if (chunks_.empty() || in_chunk_ + size > std::ssize(chunks_.back())) {
        add_chunk(std::max({size, smallest_chunk, used_}));
        in_chunk_ = 0;
    }
    void* place = chunks_.back().data() + in_chunk_;
    in_chunk_ += size;
    used_ += size;
    return place;
}

template <class Real>
void Tape<Real>::clear() {
    if (chunks_.size() > 1) {
        // One chunk for all that was needed: the next batch, which is much like this one, takes no more
        // memory.
        const Index needed = used_ + used_ / 8;
        chunks_.clear();
        add_chunk(needed);
    }
    in_chunk_ = used_ = 0;
    steps_.clear();
    lent_.clear();
    for (auto& [size, numbers] : given_back_)
        numbers.clear();
    packed_.clear();
    collected_.clear();
}

template <class Real>
void Tape<Real>::backward(Variable<Real> loss) {
    assert(differentiates() && loss.size() == 1);
    *loss.gradient() = 1;
    for (std::size_t step = steps_.size(); step-- > 0;) {
        Interruption::check();
        steps_[step].call(*this, steps_[step].kept);
        for (; !lent_.empty() && lent_.back()->first_step >= step; lent_.pop_back())
            close(*lent_.back());
    }
}

template <class Real>
kernels::Packed<Real> Tape<Real>::packed(Weight weight, bool is_transposed) {
    const auto found = std::ranges::find_if(packed_, [&](const PackedWeight& kept) {
        return kept.weight == weight && kept.is_transposed == is_transposed;
    });
    if (found != packed_.end())
        return found->packed;
    const auto stored = row_major<const Real>(weights_.data() + weight.offset, weight.rows, weight.columns);
    const Index depth = is_transposed ? weight.columns : weight.rows;
    const Index columns = is_transposed ? weight.rows : weight.columns;
    const kernels::Packed<Real> packed = kernels_.pack(is_transposed ? stored.transposed() : stored,
                                                       room(kernels::packed_size<Real>(depth, columns)));
    packed_.push_back({weight, is_transposed, packed});
    return packed;
}

template <class Real>
void Tape<Real>::collect(Weight weight, const Real* inputs, Variable<Real> outputs) {
    const auto found = std::ranges::find(collected_, weight, &Collected::weight);
    Collected& collected =
        found != collected_.end() ? *found : collected_.emplace_back(Collected{weight, {}});
    collected.uses.push_back({inputs, outputs});
    if (collected.uses.size() > 1)
        for (const Use* use : {&collected.uses.front(), &collected.uses.back()})
            use->outputs.keep_gradient();
}

template <class Real>
void Tape<Real>::add_collected(Weight weight) {
    Collected& collected = *std::ranges::find(collected_, weight, &Collected::weight);
    if (++collected.computed == std::ssize(collected.uses))
        multiply(collected);
}

/// One product over the rows of all uses: as many sums of a few rows each would load and store the gradient
/// as many times.
template <class Real>
void Tape<Real>::multiply(const Collected& collected) {
    const Weight& weight = collected.weight;
    if (collected.uses.size() == 1) {
        const Use& only = collected.uses.front();
        multiply(weight, only.inputs, only.outputs.gradient(), only.outputs.rows);
        return;
    }
    Index rows = 0;
    for (const Use& use : collected.uses)
        rows += use.outputs.rows;
    Real* const inputs = room(rows * weight.rows);
    Real* const of_outputs = room(rows * weight.columns);
    Real *next_input = inputs, *next_output = of_outputs;
    for (const Use& use : collected.uses) {
        next_input = std::copy_n(use.inputs, use.outputs.rows * weight.rows, next_input);
        next_output = std::copy_n(use.outputs.gradient(), use.outputs.size(), next_output);
    }
    multiply(weight, inputs, of_outputs, rows);
}

template <class Real>
void Tape<Real>::multiply(Weight weight, const Real* inputs, const Real* of_outputs, Index rows) {
    kernels::Packed<Real> right{of_outputs, rows, weight.columns, weight.columns};
    if (weight.columns % kernels::padding<Real> != 0 || weight.columns > widest_unpacked) {
        right = kernels_.pack(row_major(of_outputs, rows, weight.columns),
                              scratch(kernels::packed_size<Real>(rows, weight.columns)));
    }
    multiply_in_parts(kernels_,
                      {.left = row_major(inputs, rows, weight.rows).transposed(),
                       .right = right,
                       .adds = true,
                       .out = row_major(gradients_.data() + weight.offset, weight.rows, weight.columns)});
}

template class Tape<float>;
template class Tape<double>;

}  // namespace headlight::nn
