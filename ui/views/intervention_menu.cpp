#include "ui/views/intervention_menu.h"

#include "core/workbench/intervention_edits.h"
#include "ui/actions/context_menu.h"
#include "ui/models/document.h"
#include "ui/models/menu_text.h"
#include "ui/views/weight_drag.h"

namespace headlight {
namespace {

/// The row of the table of actions that does it.
const char* row_of(const Intervention& intervention) {
    switch (intervention.kind) {
    case Intervention::Kind::zero_column:
        return intervention.renormalizes ? "intervene_zero_sharing" : "intervene_zero";
    case Intervention::Kind::forbid_key:
        return "intervene_forbid";
    case Intervention::Kind::uniform_row:
        return "intervene_uniform";
    case Intervention::Kind::mute_head:
        return "intervene_mute";
    case Intervention::Kind::set_weight:
        return "intervene_only_here";
    case Intervention::Kind::copy_head:
        break;
    }
    return "intervene_copy_head";
}

}  // namespace

void add_interventions(ContextMenu& menu, Document& document, const CellPlace& place,
                       const std::function<void()>& ask_weight) {
    const std::shared_ptr<const Run> run = document.run();
    if (!run || !run->transcript || !place.is_cell() || place.stage != "weights")
        return;
    if (changeable_weight(document, place))
        QObject::connect(&menu.offer(QStringLiteral("set_weight")), &QAction::triggered, &menu, ask_weight);
    for (const Intervention& each :
         possible_interventions(*run->transcript, select_place(*run->trace, {}, place))) {
        const QString effect = QString::fromStdString(intervention_text(each, *run->transcript));
        const QString head = QString::number(each.from_head + 1);
        const QAction& action = menu.offer(QLatin1String(row_of(each)), {effect, head},
                                           each.kind == Intervention::Kind::copy_head ? head : QString());
        QObject::connect(&action, &QAction::triggered, &menu, [&document, &action, each] {
            document.edit(intervene(document.session(), shown_words(action.text()).toStdString(), each));
        });
    }
}

}  // namespace headlight
