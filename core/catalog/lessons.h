#pragma once

#include "core/catalog/mechanism.h"

#include <vector>

namespace headlight {

/// The mechanisms that make up the course, in the order in which they stand on one another.
std::vector<const Mechanism*> lessons();

}  // namespace headlight
