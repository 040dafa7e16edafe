#pragma once

#include "core/figure/view.h"

namespace headlight {

/// What each file of entries/ defines: `View declare_view_<file name>()`.
using ViewDeclaration = View();

/// All of them, in no particular order; written by CMake from the file names.
std::span<ViewDeclaration* const> view_declarations();

}  // namespace headlight
