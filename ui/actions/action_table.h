#pragma once

#include <QCoreApplication>
#include <QString>

#include <span>

namespace headlight {

/// What stands in the menus, in their order: those of the bar, those over what is looked at, and what other
/// windows have. Words are English, for action_words().
struct ActionRow {
    enum class Kind {
        action,
        key_only,  ///< an action that is in no menu; `menu` is where Help > Keys lists it
        menu,
        line,          ///< between entries
        place,         ///< is filled with actions that Qt makes: those of the panels
        context_menu,  ///< a ContextMenu: over a thing, below a button, or in a menu with what is there now
        window,        ///< one beside the main one, which makes its rows by make_action(); its object name
        own,           ///< an action that is made elsewhere, by make_action(), and put()
        each,   ///< an action for each of several things; their object names begin with the id and an _
        again,  ///< the action of that id, whose row is above, in this menu as well
    };

    const char* id;    ///< the object name; settings and tests know it
    const char* menu;  ///< the id of the menu that it is in; "" in the menu bar
    /// %1, %2 … of text and tip are what an entry of a context menu, or of several, is about.
    const char* text = "";
    const char* tip = "";    ///< what it does
    const char* keys = "";   ///< the standard ones, in Qt's portable words: "Ctrl+Shift+Z; Ctrl+Y"
    const char* lacks = "";  ///< what it says while it is off; "" where that differs, and its owner says it
    Kind kind = Kind::action;
    const char* words = "";  ///< by which people look for it as well, where text and tip have others
};

std::span<const ActionRow> action_rows();
/// The row of that id; nullptr where there is none.
const ActionRow* action_row(const QString& id);
/// The text of the menu that leads to `row`, that in the menu bar or over a thing, without the & of its
/// letter.
QString menu_of(const ActionRow& row);
/// Whether the row is part of a ContextMenu or of a window beside the main one, which make it when they open.
bool is_made_elsewhere(const ActionRow& row);
/// Words of a row in the person's language.
inline QString action_words(const char* words) { return QCoreApplication::translate("Actions", words); }

/// Puts a row behind those of its menu, before any window is made; what it points to stays.
void add_action_row(const ActionRow& row);

}  // namespace headlight
