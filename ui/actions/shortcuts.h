#pragma once

#include "ui/actions/keys_in_force.h"

#include <QKeySequence>
#include <QString>

#include <span>

class QAbstractButton;
class QAction;

namespace headlight {

/// A key that the program has: of a row of the table of actions, or of a button, the player, a picture or a
/// control, in a table beside it; no other place names one. A person may have chosen others (KeysInForce).
/// Menus, tooltips, Help > Keys and docs/keys.md read them.
struct Shortcut {
    const char* id;     ///< the object name of the action or button that it triggers; else a name for the row
    const char* keys;   ///< "Ctrl+Shift+Z; Ctrl+Y" in Qt's portable words, or as people say it: "1 … 9"
    const char* words;  ///< what it does
    const char* group;  ///< where Help > Keys lists it
    enum class Kind {
        action,      ///< of an action or a button: Qt delivers it
        everywhere,  ///< of the player: it works whatever has the focus, but for a text being typed
        focused,     ///< works where the words say
    };
    Kind kind = Kind::action;
};

/// Every key of the program, group by group.
std::span<const Shortcut> shortcuts();
/// The row of that id; nullptr where the table has none.
const Shortcut* shortcut(const QString& id);
/// What it does, in the person's language.
QString shortcut_words(const Shortcut& row);

/// The keys of `id` in force: those that a person chose, else those of its row, of kind action; none where
/// there is neither.
QList<QKeySequence> keys_of(const QString& id);
/// The same where `chosen` were in force.
QList<QKeySequence> keys_of(const QString& id, const ChosenKeys& chosen);
/// The first of them as people read it: "Ctrl+Z"; empty where there is none.
QString key_text(const QString& id);
/// `effect` with the key of `id` after it: "Draws it again (Ctrl+Y)".
QString with_key(const QString& effect, const QString& id);

/// Gives an action the keys of `id`, from now on those in force. Keys of the player, which no action may take
/// from the controls, are only shown beside its text.
void give_keys(QAction& action, const QString& id);
/// The same for its object name.
void give_keys(QAction& action);
void give_keys(QAbstractButton& button);

/// The table as Help > Keys shows it, with the keys in force.
QString shortcuts_html();
/// The same as docs/keys.md, with the standard ones.
QString shortcuts_markdown();

}  // namespace headlight
