#pragma once

#include "core/tensor/tensor.h"

#include <optional>
#include <string>

namespace headlight {

/// What is selected, everywhere at once: a cell chosen in one view is chosen in all.
struct Selection {
    std::string site;
    std::string stage = "weights";
    Index head = 0;
    Index query = 0;
    Index key = 0;
    Index feature = 0;  ///< column of a stage whose columns are features (query, context, ...)
    bool operator==(const Selection&) const = default;
};

enum class ViewKind {
    stages,   ///< the pipeline from tokens to output, the current stage in focus
    heatmap,  ///< one head large
    grid,     ///< all heads as small multiples with one shared scale
    steps,    ///< row t arriving at decoding step t
    lines,    ///< tokens on both sides, weights as lines
    compare,  ///< the weights of every site side by side
    image,    ///< the image whose patches are the tokens, under one line of a stage
};
enum class ScaleKind { linear, logarithmic };
enum class RangeKind {
    unit,    ///< 0 to 1: a colour means the same in every picture
    fitted,  ///< smallest to largest number shown
};
enum class FigureTheme { paper, light, dark, projector };

/// How a trace is looked at: with the trace, this determines a figure to the last cell.
struct ViewSettings {
    ViewKind view = ViewKind::stages;
    Selection selection;
    std::optional<Index> decoding_step;  ///< steps view: the newest row; the last row if absent
    std::string colour_map = "viridis";  ///< see colour_maps()
    ScaleKind scale = ScaleKind::linear;
    RangeKind range = RangeKind::unit;
    FigureTheme theme = FigureTheme::light;
    bool values_in_cells = true;  ///< where they fit
    bool own_scales = false;      ///< compare: each site fitted to its own numbers
    /// compare: under each site, it minus the first one. Of a model that a person changed inside: what the
    /// changes make of its maps.
    bool differences = false;
    bool operator==(const ViewSettings&) const = default;
};

}  // namespace headlight
