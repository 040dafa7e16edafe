#pragma once

#include <QList>
#include <QObject>

class QAction;
class QWidget;

namespace headlight {

/// Lets actions of a window, and those in menus of them, have their keys wherever in it the focus is. Fields
/// of text would take undo and redo for one of their own, which knows nothing of the document's, or, as in
/// the sequence, is switched off; Ctrl+Home and Ctrl+E for ways to the ends of the text. What is typed stays
/// with the field: keys without Ctrl, Alt or a function key, and those of the clipboard.
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
