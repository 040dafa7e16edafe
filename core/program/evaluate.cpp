#include "core/program/evaluate.h"

#include "core/graph/graph_values.h"

#include <cmath>
#include <utility>

namespace headlight {

void Evaluation::set(const std::string& name, std::vector<double> numbers) {
    for (double& number : numbers)
        if (std::isinf(number))
            number = std::copysign(cell_infinity, number);
    tensors_[name] = std::move(numbers);
}

std::vector<double> Evaluation::numbers_of(const Expression& x) const {
    return headlight::numbers_of(
        x, [&](const std::string& name) -> std::span<const double> { return tensors_.at(name); },
        cell_infinity);
}

}  // namespace headlight
