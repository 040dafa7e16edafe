#include "ui/models/menu_commands.h"

#include "ui/models/action_tip.h"
#include "ui/models/menu_text.h"

#include <QKeySequence>
#include <QMenu>
#include <QSet>
#include <QStringList>

namespace headlight {
namespace {

/// Keys of the player, which no action may take from the controls, stand behind the text.
QString keys_behind(const QString& text) { return text.section(QLatin1Char('\t'), 1); }

QString command_keys(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& each : action.shortcuts())
        keys << each.toString(QKeySequence::NativeText);
    return keys.isEmpty() ? keys_behind(action.text()) : keys.join(QStringLiteral(", "));
}

QString command_words(const QAction& action) {
    return shown_words(action.text().section(QLatin1Char('\t'), 0, 0)).simplified();
}

class Walk {
public:
    void take(const QList<QAction*>& actions, const QString& path, bool is_in_sight) {
        for (QAction* action : actions) {
            const bool is_shown = is_in_sight && action->isVisible();
            if (QMenu* menu = action->menu())
                take_menu(*menu, path, is_shown);
            else if (!action->isSeparator() && !action->text().isEmpty() && !seen_.contains(action))
                add(*action, path, is_shown);
        }
    }
    std::vector<MenuCommand> commands;

private:
    void take_menu(QMenu& menu, const QString& path, bool is_shown) {
        emit menu.aboutToShow();  // some are filled only now
        const QString title = shown_words(menu.title());
        take(menu.actions(), path.isEmpty() ? title : QStringLiteral("%1 > %2").arg(path, title), is_shown);
    }
    void add(QAction& action, const QString& path, bool is_shown) {
        seen_.insert(&action);
        if (is_shown)
            commands.push_back({&action, action.objectName(), command_words(action), path,
                                command_keys(action), own_tip(action), action.isEnabled()});
    }

    QSet<const QAction*> seen_;
};

}  // namespace

std::vector<MenuCommand> commands_in(const QList<QAction*>& menus, const QList<QAction*>& others) {
    Walk walk;
    walk.take(menus, {}, true);
    walk.take(others, {}, true);
    return std::move(walk.commands);
}

}  // namespace headlight
