#pragma once

#include "core/catalog/mechanism.h"

namespace headlight {

/// The answer of core/reference to a spec, with the parameters that a plan resolved. Translates and nothing
/// else.
OracleResult scalar_oracle(const AttentionSpec& spec, const Inputs& inputs, std::uint64_t seed);

}  // namespace headlight
