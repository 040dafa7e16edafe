#pragma once

#include "core/attention/trace.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

/// "headlight-trace/1". Minus infinity (a masked score) is written as null. Numbers are written with the
/// digits that bring back the same double. Throws Error for more text than is read again (json_text_limit).
std::string write_trace_json(const Trace& trace);
Trace parse_trace_json(std::string_view text);

/// One tensor per stage, named SITE/STAGE or STAGE; spec, tokens, axes and flags in the metadata.
std::string write_trace_safetensors(const Trace& trace);
Trace parse_trace_safetensors(std::string_view bytes);

/// By the extension of `path`. Writing is atomic.
void write_trace(const Trace& trace, const std::filesystem::path& path);
Trace read_trace(const std::filesystem::path& path);

}  // namespace headlight
