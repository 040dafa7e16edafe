#include "core/graph/tensor_axes.h"

#include "core/graph/operation.h"

namespace headlight {

TensorAxes axes_of(const GivenTensor& tensor) {
    return tensor.kind == GivenTensor::Kind::input ? TensorAxes{CountedAxis::tokens, CountedAxis::features}
                                                   : TensorAxes{};
}

TensorAxes axes_of(const Expression& x, const std::map<std::string, TensorAxes>& known) {
    if (x->operation == Operation::tensor) {
        const auto found = known.find(x->tensor);
        return found == known.end() ? TensorAxes{} : found->second;
    }
    std::vector<TensorAxes> operands;
    operands.reserve(x->operands.size());
    for (const Expression& operand : x->operands)
        operands.push_back(axes_of(operand, known));
    return description_of(x->operation).axes(*x, operands);
}

}  // namespace headlight
