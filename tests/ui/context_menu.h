#pragma once

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTimer>
#include <QWidget>

namespace headlight {

/// Calls use(action) with the entry `id` of the menu that the widget opens at `at`, null where there is none,
/// and closes the menu.
template <class Use>
void with_context_entry(QWidget& widget, const QString& id, QPoint at, QContextMenuEvent::Reason reason,
                        const Use& use) {
    QTimer::singleShot(0, &widget, [id, use] {
        if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
            use(menu->findChild<QAction*>(id));
            menu->close();
        }
    });
    QContextMenuEvent event(reason, at, widget.mapToGlobal(at));
    QCoreApplication::sendEvent(&widget, &event);
}

/// Chooses the entry `id`.
inline void choose_context_entry(QWidget& widget, const QString& id, QPoint at,
                                 QContextMenuEvent::Reason reason = QContextMenuEvent::Mouse) {
    with_context_entry(widget, id, at, reason, [](QAction* entry) {
        if (entry)
            entry->trigger();
    });
}

}  // namespace headlight
