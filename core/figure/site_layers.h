#pragma once

#include "core/attention/trace.h"

#include <map>
#include <string>

namespace headlight {

/// The sites of a trace that are layers.
struct SiteLayers {
    std::string first_kind;  ///< of the first site with a layer: "encoder"
    std::map<std::string, std::map<Index, std::string>> by_kind;  ///< [kind, layer from 0]
};

SiteLayers site_layers(const Trace& trace);

}  // namespace headlight
