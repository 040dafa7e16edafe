#pragma once

#include <QString>

namespace headlight {

struct Run;
struct ViewState;

// The levels of a run that are words and numbers, as rich text. A link "stage:NAME" leads to a stage.

/// The mechanism with what goes in and what comes out, and nothing of its inside.
QString box_text(const Run& run);
/// The parts of its spec: source, projections, score, ... with the words that are chosen for them.
QString parts_text(const Run& run);
/// Its stages in the order of the formula, with their shapes.
QString tensors_text(const Run& run);
/// How the number of the selected cell came about.
QString arithmetic_text(const Run& run, const ViewState& view);

}  // namespace headlight
