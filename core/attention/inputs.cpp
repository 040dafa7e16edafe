#include "core/attention/inputs.h"

#include "core/attention/finite.h"
#include "core/tensor/error.h"

#include <cmath>

namespace headlight {
namespace {

std::string word_for(double not_finite) {
    return std::isnan(not_finite) ? "NaN" : not_finite > 0 ? "infinity" : "minus infinity";
}

}  // namespace

void require_finite(const Tensor& tensor, const std::string& name, std::span<const std::uint8_t> used_rows) {
    const bool matrix = tensor.rank() == 2;
    const auto columns = static_cast<std::size_t>(matrix ? tensor.cols() : tensor.size());
    const auto values = tensor.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t row = i / columns;
        if (std::isfinite(values[i]) || (row < used_rows.size() && !used_rows[row]))
            continue;
        const std::string place = matrix ? ", row " + std::to_string(row) + ", column " : ", element ";
        throw Error({"check the numbers", name + place + std::to_string(i % columns), "finite numbers",
                     word_for(values[i])});
    }
}

void require_finite(const Inputs& inputs) {
    require_finite(inputs.query, "query");
    if (inputs.key)
        require_finite(*inputs.key, "key");
    if (inputs.value)
        require_finite(*inputs.value, "value");
    for (const auto& [name, tensor] : inputs.parameters)
        require_finite(tensor, name);
}

}  // namespace headlight
