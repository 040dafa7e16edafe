#include "ui/actions/key_use.h"

#include "ui/actions/action_table.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/menu_text.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace headlight {
namespace {

/// The mask editor is a window of its own, whose keys meet no others.
bool is_of_mask_editor(const Shortcut* row) {
    return row && QLatin1String(row->group) == QLatin1String("In the mask editor");
}

bool has_modifier(const QKeySequence& keys, Qt::KeyboardModifiers modifiers) {
    return (keys[0].keyboardModifiers() & modifiers) != 0;
}

/// The keys of a row of no action, as people say them: "1 … 9", "+, −, 0", "N, Shift+N".
QList<QKeySequence> said_keys(const QString& said) {
    if (const QStringList ends = said.split(QStringLiteral(" … ")); ends.size() == 2) {
        QList<QKeySequence> keys;
        for (int digit = ends.front().toInt(); digit <= ends.back().toInt(); ++digit)
            keys << QKeySequence(Qt::Key_0 + digit);
        return keys;
    }
    QList<QKeySequence> keys;
    QString plain = said;
    for (const QString& each : plain.replace(QChar(0x2212), QLatin1Char('-')).split(QStringLiteral(", ")))
        keys << QKeySequence::fromString(each, QKeySequence::PortableText);
    return keys;
}

/// What no command may take from the controls, menus and pictures of its window.
std::optional<KeyUse> use_of_controls(const QKeySequence& keys) {
    constexpr std::array of_controls{Qt::Key_Tab,    Qt::Key_Backtab,  Qt::Key_Return, Qt::Key_Enter,
                                     Qt::Key_Space,  Qt::Key_Delete,   Qt::Key_Home,   Qt::Key_End,
                                     Qt::Key_Left,   Qt::Key_Right,    Qt::Key_Up,     Qt::Key_Down,
                                     Qt::Key_Insert, Qt::Key_Backspace};
    constexpr std::array of_ways{Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,     Qt::Key_Down,
                                 Qt::Key_Home, Qt::Key_End,   Qt::Key_Delete, Qt::Key_Backspace};
    constexpr std::array of_texts{QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste,
                                  QKeySequence::SelectAll};
    const Qt::Key key = keys[0].key();
    if (!has_modifier(keys, Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) &&
        std::ranges::count(of_controls, key))
        return KeyUse{{}, action_words(QT_TRANSLATE_NOOP("Actions", "A key of texts, lists and buttons"))};
    // Commands of menus have their keys in a text, too (KeysOverText), which would go without it.
    if (has_modifier(keys, Qt::ControlModifier | Qt::ShiftModifier) && std::ranges::count(of_ways, key))
        return KeyUse{{},
                      action_words(QT_TRANSLATE_NOOP("Actions",
                                                     "Goes through words of a text and cells of a picture"))};
    if (keys[0].keyboardModifiers() == Qt::AltModifier && key >= Qt::Key_A && key <= Qt::Key_Z)
        return KeyUse{
            {},
            action_words(QT_TRANSLATE_NOOP("Actions", "For the underlined letters of menus and controls"))};
    for (const QKeySequence::StandardKey standard : of_texts)
        if (QKeySequence::keyBindings(standard).contains(keys))
            return KeyUse{
                {}, action_words(QT_TRANSLATE_NOOP("Actions", "Copies and pastes in texts and tables"))};
    return std::nullopt;
}

QString words_of(const Shortcut& row) {
    const QString id = QLatin1String(row.id);
    // The row of a key says more than the entry of a menu, of what works where the focus is.
    const bool is_focused = row.kind == Shortcut::Kind::focused;
    if (const ActionRow* action = action_row(id); action && !is_focused)
        return shown_words(action_words(action->text));
    return *row.words != '\0' ? shortcut_words(row) : KeysInForce::instance().text(id);
}

}  // namespace

bool can_change_keys(const QString& id) {
    const Shortcut* row = shortcut(id);
    return row ? row->kind == Shortcut::Kind::action : KeysInForce::instance().knows(id);
}

std::optional<KeyUse> use_of(const QKeySequence& keys, const QString& id, const ChosenKeys& chosen) {
    if (keys.isEmpty())
        return std::nullopt;
    const Shortcut* asked = shortcut(id);
    const bool is_for_mask = is_of_mask_editor(asked);
    for (const Shortcut& row : shortcuts())
        if (row.kind == Shortcut::Kind::action && id != QLatin1String(row.id) &&
            is_of_mask_editor(&row) == is_for_mask && keys_of(QLatin1String(row.id), chosen).contains(keys))
            return KeyUse{QLatin1String(row.id), words_of(row)};
    for (auto each = chosen.begin(); each != chosen.end(); ++each)
        if (each.key() != id && each.value() == keys && !shortcut(each.key()) && !is_for_mask)
            return KeyUse{each.key(), KeysInForce::instance().text(each.key())};
    if (keys_of(id, {}).contains(keys))
        return std::nullopt;
    for (const Shortcut& row : shortcuts())
        if (row.kind != Shortcut::Kind::action && said_keys(QString::fromUtf8(row.keys)).contains(keys))
            return KeyUse{{}, words_of(row)};
    return use_of_controls(keys);
}

}  // namespace headlight
