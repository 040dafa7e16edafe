#pragma once

#include "core/attention/component.h"

#include <vector>

namespace headlight {

// Every component that a file declares, in no particular order; written by CMake (HeadlightComponents.cmake),
// or of a test that adds some.
std::vector<ScoreComponent> declared_score_components();
std::vector<PositionComponent> declared_position_components();
std::vector<MaskComponent> declared_mask_components();
std::vector<SelectionComponent> declared_selection_components();
std::vector<NormalizerComponent> declared_normalizer_components();
std::vector<AlgorithmComponent> declared_algorithm_components();

}  // namespace headlight
