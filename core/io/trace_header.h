#pragma once

#include "core/attention/trace.h"

#include <nlohmann/json.hpp>

namespace headlight {

inline constexpr const char* trace_format = "headlight-trace/1";

/// Everything of a trace but its numbers: format, spec, seed, tokens, flags, and the layout of its stages.
nlohmann::json trace_header(const Trace& trace);

/// The stages that a header lays out, not yet allocated: their extents are what a hostile file claims. Checks
/// that axes are known and fit the shape, that no stage stands twice, and that the stages of a site agree
/// about its heads, queries and keys. Throws Error with the JSON pointer.
std::vector<Stage> stages_from_header(const nlohmann::json& header);

/// Sets spec, seed, tokens and flags of a trace whose stages are laid out. Throws Error where they contradict
/// the stages.
void read_header(const nlohmann::json& header, Trace& trace);

}  // namespace headlight
