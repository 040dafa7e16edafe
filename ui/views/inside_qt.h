#pragma once

#include <QList>

class QAbstractSpinBox;
class QAction;
class QComboBox;
class QInputDialog;
class QLineEdit;
class QPushButton;
class QWidget;

namespace headlight {

// Parts of Qt's own widgets that Qt gives no way to. What we make ourselves is known by members: no other
// file looks a part up.

/// What is typed into.
QLineEdit& typed_text(const QAbstractSpinBox& field);
/// Whether the list has made the window of its entries, which view() would make.
bool has_made_list(const QComboBox& list);
/// Takes what was typed; nullptr until the dialog is shown.
QPushButton* accept_button(const QInputDialog& dialog);
QList<QAction*> actions_inside(const QWidget& widget);

}  // namespace headlight
