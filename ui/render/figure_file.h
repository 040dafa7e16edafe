#pragma once

#include "core/io/figure_source.h"

#include <filesystem>
#include <optional>

namespace headlight {

/// A trace as it is, with the session that it carries; a capture (core/io/capture_file.h); a session, or the
/// session inside an exported PNG, SVG or PDF, or beside an exported .csv (side_file.h), is run again; token
/// vectors
/// (.json, .safetensors, .csv) are given to scaled dot-product attention. `asked` is the view that is going
/// to be drawn, if not the session's; `maps` what it is compared with, and in which units a capture or a
/// trace is read. What a training wrote about itself (training_record_file.h, or its folder) has no trace.
/// Throws Error that begins with the file.
FigureSource read_figure_file(const std::filesystem::path& path, std::optional<ViewKind> asked = {},
                              const AskedMaps& maps = {});

/// What a session is to be compared with. Throws Error where that is not what it can be.
std::optional<Counterpart> counterpart_asked_for(const Session& session, const AskedMaps& asked);

}  // namespace headlight
