#pragma once

#include "core/model/transformer_model.h"

namespace headlight {

/// Whether the layer attends to the pairs of points by triangle attention.
bool attends_to_triangles(const LayerSpec& layer);

/// Makes an encoder one that reads the pairs of so many points, row by row: layers of triangles are told how
/// many tokens a row of pairs has, whatever their specs say.
void read_pairs_of(TransformerConfiguration& configuration, Index points);

}  // namespace headlight
