#pragma once

#include "core/attention/trace.h"
#include "core/io/session.h"

#include <filesystem>

namespace headlight {

/// All maps of a capture (capture_file.h), or a trace as it is. Throws Error that names the file, and when
/// the maps take more than memory_limit().
Trace captured_trace(const std::filesystem::path& file);

/// `session` with the attention of that file in place of its mechanism or model, all heads side by side.
Session with_capture(Session session, const std::filesystem::path& file);

}  // namespace headlight
