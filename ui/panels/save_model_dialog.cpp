#include "ui/panels/save_model_dialog.h"

#include "ui/views/describe.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace headlight {

SaveModelDialog::SaveModelDialog(const QString& name, const QString& place, QWidget* parent)
    : QDialog(parent), name_(new QLineEdit(name)), place_(new QLineEdit(QDir::toNativeSeparators(place))) {
    setObjectName(QStringLiteral("save_model"));
    setWindowTitle(tr("Save the model as a folder"));
    describe(name_, QStringLiteral("save_model_name"), tr("Name of the model"),
             tr("Name of the folder that the model is saved in"));
    describe(place_, QStringLiteral("save_model_place"), tr("In the folder"),
             tr("Where the model's folder stands"));
    constexpr int letters = 48;
    place_->setMinimumWidth(letters * fontMetrics().averageCharWidth());
    auto* choose = new QPushButton(tr("&Choose…"));
    choose->setAutoDefault(false);
    describe(choose, QStringLiteral("save_model_choose"), tr("Choose the folder"),
             tr("Looks for the place among the folders"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    save_ = buttons->button(QDialogButtonBox::Save);
    auto* places = new QHBoxLayout;
    places->addWidget(place_, 1);
    places->addWidget(choose);
    auto* form = new QFormLayout;
    form->addRow(tr("&Name"), name_);
    auto* place_label = new QLabel(tr("&In"));
    place_label->setBuddy(place_);  // a form gives a mnemonic to a field, not to a row of two
    form->addRow(place_label, places);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(buttons);
    connect(choose, &QPushButton::clicked, this, &SaveModelDialog::choose_place);
    for (const QLineEdit* field : {name_, place_})
        connect(field, &QLineEdit::textChanged, this, &SaveModelDialog::refresh);
    connect(buttons, &QDialogButtonBox::accepted, this, &SaveModelDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    name_->selectAll();
    refresh();
}

QString SaveModelDialog::folder() const {
    const QDir place(QDir::fromNativeSeparators(place_->text().trimmed()));
    return QDir::cleanPath(place.absoluteFilePath(QDir::fromNativeSeparators(name_->text().trimmed())));
}

void SaveModelDialog::accept() {
    const QString folder = this->folder();
    if (QFileInfo::exists(folder)) {
        QMessageBox box(
            QMessageBox::Question, windowTitle(),
            tr("%1 exists already. Replace it with this model?").arg(QDir::toNativeSeparators(folder)),
            QMessageBox::Cancel, this);
        box.setObjectName(QStringLiteral("save_model_question"));
        const QPushButton* replace = box.addButton(tr("&Replace"), QMessageBox::AcceptRole);
        box.exec();
        if (box.clickedButton() != replace)
            return;
    }
    QDialog::accept();
}

void SaveModelDialog::choose_place() {
    const QString chosen =
        QFileDialog::getExistingDirectory(this, tr("Where the model's folder stands"), place_->text());
    if (!chosen.isEmpty())
        place_->setText(QDir::toNativeSeparators(chosen));
}

void SaveModelDialog::refresh() {
    save_->setEnabled(!name_->text().trimmed().isEmpty() && !place_->text().trimmed().isEmpty());
}

}  // namespace headlight
