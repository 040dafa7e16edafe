#pragma once

#include <QString>

#include <span>

namespace headlight {

/// What stands in the menus, in their order. Words are English, for QCoreApplication::translate("Actions",
/// …).
struct ActionRow {
    enum class Kind {
        action,
        key_only,  ///< an action that is in no menu; `menu` is where Help > Keys lists it
        menu,
        line,   ///< between entries
        place,  ///< is filled by who knows what there is: views, recent files
    };

    const char* id;    ///< the object name; settings and tests know it
    const char* menu;  ///< the id of the menu that it is in; "" in the menu bar
    const char* text = "";
    const char* tip = "";    ///< what it does
    const char* keys = "";   ///< the standard ones, in Qt's portable words: "Ctrl+Shift+Z; Ctrl+Y"
    const char* lacks = "";  ///< what it says while it is off; "" where that differs, and its owner says it
    Kind kind = Kind::action;
};

std::span<const ActionRow> action_rows();
/// The row of that id; nullptr where there is none.
const ActionRow* action_row(const QString& id);
/// The text of the menu in the menu bar that leads to `row`, without the & of its letter.
QString menu_of(const ActionRow& row);

/// Puts a row behind those of its menu, before any window is made; what it points to stays.
void add_action_row(const ActionRow& row);

}  // namespace headlight
