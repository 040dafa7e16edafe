#pragma once

#include "app/cli/arguments.h"
#include "core/attention/trace.h"
#include "core/figure/view_settings.h"
#include "core/io/figure_source.h"
#include "ui/render/film_export.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// "steps", "stages", "heads"
std::vector<std::string> frame_words();

inline constexpr Flag frames_option{
    "--frames",
    "WHAT",
    "a picture that moves, frame after frame: steps (draws that view unless --view says), stages or heads; "
    "motion, how the stage of the view stages comes about, cell after cell, or in a map of a model what "
    "flows into the part in view; or "
    "film, where a model looked while it learned, of what headlight train --record wrote (with --view "
    "learning beside its loss); at 108 dots per inch unless --width or --dpi says, for screens",
    {},
    false,
    frame_words};
std::vector<std::string> each_words();

inline constexpr Flag each_option{
    "--each",
    "WHAT",
    "a file for each head, step, stage or site, named by its number or its name in "
    "place of {} in -o, or before its extension: -o map.pdf writes map-1.pdf, "
    "map-2.pdf, ...; heads are those of all layers, map-1-1.pdf, map-1-2.pdf, "
    "..., or of the one that --layer or --site names",
    {},
    false,
    each_words};
inline constexpr Flag rate_option{"--fps", "N", "frames in a second, 0.1 to 50 (2; of a motion 20)"};

/// The view that --frames or --each implies where --view names none: `stages` for a motion, `steps` for a
/// walk through the steps. Nothing where they imply no view.
std::optional<ViewKind> view_of_walk(const Arguments& arguments);

/// How long a frame is shown, in milliseconds.
int frame_time(const Arguments& arguments);

/// Whether the film of a training is asked for.
bool is_film(const Arguments& arguments);
/// Returns the film of a source without a trace. Throws Error where the training has no film.
FilmStrip film_of(const Arguments& arguments, const FigureSource& source, ViewSettings view);

/// Whether a stage is asked for as it comes about.
bool is_motion(const Arguments& arguments);
/// Returns its film over the still picture that `draw` makes. Throws UsageError for another view, and Error
/// where nothing moves.
FilmStrip motion_of(const Arguments& arguments, const std::function<Figure()>& draw, const Trace& trace,
                    const ViewSettings& view);

/// What each frame draws: `view` with another step, stage or head. Throws UsageError where the view has
/// nothing to walk through.
std::vector<ViewSettings> frames(const Arguments& arguments, const ViewSettings& view, const Trace& trace);

/// One picture of --each, and what its file is called by.
struct Walked {
    std::string name;
    ViewSettings view;
};
/// What each file draws, likewise. Throws UsageError as above.
std::vector<Walked> each_of(const Arguments& arguments, const ViewSettings& view, const Trace& trace);

/// The file of one of --each: `name` in place of {} in the file's name, or before its extension.
std::filesystem::path numbered(const std::filesystem::path& output, const std::string& name);

}  // namespace headlight
