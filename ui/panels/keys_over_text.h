#pragma once

#include <QList>
#include <QObject>

class QAction;
class QWidget;

namespace headlight {

/// Lets actions of a window have their keys wherever in it the focus is. Fields of text would take undo and
/// redo for one of their own, which knows nothing of the document's, or, as in the sequence, is switched off;
/// and Ctrl+Home for a way to the beginning of the text.
class KeysOverText : public QObject {
public:
    KeysOverText(QWidget* window, QList<QAction*> actions);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* window_;
    QList<QAction*> actions_;
};

}  // namespace headlight
