#pragma once

#include "core/figure/view.h"
#include "core/tensor/declaration.h"

#include <span>

namespace headlight {

/// What the files of entries/ define, each `View declare_view_<file name>()`, by their names.
std::span<const Declaration<View>> view_declarations();

}  // namespace headlight
