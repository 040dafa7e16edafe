#include "ui/views/compare_menu.h"

#include "ui/models/document.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace headlight {
namespace {

struct CompareMenuWords {
    Q_DECLARE_TR_FUNCTIONS(CompareMenuWords)
};

bool is_pinned(const Document& document, const PinnedMap& map) {
    return std::ranges::count(document.session().figure.pinned, map) > 0;
}

bool can_pin_more(const Document& document) {
    return std::ssize(document.session().figure.pinned) < most_pinned;
}

}  // namespace

ComparisonRequest::ComparisonRequest(Document& document) : QObject(&document) {}

ComparisonRequest& ComparisonRequest::of(Document& document) {
    if (auto* existing = document.findChild<ComparisonRequest*>(QString(), Qt::FindDirectChildrenOnly))
        return *existing;
    return *new ComparisonRequest(document);
}

void turn_pin(Document& document, const PinnedMap& map) {
    FigureSettings figure = document.session().figure;
    if (is_pinned(document, map)) {
        std::erase(figure.pinned, map);
        document.change_figure(CompareMenuWords::tr("Unpin head %1").arg(map.head + 1), figure);
    } else if (can_pin_more(document)) {
        figure.pinned.push_back(map);
        document.change_figure(CompareMenuWords::tr("Pin head %1").arg(map.head + 1), figure);
    }
}

void add_compare_actions(QMenu& menu, Document& document, const PinnedMap& map) {
    menu.addSeparator();
    const bool pinned = is_pinned(document, map), may_turn = pinned || can_pin_more(document);
    QAction* pin =
        menu.addAction(pinned     ? CompareMenuWords::tr("Un&pin head %1").arg(map.head + 1)
                       : may_turn ? CompareMenuWords::tr("&Pin head %1: Compare keeps it").arg(map.head + 1)
                                  : CompareMenuWords::tr("Pin (at most %1 maps)").arg(most_pinned));
    pin->setObjectName(QLatin1String("pin_map"));
    pin->setEnabled(may_turn);
    QObject::connect(pin, &QAction::triggered, &menu, [&document, map] { turn_pin(document, map); });
    QAction* compare = menu.addAction(CompareMenuWords::tr("Co&mpare with…"));
    compare->setObjectName(QLatin1String("compare_with"));
    // Once the menu is gone: a list opens in its place.
    QObject::connect(compare, &QAction::triggered, &ComparisonRequest::of(document),
                     &ComparisonRequest::asked, Qt::QueuedConnection);
}

}  // namespace headlight
