#pragma once

#include <QKeySequence>
#include <QString>

#include <span>

class QAbstractButton;
class QAction;

namespace headlight {

/// One row of the table of keys, the only place that names any. Menus, tooltips, Help > Keys and docs/keys.md
/// read it.
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

/// The keys of the row `id`, of kind action; none where the table has no such row.
QList<QKeySequence> keys_of(const QString& id);
/// The first of them as people read it: "Ctrl+Z"; empty where there is none.
QString key_text(const QString& id);
/// `effect` with the key of `id` after it: "Draws it again (Ctrl+Y)".
QString with_key(const QString& effect, const QString& id);

/// Gives an action the keys of the row that has its object name. Keys of the player, which no action may take
/// from the controls, are only shown beside its text.
void give_keys(QAction& action);
void give_keys(QAbstractButton& button);

/// The table as Help > Keys shows it, and as docs/keys.md.
QString shortcuts_html();
QString shortcuts_markdown();

}  // namespace headlight
