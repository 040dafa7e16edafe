#pragma once

#include "app/cli/asked_maps.h"
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
/// to be drawn, if not the session's; `maps` what it is compared with, and in which units a capture or a
/// trace is read. Throws Error that begins with the file.
RenderSource read_render_source(const std::filesystem::path& path, std::optional<ViewKind> asked = {},
                                const AskedMaps& maps = {});

/// What a session is to be compared with. Throws Error where that is not what it can be.
std::optional<Counterpart> counterpart_asked_for(const Session& session, const AskedMaps& asked);

}  // namespace headlight
