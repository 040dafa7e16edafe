#pragma once

#include "core/figure/view_settings.h"

#include <QString>

#include <string>
#include <vector>

namespace headlight {

struct Run;

// The levels of a run that are words and numbers, as rich text. A link "stage:NAME" leads to a stage.

/// The mechanism with what goes in and what comes out, and nothing of its inside.
QString box_text(const Run& run);
/// The parts of its spec: source, projections, score, ... with the words that are chosen for them.
QString parts_text(const Run& run);
/// Its stages in the order of the formula, with their shapes.
QString tensors_text(const Run& run);
/// How the number of the selected cell came about: of a mechanism, or of the part of a model that is in view.
QString arithmetic_text(const Run& run, const ViewState& view);
/// The lines of the formula of what attends there. Throws Error where it has none (own_formula.h), and where
/// nothing is known to attend.
std::string formula_text(const Run& run, const ViewState& view);

/// The levels that there are of a run, in their order: of a mechanism all, of a model its map for a box, and
/// the arithmetic and the formula of its parts; of what was computed elsewhere the box alone.
std::vector<Level> levels_of(const Run& run);

}  // namespace headlight
