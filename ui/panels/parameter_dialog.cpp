#include "ui/panels/parameter_dialog.h"

#include "ui/actions/actions.h"
#include "ui/panels/keys_over_text.h"
#include "ui/panels/parameter_table.h"
#include "ui/views/bring_to_front.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace headlight {

ParameterDialog::ParameterDialog(ParameterTableModel& model, Actions& actions, QWidget* parent)
    : QDialog(parent), meaning_(new QLabel),
      table_(new ParameterTable(model, QStringLiteral("large_parameter_table"))) {
    setObjectName(QStringLiteral("parameter_dialog"));
    meaning_->setWordWrap(true);
    meaning_->setTextFormat(Qt::RichText);
    make_note(*meaning_);
    table_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    table_->setTabKeyNavigation(false);  // the arrow keys do that, and Tab leads out
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* close = buttons->button(QDialogButtonBox::Close);
    close->setAutoDefault(false);  // Return is the table's
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(meaning_);
    layout->addWidget(table_->problem());
    layout->addWidget(table_, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const QList<QAction*> history{&actions.at(QStringLiteral("edit_undo")),
                                  &actions.at(QStringLiteral("edit_redo"))};
    addActions(history);
    new KeysOverText(this, history);
}

void ParameterDialog::show_parameter(const QString& name, const QString& meaning_html) {
    if (name.isEmpty())
        return reject();
    setWindowTitle(tr("Numbers of %1").arg(name));
    meaning_->setText(meaning_html);
}

void ParameterDialog::open_fresh() {
    if (!isVisible())
        resize(sizeHint());
    bring_to_front(*this);
    table_->setFocus();
}

}  // namespace headlight
