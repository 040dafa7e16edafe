#include "ui/views/compare_menu.h"

#include "core/workbench/figure_edits.h"
#include "ui/models/document.h"

#include <QCoreApplication>
#include <QMenu>

namespace headlight {
namespace {

struct CompareMenuWords {
    Q_DECLARE_TR_FUNCTIONS(CompareMenuWords)
};

}  // namespace

ComparisonRequest::ComparisonRequest(Document& document) : QObject(&document) {}

ComparisonRequest& ComparisonRequest::of(Document& document) {
    return document.companions().of<ComparisonRequest>(
        [&document] { return new ComparisonRequest(document); });
}

void add_compare_actions(QMenu& menu, Document& document, const PinnedMap& map) {
    menu.addSeparator();
    const Session& session = document.session();
    const bool pinned = is_pinned(session, map), may_turn = pinned || can_pin_more(session);
    QAction* pin =
        menu.addAction(pinned     ? CompareMenuWords::tr("Un&pin head %1").arg(map.head + 1)
                       : may_turn ? CompareMenuWords::tr("&Pin head %1: Compare keeps it").arg(map.head + 1)
                                  : CompareMenuWords::tr("Pin (at most %1 maps)").arg(most_pinned));
    pin->setObjectName(QLatin1String("pin_map"));
    pin->setEnabled(may_turn);
    QObject::connect(pin, &QAction::triggered, &menu,
                     [&document, map] { document.edit(turn_pin(document.session(), map)); });
    QAction* compare = menu.addAction(CompareMenuWords::tr("Co&mpare with…"));
    compare->setObjectName(QLatin1String("compare_with"));
    // Once the menu is gone: a list opens in its place.
    QObject::connect(compare, &QAction::triggered, &ComparisonRequest::of(document),
                     &ComparisonRequest::asked, Qt::QueuedConnection);
}

}  // namespace headlight
