#pragma once

#include "core/attention/spec.h"
#include "core/tensor/token_labels.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headlight {

/// What a mechanism runs on. `key` and `value` are optional: an absent key is the query, an absent value is
/// the key.
struct Inputs {
    Tensor query = {};                 ///< [n, d_q] token vectors
    std::optional<Tensor> key = {};    ///< [m, d_k]
    std::optional<Tensor> value = {};  ///< [m, d_v]
    TokenLabels tokens = {};           ///< may be empty: pictures then number the rows
    std::map<std::string, Tensor> parameters = {};

    const Tensor& key_tokens() const { return key ? *key : query; }
    const Tensor& value_tokens() const { return value ? *value : key_tokens(); }
    bool operator==(const Inputs&) const = default;
};

/// What attention of this source reads: in self attention queries, keys and values are one sequence, so that
/// a key and what belongs to it (its values and labels) are left out. One file then serves both sources.
Inputs inputs_for(SourceType source, Inputs inputs);

/// Throws Error naming the tensor, row and column (from 1) of the first NaN or infinity.
void require_finite(const Inputs& inputs);

}  // namespace headlight
