#include "ui/actions/actions.h"

#include "ui/actions/shortcuts.h"

#include <QMenu>
#include <QMenuBar>

namespace headlight {

Actions::Actions(QWidget* window) : QObject(window), window_(window) {
    for (const ActionRow& row : action_rows())
        if (row.kind == ActionRow::Kind::menu && !is_made_elsewhere(row)) {
            auto* menu = new QMenu(action_words(row.text), window);
            menu->setObjectName(QLatin1String(row.id));
            menus_.insert(QLatin1String(row.id), menu);
        }
}

QAction& Actions::at(const QString& id) {
    if (QAction* made = actions_.value(id))
        return *made;
    const ActionRow* row = action_row(id);
    if (!row)
        qFatal("no row of the table of actions is called %s", qPrintable(id));
    auto* action = new QAction(action_words(row->text), this);
    take(*row, *action);
    return *action;
}

void Actions::adopt(const QString& id, QAction& made) { take(*action_row(id), made); }

void Actions::take(const ActionRow& row, QAction& action) {
    const QString id = QLatin1String(row.id);
    actions_.insert(id, &action);
    action.setObjectName(id);
    give_keys(action);
    show_tip(id);
    if (*row.lacks != '\0')
        connect(&action, &QAction::enabledChanged, this, [this, id] { show_tip(id); });
}

void Actions::show_tip(const QString& id) {
    QAction& action = *actions_.value(id);
    const char* lacks = action_row(id)->lacks;
    action.setToolTip(action.isEnabled() || *lacks == '\0' ? effect(id) : action_words(lacks));
}

QString Actions::effect(const QString& id) const {
    return effects_.contains(id) ? effects_.value(id) : action_words(action_row(id)->tip);
}

void Actions::set_effect(const QString& id, const QString& effect) {
    effects_.insert(id, effect);
    at(id);
    show_tip(id);
}

void Actions::put(const QString& place, const QList<QAction*>& entries) { places_.insert(place, entries); }

void Actions::fill(QMenuBar& bar) {
    for (const ActionRow& row : action_rows()) {
        if (is_made_elsewhere(row))
            continue;
        const QString id = QLatin1String(row.id);
        QWidget* in = *row.menu == '\0' ? static_cast<QWidget*>(&bar) : &menu(QLatin1String(row.menu));
        switch (row.kind) {
        case ActionRow::Kind::action:
            in->addAction(&at(id));
            break;
        case ActionRow::Kind::key_only:
            window_->addAction(&at(id));
            break;
        case ActionRow::Kind::menu:
            in->addAction(menu(id).menuAction());
            break;
        case ActionRow::Kind::line:
            menu(QLatin1String(row.menu)).addSeparator();
            break;
        case ActionRow::Kind::again:
            in->addAction(&at(id));
            break;
        case ActionRow::Kind::place:
        case ActionRow::Kind::context_menu:
        case ActionRow::Kind::own:
        case ActionRow::Kind::each:
            in->addActions(places_.value(id));
            break;
        case ActionRow::Kind::window:
            break;
        }
    }
}

}  // namespace headlight
