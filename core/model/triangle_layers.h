#pragma once

#include "core/model/transformer_model.h"

namespace headlight {

/// Makes an encoder one that reads the pairs of so many points, row by row: layers of triangles are told how
/// many tokens a row of pairs has.
void read_pairs_of(TransformerConfiguration& configuration, Index points);

}  // namespace headlight
