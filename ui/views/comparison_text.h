#pragma once

#include "ui/views/cell_place.h"

#include <QString>

namespace headlight {

/// What the mechanism at a site of the trace is called.
QString name_at(const Trace& trace, const std::string& site);

/// "Sparsemax: “river” looks at “bank”: weight 0.31", and a line for what every other mechanism of the trace
/// has at that cell.
QString comparison_sentence(const Trace& trace, const CellPlace& place, const Selection& selection);

}  // namespace headlight
