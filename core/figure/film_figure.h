#pragma once

#include "core/figure/curve_figures.h"
#include "core/figure/figure.h"
#include "core/figure/view_settings.h"
#include "core/model/film.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// One training run at one moment of its film.
struct FilmShot {
    std::string name;  ///< of the run
    std::shared_ptr<const FilmFrame> frame;
    std::string note;  ///< how it does there: "loss 0.532"
};

/// What a film has of the settings of pictures beside it: their colours and theme. Which heads these are of,
/// where they are looked at and through which lens is said of another text and another model.
struct FilmSettings {
    FilmSettings(const ViewSettings& pictures = {})  // NOLINT: they follow pictures wherever these have some
        : theme(pictures.theme), colour_map(pictures.colour_map), scale(pictures.scale),
          range(pictures.range), values_in_cells(pictures.values_in_cells) {}

    FigureTheme theme;
    std::string colour_map;
    ScaleKind scale;
    ColourRange range;
    bool values_in_cells;
};

/// What the films of trainings have at a step, with how well they did there.
std::vector<FilmShot> shots_of(const std::vector<LearningRun>& runs, Index step);

/// Where models in training look, with the step in words: side by side, a row for each run where all have as
/// many heads, or in a grid. Of each shot the site, or where it has none of that name, its leading one, with
/// all of its heads. Throws Error when no frame has a map.
Figure film_figure(std::span<const FilmShot> shots, const std::string& site, const FilmSettings& settings);

/// Such a figure with the loss of the runs up to the step: beside the one map, or under several and where the
/// picture `is_narrow`. Its axes are those of the whole training, the same in all pictures of a film. Throws
/// Error where no run has a point.
Figure with_loss_curve(Figure film, std::span<const LearningRun> runs, Index step, bool is_narrow);

/// Sites of more than one layer.
bool has_layers(const FilmFrame& frame);

/// The map of the site, or of the leading one: the last where a decoder looks at the source, else the last of
/// all. nullptr when the frame has none.
const FilmedMap* filmed_map(const FilmFrame& frame, std::string_view site);

}  // namespace headlight
