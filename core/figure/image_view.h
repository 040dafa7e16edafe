#pragma once

#include "core/figure/panel_maker.h"
#include "core/image/patches.h"

namespace headlight {

/// The panels of the image view: for every head of the selected stage the image, under one line of the stage
/// that has a number for each patch. Of a map that is the row of the selected query, of a stage with a row
/// for each token the column of the selected feature. A stage without such a line is replaced by the weights.
/// Throws Error when there is no image, or the trace's tokens are not its patches.
std::vector<Panel> image_panels(const PanelMaker& maker, const PatchedPicture& image);

/// The visible stages of a site that have a number for each of so many patches.
std::vector<std::string> image_stages(const Trace& trace, const std::string& site, Index patches);

}  // namespace headlight
