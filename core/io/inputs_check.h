#pragma once

#include "core/attention/inputs.h"

namespace headlight {

/// Parameters that a formula declares beside those of the catalogue.
using ParameterNames = std::vector<std::string>;

/// What a reader can say of inputs before there is a spec: whether the labels fit their rows, and whether
/// every parameter has a name that some spec uses. Throws Error with `where` in the words of the file's
/// format.
void require_consistent(const Inputs& inputs, const ParameterNames& own = {});

/// Whether some spec uses a parameter of this name, or it is one of `own`.
bool is_known_parameter(const std::string& name, const ParameterNames& own);

/// Throws Error naming `own`, or where there are none the known ones, unless some spec uses a parameter of
/// this name or it is one of `own`.
void require_known_parameter(const std::string& name, const std::string& where,
                             const ParameterNames& own = {});

}  // namespace headlight
