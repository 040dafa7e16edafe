#pragma once

#include "core/tensor/index.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/storage.h"

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// Extents from the outermost to the innermost axis. Row-major: the last axis is contiguous.
using Shape = std::vector<Index>;

/// Product of the extents; throws Error when one is negative or the product does not fit.
Index element_count(const Shape& shape);

/// "[6, 4]"
std::string to_string(const Shape& shape);

/// A dense row-major block of numbers, copied when it is copied. Vectors are rank 1, matrices rank 2.
template <class Real>
class BasicTensor {
public:
    BasicTensor() = default;
    explicit BasicTensor(Shape shape, Real fill = Real(0));
    /// Throws Error when `values` has not element_count(shape) elements.
    BasicTensor(Shape shape, std::vector<Real> values);
    /// A matrix written out by rows; for tests and examples.
    BasicTensor(std::initializer_list<std::initializer_list<Real>> rows);
    BasicTensor(const BasicTensor& other) : shape_(other.shape_), values_(other.values_.duplicate()) {}
    BasicTensor(BasicTensor&&) noexcept = default;
    BasicTensor& operator=(BasicTensor other) noexcept {
        shape_ = std::move(other.shape_);
        values_ = std::move(other.values_);
        return *this;
    }
    ~BasicTensor() = default;

    const Shape& shape() const { return shape_; }
    Index rank() const { return static_cast<Index>(shape_.size()); }
    Index size() const { return static_cast<Index>(values_.size()); }
    bool empty() const { return values_.empty(); }
    /// Extent of one axis; axes count from 0, outermost first.
    Index extent(Index axis) const { return shape_[static_cast<std::size_t>(axis)]; }
    Index rows() const { return rank() == 2 ? extent(0) : 0; }
    Index cols() const { return rank() == 2 ? extent(1) : 0; }

    Real* data() { return values_.data(); }
    const Real* data() const { return values_.data(); }
    std::span<Real> values() { return values_.span(); }
    std::span<const Real> values() const { return values_.span(); }
    std::span<Real> row(Index r) { return values().subspan(offset(r, 0), static_cast<std::size_t>(cols())); }
    std::span<const Real> row(Index r) const {
        return values().subspan(offset(r, 0), static_cast<std::size_t>(cols()));
    }
    /// The matrix that it is; with rank 3, one of the matrices, [head, row, column].
    MatrixView<Real> view() { return row_major(data(), rows(), cols()); }
    MatrixView<const Real> view() const { return row_major(data(), rows(), cols()); }
    MatrixView<Real> view(Index head) { return row_major(data() + first_of(head), shape_[1], shape_[2]); }
    MatrixView<const Real> view(Index head) const {
        return row_major(data() + first_of(head), shape_[1], shape_[2]);
    }

    Real& operator()(Index r, Index c) { return values_[offset(r, c)]; }
    Real operator()(Index r, Index c) const { return values_[offset(r, c)]; }
    Real& operator[](Index i) { return values_[static_cast<std::size_t>(i)]; }
    Real operator[](Index i) const { return values_[static_cast<std::size_t>(i)]; }

    bool operator==(const BasicTensor&) const = default;

private:
    std::size_t offset(Index r, Index c) const {
        assert(rank() == 2 && r >= 0 && r < shape_[0] && c >= 0 && c <= shape_[1]);
        return static_cast<std::size_t>(r * shape_[1] + c);
    }

    Index first_of(Index head) const {
        assert(rank() == 3 && head >= 0 && head < shape_[0]);
        return head * shape_[1] * shape_[2];
    }

    Shape shape_;
    Storage<Real> values_;
};

using Tensor = BasicTensor<double>;
using FloatTensor = BasicTensor<float>;

extern template class BasicTensor<double>;
extern template class BasicTensor<float>;

/// True when no element is NaN or infinite.
bool all_finite(const Tensor& tensor);

}  // namespace headlight
