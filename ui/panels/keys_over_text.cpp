#include "ui/panels/keys_over_text.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QWidget>

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {
namespace {

bool has_key(const QList<QAction*>& actions, const QKeySequence& pressed) {
    return std::ranges::any_of(actions, [&](const QAction* action) {
        return action->menu() ? has_key(action->menu()->actions(), pressed)
                              : action->shortcuts().contains(pressed);
    });
}

bool is_typed(const QKeyEvent& key) {
    const bool is_function = key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F35;
    if (!is_function && !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
        return true;
    constexpr std::array of_clipboard{QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste,
                                      QKeySequence::SelectAll};
    return std::ranges::any_of(of_clipboard, [&](auto standard) { return key.matches(standard); });
}

}  // namespace

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
    const auto& pressed = *static_cast<QKeyEvent*>(event);
    if (is_typed(pressed) || !has_key(actions_, QKeySequence(pressed.keyCombination())))
        return false;
    event->ignore();  // nobody overrides the shortcut
    return true;
}

}  // namespace headlight
