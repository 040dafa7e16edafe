#pragma once

#include "core/graph/program.h"

#include <string>

namespace headlight {

enum class PythonLibrary { numpy, torch };

/// The program as lines of Python that run by themselves and print the output: small tensors are literals,
/// larger ones base64 of their bytes. Every number comes back as the same double.
std::string python_text(const Program& program, PythonLibrary library);

}  // namespace headlight
