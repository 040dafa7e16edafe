#pragma once

#include "core/attention/trace.h"
#include "core/map/query_key_maps.h"

#include <optional>
#include <string>

namespace headlight {

/// What the scores of a captured map follow from; nothing where its weights alone are known, or where it was
/// recorded and not captured.
std::optional<ScoreFactors> captured_factors(const Trace& trace, const std::string& site, Index head);

/// Whether at some site of the trace the queries and keys behind the weights are known.
bool has_queries_and_keys(const Trace& trace);

}  // namespace headlight
