#pragma once

#include "core/catalog/mechanism.h"

namespace headlight {

/// Output of a scalar oracle, double, row-major.
struct OracleResult {
    std::vector<double> weights;  ///< [head, query, key]
    std::vector<double> output;   ///< [query, d_out]
};

/// The answer of tests/reference to a spec, with the parameters that a plan resolved. Translates and nothing
/// else.
OracleResult scalar_oracle(const AttentionSpec& spec, const Inputs& inputs, std::uint64_t seed);

}  // namespace headlight
