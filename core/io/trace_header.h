#pragma once

#include "core/attention/trace.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

inline constexpr const char* trace_format = "headlight-trace/1";

/// Everything of a trace but its numbers: format, spec, seed, tokens, flags, and the layout of its stages and
/// of its parameters.
nlohmann::json trace_header(const Trace& trace);

/// A matrix that a run at a site had and that views need beside the stages: W_o.
struct TraceParameter {
    std::string site, name;
    Shape shape;
};

/// Those of the trace, in the order of its header.
std::vector<TraceParameter> written_parameters(const Trace& trace);

/// Those that a header lays out: their extents are what a hostile file claims. Throws Error with the JSON
/// pointer.
std::vector<TraceParameter> parameters_from_header(const nlohmann::json& header);

/// Gives each parameter the numbers that `read` has for its number in the list.
void set_parameters(Trace& trace, const std::vector<TraceParameter>& parameters,
                    const std::function<void(std::size_t number, std::span<double> to)>& read);

/// The stages that a header lays out, not yet allocated: their extents are what a hostile file claims. Checks
/// that axes are known and fit the shape, that no stage stands twice, and that the stages of a site agree
/// about its heads, queries and keys. Throws Error with the JSON pointer.
std::vector<Stage> stages_from_header(const nlohmann::json& header);

/// Sets spec, seed, tokens and flags of a trace whose stages are laid out. Throws Error where they contradict
/// the stages.
void read_header(const nlohmann::json& header, Trace& trace);

}  // namespace headlight
