#include "ui/views/key_field.h"

#include <QKeyEvent>

#include <algorithm>
#include <array>

namespace headlight {
namespace {

bool is_plain_escape(const QKeyEvent& key) { return key.key() == Qt::Key_Escape && !key.modifiers(); }

/// Held beside another key, or of a letter that is only begun.
bool is_no_key_alone(int key) {
    constexpr std::array held{Qt::Key_Control,  Qt::Key_Shift,   Qt::Key_Alt,      Qt::Key_AltGr,
                              Qt::Key_Meta,     Qt::Key_Super_L, Qt::Key_Super_R,  Qt::Key_Hyper_L,
                              Qt::Key_Hyper_R,  Qt::Key_NumLock, Qt::Key_CapsLock, Qt::Key_ScrollLock,
                              Qt::Key_Multi_key};
    return key == 0 || key == Qt::Key_unknown || std::ranges::count(held, key) ||
           (key >= Qt::Key_Dead_Grave && key <= Qt::Key_Dead_Longsolidusoverlay);
}

/// As menus hear it: Shift counts only where it does not make the sign itself, such as "?".
QKeySequence sequence_of(const QKeyEvent& key) {
    Qt::KeyboardModifiers held =
        key.modifiers() & (Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    const QString text = key.text();
    const bool is_sign =
        !text.isEmpty() && text[0].isPrint() && !text[0].isLetterOrNumber() && !text[0].isSpace();
    held.setFlag(Qt::ShiftModifier, held.testFlag(Qt::ShiftModifier) && !is_sign);
    return QKeySequence(QKeyCombination(held, Qt::Key(key.key())));
}

}  // namespace

bool KeyField::event(QEvent* event) {
    // The dialog's Escape is a press of a key like any other, unless the field says that it has no use for
    // it.
    if (event->type() == QEvent::ShortcutOverride && is_plain_escape(*static_cast<QKeyEvent*>(event))) {
        event->ignore();
        return true;
    }
    return QKeySequenceEdit::event(event);
}

void KeyField::keyPressEvent(QKeyEvent* event) {
    if (is_plain_escape(*event))
        return event->ignore();
    if (!is_no_key_alone(event->key())) {
        const QKeySequence keys = sequence_of(*event);
        setKeySequence(keys);
        emit pressed(keys);
    }
    event->accept();
}

void KeyField::keyReleaseEvent(QKeyEvent* event) { event->accept(); }

}  // namespace headlight
