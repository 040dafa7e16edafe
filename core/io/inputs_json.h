#pragma once

#include "core/attention/inputs.h"
#include "core/io/inputs_check.h"

#include <nlohmann/json.hpp>

#include <string>

namespace headlight {

/// Inputs as a JSON object (docs/files.md): a file of their own, or the field of a session at `pointer`.
Inputs inputs_from_json(const nlohmann::json& document, const std::string& pointer = {},
                        const ParameterNames& own = {});
nlohmann::json inputs_to_json(const Inputs& inputs);

/// `{"query": [...], "key": [...], "query_unknown": [...], "key_unknown": [...]}`, each left out when empty.
TokenLabels labels_from_json(const nlohmann::json& document, const std::string& what,
                             const std::string& pointer);
nlohmann::json labels_to_json(const TokenLabels& labels);

}  // namespace headlight
