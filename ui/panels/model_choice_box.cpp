#include "ui/panels/model_choice_box.h"

#include "core/io/shipped_models.h"
#include "ui/models/document.h"
#include "ui/models/model_opener.h"
#include "ui/panels/number_control.h"
#include "ui/panels/wide_combo.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace headlight {
namespace {

constexpr int captured_role = Qt::UserRole + 1;  ///< the entry is a capture, and no model

}  // namespace

ModelChoiceBox::ModelChoiceBox(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), opener_(new ModelOpener(document, this)), models_(new WideCombo),
      folder_(new QPushButton(tr("Open…"))), name_(new WrappedLabel) {
    describe(models_, QStringLiteral("model"), tr("Model"),
             tr("A trained model runs in place of the mechanism, and the pictures show its attention "
                "(Ctrl+L)"));
    ignore_passing_wheel(models_);
    models_->addItem(tr("None: a mechanism runs"), QString());
    for (const ShippedModel& each : shipped_models()) {
        const QString name = QString::fromUtf8(each.name);
        models_->addItem(QString::fromUtf8(each.title), name);
        models_->setItemData(models_->count() - 1, name, Qt::ToolTipRole);
    }
    describe(folder_, QStringLiteral("open_model"), tr("Open a folder"),
             tr("A model that was trained here and saved: a folder with config.json and model.safetensors"));
    describe(name_, QStringLiteral("model_name"), tr("Name of the model"), {});
    name_->setTextFormat(Qt::PlainText);
    make_title(*name_);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(models_, 1);
    line->addWidget(folder_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(name_);

    connect(opener_, &ModelOpener::problem, this, [this](const Error& error) {
        refresh();  // what could not be opened is not chosen
        emit problem(error);
    });
    connect(models_, &QComboBox::activated, this, [this](int row) {
        const QString name = models_->itemData(row).toString();
        const std::optional<SessionCapture>& capture = document_.session().capture;
        if (capture && name.toStdString() == capture->file)
            return;
        if (name.isEmpty())
            opener_->close();
        else
            opener_->open(name);
    });
    connect(folder_, &QPushButton::clicked, this, &ModelChoiceBox::folder_requested);
    connect(&document_, &Document::session_changed, this, &ModelChoiceBox::refresh);
    refresh();
}

void ModelChoiceBox::open_chooser() {
    models_->setFocus(Qt::ShortcutFocusReason);
    models_->showPopup();
}

void ModelChoiceBox::open_model(const QString& name) { opener_->open(name); }

void ModelChoiceBox::refresh() {
    const Session& session = document_.session();
    const std::string name = session.attends_elsewhere();
    const QString shown = QString::fromStdString(name);
    const QSignalBlocker quiet(models_);
    int row = models_->findData(shown);
    if (row < 0) {
        models_->addItem(short_name(name), shown);
        row = models_->count() - 1;
        models_->setItemData(row, shown, Qt::ToolTipRole);
        models_->setItemData(row, session.capture.has_value(), captured_role);
    }
    models_->setCurrentIndex(row);
    // No model has this name: it is in the list for as long as it is shown.
    for (int other = models_->count() - 1; other >= 0; --other)
        if (other != row && models_->itemData(other, captured_role).toBool())
            models_->removeItem(other);
    show_whole_name();
}

void ModelChoiceBox::show_whole_name() {
    const bool is_model = !models_->currentData().toString().isEmpty();
    const bool is_cut = is_model && models_->shown_text() != models_->currentText();
    name_->show_text(is_cut ? models_->currentText() : QString());
    name_->setVisible(is_cut);
}

void ModelChoiceBox::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        show_whole_name();
}

void ModelChoiceBox::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    show_whole_name();
}

}  // namespace headlight
