#include "core/tensor/tensor.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

Index element_count(const Shape& shape) {
    Index count = 1;
    for (const Index extent : shape) {
        const bool fits =
            extent >= 0 && (extent == 0 || count <= std::numeric_limits<Index>::max() / 8 / extent);
        if (!fits)
            throw Error({"tensor shape", "", "extents of 0 or more whose product fits in memory", to_string(shape)});
        count *= extent;
    }
    return count;
}

std::string to_string(const Shape& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

template <class Real>
BasicTensor<Real>::BasicTensor(Shape shape, Real fill)
    : shape_(std::move(shape)), values_(element_count(shape_)) {
    if (fill != 0)
        std::ranges::fill(values(), fill);
}

template <class Real>
BasicTensor<Real>::BasicTensor(Shape shape, std::vector<Real> values)
    : shape_(std::move(shape)), values_(std::move(values)) {
    if (element_count(shape_) != size())
        throw Error({"tensor of shape " + to_string(shape_), "", std::to_string(element_count(shape_)) + " numbers",
                     std::to_string(size())});
}

template <class Real>
BasicTensor<Real>::BasicTensor(std::initializer_list<std::initializer_list<Real>> rows) {
    const std::size_t columns = rows.size() ? rows.begin()->size() : 0;
    shape_ = {static_cast<Index>(rows.size()), static_cast<Index>(columns)};
    std::vector<Real> numbers;
    for (const auto& row : rows) {
        if (row.size() != columns)
            throw Error({"matrix", "", "rows of equal length", "rows of different lengths"});
        numbers.insert(numbers.end(), row.begin(), row.end());
    }
    values_ = std::move(numbers);
}

template class BasicTensor<double>;
template class BasicTensor<float>;

bool all_finite(const Tensor& tensor) {
    return std::ranges::all_of(tensor.values(), [](double value) { return std::isfinite(value); });
}

}  // namespace headlight
