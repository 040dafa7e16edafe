#pragma once

#include "core/catalog/mechanism.h"
#include "tests/support/attention_runs.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace headlight::test {

/// The ids of the whole catalogue, in its order.
inline std::vector<std::string> every_mechanism() {
    std::vector<std::string> all;
    for (const Mechanism& mechanism : mechanisms())
        all.push_back(mechanism.id);
    return all;
}

/// The place of the mechanism in that order, from 0, whether it was found there or declared alone.
inline std::size_t number_of(const Mechanism& mechanism) {
    const auto found = std::ranges::find(mechanisms(), mechanism.id, &Mechanism::id);
    return static_cast<std::size_t>(found - mechanisms().begin());
}

/// Its standard spec, of so many heads where it has a knob for them.
inline AttentionSpec spec_of_heads(const Mechanism& mechanism, Index heads) {
    ParameterValues values;
    for (const MechanismParameter& parameter : mechanism.parameters)
        if (parameter.name == "heads")
            values["heads"] = heads;
    return build_spec(mechanism, values);
}

/// A few tokens of 8 numbers, and one more key than queries where there are two sequences.
inline Inputs few_inputs(const AttentionSpec& spec, Index tokens, RandomEngine& random) {
    Inputs inputs;
    inputs.query = random_tensor({tokens, 8}, random);
    if (spec.source.type == SourceType::cross)
        inputs.key = random_tensor({tokens + 1, 8}, random);
    return inputs;
}

}  // namespace headlight::test
