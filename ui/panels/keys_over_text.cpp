#include "ui/panels/keys_over_text.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace headlight {

KeysOverText::KeysOverText(QWidget* window, QList<QAction*> actions)
    : QObject(window), window_(window), actions_(std::move(actions)) {
    qApp->installEventFilter(this);
}

bool KeysOverText::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != window_)
        return false;
    const QKeySequence pressed(static_cast<QKeyEvent*>(event)->keyCombination());
    if (std::ranges::none_of(actions_,
                             [&](const QAction* action) { return action->shortcuts().contains(pressed); }))
        return false;
    event->ignore();  // nobody overrides the shortcut
    return true;
}

}  // namespace headlight
