#pragma once

#include "core/map/map_source.h"

#include <string>

namespace headlight {

/// Says what makes one doubt that the first map of a capture holds weights, whose rows sum to 1: negative
/// numbers, percentages, columns that sum to 1 in place of rows. Empty where nothing does: rows of other sums
/// may be weights that somebody masked. Of a large map the first rows are read alone.
std::string doubted_weights(const MapSource& maps);

}  // namespace headlight
