#pragma once

#include "core/attention/parameters.h"
#include "core/nn/parameters.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight::nn {

/// Where the parameters of a part of the spec lie in a layout, under the names that the engine has for them
/// ("W_1", "b_sink"), so that it can run what was trained.
class NamedWeights {
public:
    /// Adds PREFIX + NAME to the layout for each, in the shape that the engine says, a vector as one row.
    /// What the engine fills with a constant starts as that; biases start as 0, other vectors uniform in
    /// +-1/sqrt(length), matrices by Xavier's rule.
    void add(ParameterLayout& layout, const std::string& prefix,
             const std::vector<ParameterInfo>& parameters);
    void set(const std::string& name, Weight weight) { weights_.emplace_back(name, weight); }

    /// Its place; one of no size when there is none.
    Weight operator[](std::string_view name) const {
        for (const auto& [each, weight] : weights_)
            if (each == name)
                return weight;
        return {};
    }
    bool has(std::string_view name) const { return (*this)[name].size() > 0; }
    auto begin() const { return weights_.begin(); }
    auto end() const { return weights_.end(); }

private:
    std::vector<std::pair<std::string, Weight>> weights_;
};

}  // namespace headlight::nn
