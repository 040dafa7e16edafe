#pragma once

#include "core/attention/spec.h"

namespace headlight {

/// Lays the tokens of everything in the spec that knows of a grid (a component with the option of
/// columns_option()) on one with so many columns: the patches of an image lie as they lie in the image,
/// whatever a knob says.
void set_grid_columns(AttentionSpec& spec, Index columns);
/// The same in a mask.
void set_grid_columns(Mask& mask, Index columns);

/// Whether an option or knob of this name is what set_grid_columns() sets.
bool is_grid_columns(const std::string& option);

}  // namespace headlight
