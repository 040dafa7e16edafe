#pragma once

#include "core/graph/operation.h"

#include <vector>

namespace headlight {

/// The rows that are files of operations/; written by CMake (HeadlightComponents.cmake), or of a test that
/// adds some.
std::vector<OperationDescription> declared_operations();

/// The row of a file: "arc_tangent" is the operation "arc tangent".
inline OperationDescription named(Operation operation, std::string_view /*word*/, std::string_view name,
                                  OperationDescription row) {
    row.operation = operation;
    row.name = name;
    return row;
}

}  // namespace headlight
