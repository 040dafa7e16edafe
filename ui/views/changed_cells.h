#pragma once

#include "ui/models/document.h"
#include "ui/views/cell_report.h"

#include <vector>

namespace headlight {

/// The changes inside a model that concern a row of a site's weights; none without a model.
std::vector<Intervention> changes_of_row(const Run& run, const std::string& site, Index head, Index query);

/// The rest of the row keeps its proportions.
bool shares_the_rest(const Intervention& intervention);

/// Says of the numbers of a cell that do not follow from those before them where they come from: of one that
/// a person set, and of one that shares what the change of another cell leaves. `place` is the cell in
/// `trace`, `site` the name of its site in the run.
void mark_changes(CellReport& report, const Run& run, const std::string& site, const Trace& trace,
                  const CellPlace& place);

}  // namespace headlight
