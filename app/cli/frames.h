#pragma once

#include "app/cli/arguments.h"
#include "core/attention/trace.h"
#include "core/figure/view_settings.h"

#include <string>
#include <vector>

namespace headlight {

/// "steps", "stages", "heads"
std::vector<std::string> frame_words();

inline constexpr Flag frames_option{
    "--frames",
    "WHAT",
    "a picture that moves, frame after frame: steps (draws that view unless --view says), stages or heads",
    {},
    false,
    frame_words};
inline constexpr Flag rate_option{"--fps", "N", "frames in a second, 0.1 to 50 (2)"};

/// The view of --frames, which none was asked for by name; nothing where it changes nothing.
std::optional<ViewKind> view_of_frames(const Arguments& arguments);

/// That a frame is shown, in milliseconds.
int frame_time(const Arguments& arguments);

/// What each frame draws, from `view` on. Throws UsageError where the view has nothing to walk through.
std::vector<ViewSettings> frames(const Arguments& arguments, const ViewSettings& view, const Trace& trace);

}  // namespace headlight
