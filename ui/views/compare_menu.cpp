#include "ui/views/compare_menu.h"

#include "core/workbench/figure_edits.h"
#include "ui/actions/context_menu.h"
#include "ui/models/document.h"

namespace headlight {

ComparisonRequest::ComparisonRequest(Document& document) : QObject(&document) {}

ComparisonRequest& ComparisonRequest::of(Document& document) {
    return document.companions().of<ComparisonRequest>(
        [&document] { return new ComparisonRequest(document); });
}

void add_compare_actions(ContextMenu& menu, Document& document, const PinnedMap& map) {
    const Session& session = document.session();
    const bool pinned = is_pinned(session, map);
    QAction& pin = menu.offer(pinned ? QStringLiteral("unpin_map") : QStringLiteral("pin_map"),
                              {QString::number(map.head + 1)});
    pin.setEnabled(pinned || can_pin_more(session));
    QObject::connect(&pin, &QAction::triggered, &menu,
                     [&document, map] { document.edit(turn_pin(document.session(), map)); });
    // Once the menu is gone: a list opens in its place.
    QObject::connect(&menu.offer(QStringLiteral("compare_with")), &QAction::triggered,
                     &ComparisonRequest::of(document), &ComparisonRequest::asked, Qt::QueuedConnection);
}

}  // namespace headlight
