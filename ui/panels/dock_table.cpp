#include "ui/panels/dock_table.h"

#include "ui/panels/side_panels.h"

#include <QtGlobal>

#include <vector>

namespace headlight {
namespace {

std::vector<DockRow>& rows_of_docks() {
    using Place = DockRow::Place;
    static std::vector<DockRow> rows{
        {"sequence_dock", QT_TRANSLATE_NOOP("Docks", "Sequence"), Place::upper_left, true,
         &SidePanels::build_sequence},
        {"mechanism_dock", QT_TRANSLATE_NOOP("Docks", "Mechanism"), Place::lower_left, true,
         &SidePanels::build_mechanism},
        {"parameters_dock", QT_TRANSLATE_NOOP("Docks", "Parameters"), Place::lower_left, true,
         &SidePanels::build_parameters},
        {"model_dock", QT_TRANSLATE_NOOP("Docks", "Model"), Place::lower_left, true,
         &SidePanels::build_model},
        {"inspector_dock", QT_TRANSLATE_NOOP("Docks", "Inspector"), Place::right, true,
         &SidePanels::build_inspector},
        {"figure_dock", QT_TRANSLATE_NOOP("Docks", "Figure"), Place::behind_right, false,
         &SidePanels::build_figure},
        {"begin_dock", QT_TRANSLATE_NOOP("Docks", "Begin"), Place::begin, false, &SidePanels::build_ways},
    };
    return rows;
}

}  // namespace

std::span<const DockRow> dock_rows() { return rows_of_docks(); }

void add_dock_row(const DockRow& row) { rows_of_docks().push_back(row); }

}  // namespace headlight
