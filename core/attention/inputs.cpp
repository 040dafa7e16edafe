#include "core/attention/inputs.h"

#include "core/attention/finite.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {

std::string word_for_infinite(double number) {
    return std::isnan(number) ? "NaN" : number > 0 ? "infinity" : "minus infinity";
}

void require_finite(const Tensor& tensor, const std::string& name, std::span<const std::uint8_t> used_rows) {
    const bool matrix = tensor.rank() == 2;
    const auto columns = static_cast<std::size_t>(std::max<Index>(matrix ? tensor.cols() : tensor.size(), 1));
    const auto values = tensor.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t row = i / columns;
        if (std::isfinite(values[i]) || (row < used_rows.size() && !used_rows[row]))
            continue;
        const std::string place = matrix ? ", row " + std::to_string(row + 1) + ", column " : ", element ";
        throw Error({"check the numbers", name + place + std::to_string(i % columns + 1), "finite numbers",
                     word_for_infinite(values[i])});
    }
}

Inputs inputs_for(SourceType source, Inputs inputs) {
    if (source == SourceType::self && inputs.key) {
        inputs.key.reset();
        inputs.value.reset();
        inputs.tokens.key.clear();
        inputs.tokens.key_unknown.clear();
    }
    return inputs;
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
