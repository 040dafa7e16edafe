#pragma once

#include <nlohmann/json.hpp>

namespace headlight {

/// What `headlight list` lists, in teaching order and in the order of the formula: mechanisms, the words of a
/// spec, parameters, stages, token vectors, colour maps. Everything comes from where it is declared.
nlohmann::ordered_json catalogue_json();

}  // namespace headlight
