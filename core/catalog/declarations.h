#pragma once

#include "core/catalog/mechanism.h"

namespace headlight {

/// What each file of entries/ defines: `Mechanism declare_<file name>()`.
using MechanismDeclaration = Mechanism();

/// All of them, in no particular order; written by CMake from the file names.
std::span<MechanismDeclaration* const> mechanism_declarations();

}  // namespace headlight
