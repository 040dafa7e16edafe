#pragma once

#include "core/workbench/run_session.h"
#include "ui/views/cell_place.h"

#include <QString>

namespace headlight {

/// What the mechanism at a site of the trace is called.
QString name_at(const Trace& trace, const std::string& site);

/// "Sparsemax: “river” looks at “bank”: weight 0.31", and a line for what every other mechanism of the trace
/// has at that cell.
QString comparison_sentence(const Trace& trace, const CellPlace& place, const Selection& selection);

/// A weight of a run, and of what that is compared with.
struct WeightInBoth {
    double first = 0, second = 0;
};
/// As the lens shows them. Nothing where the run stands alone, of other numbers, and where one of the two has
/// no such cell.
std::optional<WeightInBoth> weight_in_both(const Run& run, const CellPlace& place, const Selection& selection,
                                           const WeightLens& lens);
/// "ex0 0.412, ex1 0.380, difference +0.032"
QString named_weights(const Run& run, const WeightInBoth& weight);
/// "+0.032"
QString signed_difference(const WeightInBoth& weight);

}  // namespace headlight
