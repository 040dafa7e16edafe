#pragma once

#include <QAction>
#include <QList>
#include <QPointer>
#include <QString>

#include <vector>

namespace headlight {

/// What an entry of a menu does, and how it looked when it was asked.
struct MenuCommand {
    QPointer<QAction> action;
    QString id;    ///< the object name of the action; empty where it has none
    QString text;  ///< as the menu shows it: "Save as…"
    QString path;  ///< the menus that lead there: "View > Theme"; empty where only a key does
    QString keys;  ///< "Ctrl+Shift+Z, Ctrl+Y"
    QString tip;   ///< what it does or, while it is disabled, what it lacks; may be empty
    bool is_enabled = true;
    QString words{};  ///< by which people look for it as well
};

/// The entries of these menus and of those in them, in their order; then those of `others`, actions that have
/// keys, which no menu has. What is hidden is left out. Read from the actions themselves, so that none of
/// them has to be listed a second time.
std::vector<MenuCommand> commands_in(const QList<QAction*>& menus, const QList<QAction*>& others);

}  // namespace headlight
