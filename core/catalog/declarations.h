#pragma once

#include "core/catalog/mechanism.h"
#include "core/tensor/declaration.h"

#include <span>

namespace headlight {

/// What the files of entries/ define, each `Mechanism declare_<file name>()`, by their names.
std::span<const Declaration<Mechanism>> mechanism_declarations();

}  // namespace headlight
