#pragma once

#include "core/map/weight_lens.h"
#include "core/workbench/run_session.h"
#include "ui/views/cell_report.h"

#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What a person has changed of the row that the report is about, in sentences; empty where nothing is.
QStringList changes_of(const Run& run, const std::string& site, const CellReport& report);

/// What the picture shows for the weight that the report is about; empty where it is the weight itself.
/// `of_layers`: what that is where it is made of several layers, of which the report may know one alone.
QString drawn_of(const CellReport& report, const WeightLens& lens, std::optional<double> of_layers);

/// What the two tokens stand for, where they are no words but signs of a model.
QStringList signs_of(const CellReport& report);

/// The title of bars that show what is drawn in place of weights.
QString as_drawn(const QString& title, const std::vector<double>& drawn);

/// " Hidden keys had 61.3 % of this row."; empty where none is hidden.
QString hidden_of(const RowReport& row);

/// " The longest bar is 0.0431."
QString end_of_bars(const std::vector<double>& weights);

}  // namespace headlight
