#pragma once

#include "core/catalog/mechanism.h"

namespace headlight {

/// The mechanism of the catalogue whose formula says what runs by this spec: that of an equal spec, else one
/// with the same score, normaliser, selection and algorithm that is nearest in what stands around them, of
/// those the first in teaching order. Null where none has all of these.
const Mechanism* nearest_mechanism(const AttentionSpec& spec);

}  // namespace headlight
