#pragma once

#include "core/model/architecture.h"

#include <vector>

namespace headlight {

/// Every architecture that a file declares; written by CMake (HeadlightComponents.cmake), or of a test that
/// adds some.
std::vector<Architecture> declared_architectures();

/// The row of a file.
inline Architecture named(HostType type, std::string_view word, std::string_view /*name*/,
                          Architecture architecture) {
    architecture.type = type;
    if (architecture.word.empty())
        architecture.word = word;
    return architecture;
}

}  // namespace headlight
