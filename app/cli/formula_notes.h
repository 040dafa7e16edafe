#pragma once

#include "core/attention/spec.h"

#include <string>

namespace headlight {

/// Says on standard error what remarks_on() has to say of the formula of a file.
void note_formula(const AttentionSpec& spec, const std::string& file);

}  // namespace headlight
