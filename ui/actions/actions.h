#pragma once

#include "ui/actions/action_table.h"

#include <QAction>
#include <QHash>
#include <QList>
#include <QObject>
#include <QString>

#include <utility>

class QMenu;
class QMenuBar;
class QWidget;

namespace headlight {

/// The actions of a window, made from the rows of the table, and its menus. Who does the work of an action
/// binds it, and says to it whether it is enabled.
class Actions : public QObject {
    Q_OBJECT
public:
    explicit Actions(QWidget* window);

    /// Its text, keys, tip, and what it lacks while it is off, are those of its row.
    QAction& at(const QString& id);
    /// `work` is done when a person chooses it, as long as `worker` lives.
    template <class Worker, class Work>
    void bind(const QString& id, Worker* worker, Work&& work) {
        connect(&at(id), &QAction::triggered, worker, std::forward<Work>(work));
    }
    /// Takes `made`, whose text its maker keeps, as the action of a row.
    void adopt(const QString& id, QAction& made);
    /// What stands at a place of a menu.
    void put(const QString& place, const QList<QAction*>& entries);
    QMenu& menu(const QString& id) { return *menus_.value(id); }

    /// What the action of that id does while it is enabled.
    QString effect(const QString& id) const;
    void set_effect(const QString& id, const QString& effect);

    /// Fills the menus and the bar, once everything is bound and put.
    void fill(QMenuBar& bar);

private:
    void take(const ActionRow& row, QAction& action);
    void show_tip(const QString& id);

    QWidget* window_;
    QHash<QString, QAction*> actions_;
    QHash<QString, QMenu*> menus_;
    QHash<QString, QList<QAction*>> places_;
    QHash<QString, QString> effects_;  ///< that are not those of the row
};

}  // namespace headlight
