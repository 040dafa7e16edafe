#include "core/nn/named_weights.h"

namespace headlight::nn {

void NamedWeights::add(ParameterLayout& layout, const std::string& prefix,
                       const std::vector<ParameterInfo>& parameters) {
    for (const ParameterInfo& info : parameters) {
        const bool is_vector = info.shape.size() == 1;
        const Index rows = is_vector ? 1 : info.shape[0], columns = info.shape[is_vector ? 0 : 1];
        std::string name = prefix;
        name += info.name;
        if (info.constant)
            set(info.name, layout.add_constant(name, rows, columns, *info.constant));
        else
            set(info.name, layout.add(name, rows, columns,
                                      info.name == "b" ? Initial::zero
                                      : is_vector      ? Initial::recurrent
                                                       : Initial::xavier));
    }
}

}  // namespace headlight::nn
