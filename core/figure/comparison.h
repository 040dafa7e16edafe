#pragma once

#include "core/attention/trace.h"
#include "core/figure/figure.h"

namespace headlight {

/// The weights of every site of a trace, the selected head (the last one where a site has fewer): the sites
/// side by side on one scale, or each on its own; under each, if asked for, what it has more or less than the
/// first.
std::vector<Panel> comparison_panels(const Trace& trace, const ViewSettings& settings);

/// How many sites of the trace have weights.
Index compared_sites(const Trace& trace);

}  // namespace headlight
