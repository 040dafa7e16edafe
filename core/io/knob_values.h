#pragma once

#include "core/catalog/mechanism.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace headlight {

/// Reads the values of knobs, an object of values by name. A number is a real one where the knob is: a
/// script may write 1 for 1.0. Throws Error{`what`, JSON pointer, ...} for one that the mechanism does not
/// have or take; `pointer` is where the object stands in its document.
ParameterValues knob_values_from_json(const nlohmann::json& document, const Mechanism& mechanism,
                                      const std::string& what, const std::string& pointer);

}  // namespace headlight
