#pragma once

#include "core/catalog/mechanism.h"

#include <string>

namespace headlight {

/// Without an exponent: 1e+08 is no number for a book.
std::string plain_value(const ParameterValue& value);

/// A table of the knobs that many mechanisms have, so that they are explained once.
std::string common_knobs_table();

/// "- **Knobs of `window`.** Common ones: ...", and a line below it for each of its own. The common ones are
/// explained at `common_knobs`, an address.
std::string knob_lines(const Mechanism& mechanism, const std::string& common_knobs);

}  // namespace headlight
