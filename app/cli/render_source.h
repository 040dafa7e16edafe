#pragma once

#include "core/attention/trace.h"
#include "core/io/compared_run.h"
#include "core/io/session.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace headlight {

/// What a figure is drawn from.
struct RenderSource {
    std::shared_ptr<const Trace> trace;
    Comparison comparison;                   ///< of a session that compares mechanisms
    std::shared_ptr<const Trace> untouched;  ///< what this is compared with, map by map (Run::untouched)
    ViewSettings view;                       ///< the session's, or the heatmap of the weights
    std::string random_weights;              ///< of parameters that nobody gave (drawn_weights.h)
    std::optional<Session> session;          ///< what the figure then carries
};

/// A trace as it is, with the session that it carries; a capture (core/io/capture_file.h); a session, or the
/// session inside an exported PNG, SVG or PDF, is run again; token vectors
/// (.json, .safetensors, .csv) are given to scaled dot-product attention. `asked` is the view that is going
/// to be drawn, if not the session's. Throws Error that begins with the file.
RenderSource read_render_source(const std::filesystem::path& path, std::optional<ViewKind> asked = {});

/// A capture, or the maps of a trace, beside another one or in other units. Throws Error.
RenderSource read_captured_source(const SessionCapture& capture);

}  // namespace headlight
