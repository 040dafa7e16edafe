#include "ui/views/intervention_menu.h"

#include "core/workbench/intervention_edits.h"
#include "ui/models/document.h"
#include "ui/models/menu_text.h"
#include "ui/views/weight_drag.h"

#include <QCoreApplication>
#include <QMenu>

namespace headlight {
namespace {

struct InterventionMenuWords {
    Q_DECLARE_TR_FUNCTIONS(InterventionMenuWords)
};

QString action_text(const Intervention& intervention, const Transcript& transcript) {
    const QString effect = menu_text(QString::fromStdString(intervention_text(intervention, transcript)));
    switch (intervention.kind) {
    case Intervention::Kind::zero_column:
        return intervention.renormalizes
                   ? InterventionMenuWords::tr("Zero this column and re&normalise: %1").arg(effect)
                   : InterventionMenuWords::tr("&Zero this column: %1").arg(effect);
    case Intervention::Kind::forbid_key:
        return InterventionMenuWords::tr("&Forbid this word: %1").arg(effect);
    case Intervention::Kind::uniform_row:
        return InterventionMenuWords::tr("Make this row &uniform: %1").arg(effect);
    case Intervention::Kind::mute_head:
        return InterventionMenuWords::tr("&Switch the head off: %1").arg(effect);
    case Intervention::Kind::set_weight:
        return InterventionMenuWords::tr("&Look only here: %1").arg(effect);
    case Intervention::Kind::copy_head:
        return InterventionMenuWords::tr("&Take this row from head %1: %2")
            .arg(intervention.from_head + 1)
            .arg(effect);
    }
    return effect;
}

}  // namespace

std::unique_ptr<QMenu> intervention_menu(Document& document, const CellPlace& place,
                                         const std::function<void()>& ask_weight, QWidget* parent) {
    const std::shared_ptr<const Run> run = document.run();
    if (!run || !run->transcript || !place.is_cell() || place.stage != "weights")
        return nullptr;
    const std::vector<Intervention> possible =
        possible_interventions(*run->transcript, select_place(*run->trace, {}, place));
    if (possible.empty())
        return nullptr;
    auto menu = std::make_unique<QMenu>(parent);
    menu->setObjectName(QStringLiteral("intervention_menu"));
    if (changeable_weight(document, place)) {
        QAction* set =
            menu->addAction(InterventionMenuWords::tr("Set this &weight… (W, or Shift+drag up and down)"));
        set->setObjectName(QStringLiteral("set_weight"));
        QObject::connect(set, &QAction::triggered, menu.get(), ask_weight);
        menu->addSeparator();
    }
    for (const Intervention& each : possible) {
        const QString text = action_text(each, *run->transcript);
        QAction* action = menu->addAction(text);
        action->setObjectName(QStringLiteral("intervene"));
        QObject::connect(action, &QAction::triggered, menu.get(), [&document, each, text] {
            document.edit(intervene(document.session(), shown_words(text).toStdString(), each));
        });
    }
    return menu;
}

}  // namespace headlight
