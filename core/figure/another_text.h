#pragma once

#include "core/figure/view_settings.h"

namespace headlight {

/// How its author likes figures, for a figure of another text or other maps: colours, type, lines, what is
/// written in cells and beside them. Titles, chosen heads and rows, labels, marks, hidden keys, pinned maps
/// and panels were said of the one before.
FigureSettings for_another_text(const FigureSettings& before);

}  // namespace headlight
