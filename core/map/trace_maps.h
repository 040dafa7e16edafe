#pragma once

#include "core/attention/trace.h"
#include "core/map/map_source.h"

#include <vector>

namespace headlight {

/// The weights of a trace. Of a model the sites of one kind are one source, a layer each: "encoder" has
/// encoder.0.self, encoder.1.self and so on. Throws Error when the trace has recorded no weights.
std::vector<LabelledMaps> maps_of(const std::shared_ptr<const Trace>& trace);

}  // namespace headlight
