#include "ui/views/inside_qt.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QPushButton>

namespace headlight {

QLineEdit& typed_text(const QAbstractSpinBox& field) { return *field.findChild<QLineEdit*>(); }

bool has_made_list(const QComboBox& list) { return list.findChild<QAbstractItemView*>() != nullptr; }

QPushButton* accept_button(const QInputDialog& dialog) {
    const auto* buttons = dialog.findChild<QDialogButtonBox*>();
    return buttons ? buttons->button(QDialogButtonBox::Ok) : nullptr;
}

QList<QAction*> actions_inside(const QWidget& widget) { return widget.findChildren<QAction*>(); }

}  // namespace headlight
