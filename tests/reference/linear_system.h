#pragma once

#include "tests/reference/matrix.h"

namespace headlight::reference {

/// x of A x = b, by elimination with the largest pivot of each column; A must not be singular.
Row solved(Matrix a, Row b);

}  // namespace headlight::reference
