#pragma once

#include <QList>
#include <QObject>

class QAction;
class QWidget;

namespace headlight {

/// Lets a window's undo and redo have their keys wherever in it the focus is. Fields of text would take them
/// for an undo of their own, which knows nothing of the document's, or, as in the sequence, is switched off.
class UndoKeys : public QObject {
public:
    UndoKeys(QWidget* window, QList<QAction*> actions);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* window_;
    QList<QAction*> actions_;
};

}  // namespace headlight
