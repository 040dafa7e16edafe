#pragma once

#include "core/attention/trace.h"
#include "core/map/map_source.h"

#include <span>

namespace headlight {

/// Every map in a trace of numbers alone: the stage "weights" of a site for each layer, read from the maps
/// where somebody looks, and before it "value" where the values of its keys are known. Throws Error when
/// those that are kept would together take more than memory_limit().
Trace trace_of(std::span<const LabelledMaps> maps, const std::string& name);

}  // namespace headlight
