#pragma once

#include "ui/actions/action_table.h"

#include <QList>
#include <QMenu>
#include <QStringList>

#include <cstddef>
#include <vector>

namespace headlight {

/// An action of that row of the table, with what it is about in the place of %1, %2 … of its text and its
/// tip. Its object name is the id, with `one` behind it where the row stands for each of several things.
/// While it is off, its tip says what the row lacks.
QAction* make_action(const QString& id, QObject* parent, const QStringList& about = {},
                     const QString& one = {});

/// A menu over a thing or below a button. Its entries are rows of the table, in their order there; which of
/// them, and what they do, is up to who opens it.
class ContextMenu : public QMenu {
    Q_OBJECT
public:
    /// For the rows of the menu `id`.
    explicit ContextMenu(const QString& id, QWidget* parent = nullptr);

    /// Puts an action of that row in its place, see make_action().
    QAction& offer(const QString& id, const QStringList& about = {}, const QString& one = {});
    /// The same for a menu in this one.
    ContextMenu& offer_menu(const QString& id);
    /// Puts an action of a row that make_action() made for somebody else, whose it stays.
    void take(QAction& made) { place(made, made.objectName()); }
    /// Takes all entries away.
    void offer_nothing();

private:
    struct Placed {
        std::ptrdiff_t row;  ///< of action_rows()
        QAction* action;
    };

    void add_lines();
    void place(QAction& action, const QString& id);

    std::vector<Placed> placed_;  ///< by row
    QList<ContextMenu*> parts_;
};

}  // namespace headlight
