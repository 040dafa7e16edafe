#include "ui/views/changed_cells.h"

#include "core/workbench/intervention_edits.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight {
namespace {

struct ChangedCellsWords {
    Q_DECLARE_TR_FUNCTIONS(ChangedCellsWords)
};

}  // namespace

std::vector<Intervention> changes_of_row(const Run& run, const std::string& site, Index head, Index query) {
    if (!run.transcript)
        return {};
    Selection row;
    row.site = site;
    row.head = head;
    row.query = query;
    return interventions_at(run.session->model->request, row);
}

bool shares_the_rest(const Intervention& intervention) {
    return intervention.kind == Intervention::Kind::set_weight || intervention.renormalizes;
}

void mark_changes(CellReport& report, const Run& run, const std::string& site, const Trace& trace,
                  const CellPlace& place) {
    if (!place.is_cell() || report.axes.columns != Axis::key)
        return;
    const auto changes = changes_of_row(run, site, place.head, *place.row);
    for (ArithmeticStep& step : report.steps) {
        const bool is_set = std::ranges::any_of(trace.by_hand, [&](const ChangedByHand& change) {
            return change.is_at(place.site, step.stage, place.head, *place.row, *place.column);
        });
        if (is_set)
            step.expression = ChangedCellsWords::tr("as you changed it").toStdString();
        else if (step.stage == "weights" && std::ranges::any_of(changes, shares_the_rest))
            step.expression = ChangedCellsWords::tr("its share of what the change leaves").toStdString();
    }
}

}  // namespace headlight
