#pragma once

#include "core/catalog/mechanism.h"

#include <string>

namespace headlight {

/// docs/catalogue/ID.md: all that a mechanism of the catalogue declares, with the ways to those before, after
/// and beside it. `in_words` is what its picture (docs/images/mechanisms/ID.png) says to those who cannot see
/// it.
std::string mechanism_markdown(const Mechanism& mechanism, const std::string& in_words);

}  // namespace headlight
