#pragma once

#include "ui/models/run_session.h"
#include "ui/views/cell_place.h"

#include <QString>

namespace headlight {

/// What the mechanism at a site of the trace is called.
QString name_at(const Trace& trace, const std::string& site);

/// "Sparsemax: “river” looks at “bank”: weight 0.31", and a line for what every other mechanism of the trace
/// has at that cell.
QString comparison_sentence(const Trace& trace, const CellPlace& place, const Selection& selection);

/// "ex0 0.412, ex1 0.380, difference +0.032": a weight of a run and of what it is compared with, as the lens
/// shows them. Empty where it stands alone, of other numbers, and where one of the two has no such cell.
QString both_weights(const Run& run, const CellPlace& place, const Selection& selection,
                     const WeightLens& lens);

}  // namespace headlight
