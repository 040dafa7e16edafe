#pragma once

#include "core/attention/trace.h"
#include "core/io/session.h"
#include "core/map/map_source.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace headlight {

struct CapturedTraces {
    Trace trace;
    /// Of the capture that it is compared with, on the tokens that both have (aligned()); null without one.
    std::shared_ptr<const Trace> other;
};

/// All maps of a capture (capture_file.h), or a trace as it is; beside another one, or in larger units than
/// tokens, the weights alone. Throws Error that names the file, and when they take more memory than there
/// may be.
CapturedTraces captured_traces(const SessionCapture& capture);

/// The weights of the same as maps, each with those of the other capture beside it.
std::vector<LabelledMaps> captured_maps(const SessionCapture& capture);

/// `session` on what the file holds, looking at the heads side by side, in place of whoever attended before.
Session with_capture(Session session, const std::filesystem::path& file);

}  // namespace headlight
