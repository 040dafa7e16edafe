#pragma once

#include "core/attention/inputs.h"
#include "core/model/intervention.h"

#include <string>

namespace headlight {

/// "“cat” gets no weight (rows renormalised)": what an intervention does, with the labels of its site's
/// tokens.
std::string intervention_effect(const Intervention& intervention, const TokenLabels& tokens);

/// ", head 2, step 3": the rows that it is about, of a site with so many heads; empty for all of them.
std::string intervention_rows(const Intervention& intervention, Index heads);

}  // namespace headlight
