#include "ui/panels/model_panel.h"

#include "core/io/shipped_models.h"
#include "ui/models/document.h"
#include "ui/panels/decoding_box.h"
#include "ui/panels/generation_box.h"
#include "ui/panels/intervention_box.h"
#include "ui/panels/model_choice_box.h"
#include "ui/panels/site_choice.h"
#include "ui/panels/source_box.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace headlight {
namespace {

QString first_sentence(const std::string& paragraph) {
    const QString text = QString::fromStdString(paragraph);
    const qsizetype end = text.indexOf(QStringLiteral(". "));
    return end < 0 ? text : text.left(end + 1);
}

WrappedLabel* named_label(const char* id, const QString& name) {
    auto* label = new WrappedLabel;
    label->setObjectName(QLatin1String(id));
    label->setAccessibleName(name);
    return label;
}

}  // namespace

ModelPanel::ModelPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), choice_(new ModelChoiceBox(document)),
      site_(new SiteChoice(document)), site_title_(new QLabel(tr("A&ttention"))),
      hint_(named_label("model_hint", tr("What a model is"))),
      gone_(named_label("model_gone", tr("The model is not there"))), generation_(build_generation()),
      task_(named_label("model_task", tr("What the model has learned"))) {
    hint_->show_text(tr("A model that has learned to attend: choose one, type a sentence, press play, and "
                        "watch where it looks for each word."));
    give_role(*gone_, Role::problem);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    for (QWidget* part : std::initializer_list<QWidget*>{choice_, gone_, hint_, generation_, task_})
        layout->addWidget(part);
    layout->addStretch(1);

    connect(choice_, &ModelChoiceBox::folder_requested, this, &ModelPanel::folder_requested);
    connect(choice_, &ModelChoiceBox::problem, this, &ModelPanel::problem);
    connect(&document_, &Document::session_changed, this, &ModelPanel::refresh);
    connect(&document_, &Document::run_changed, this, &ModelPanel::refresh);
    connect(&document_, &Document::error_changed, this, &ModelPanel::refresh);
    refresh();
}

/// From what is typed to what is said, and what was changed right under it: the order in which one plays.
QWidget* ModelPanel::build_generation() {
    auto* source = new SourceBox(document_);
    connect(source, &SourceBox::paste_refused, this, &ModelPanel::paste_refused);
    auto* generation = new GenerationBox(document_);
    generation->insert(new InterventionBox(document_));
    generation->insert(new DecodingBox(document_));
    site_title_->setBuddy(site_);
    auto* site_row = new QHBoxLayout;
    site_row->setSpacing(8);
    site_row->addWidget(site_title_);
    site_row->addWidget(site_, 1);
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(source);
    layout->addLayout(site_row);
    layout->addWidget(generation);
    return whole;
}

void ModelPanel::open_chooser() { choice_->open_chooser(); }
void ModelPanel::open_model(const QString& name) { choice_->open_model(name); }

void ModelPanel::refresh() {
    const Session& session = document_.session();
    const std::shared_ptr<const Run> run = document_.run();
    const bool is_open =
        session.model && run && run->transcript && run->session->model->name == session.model->name;
    hint_->setVisible(!session.model);
    task_->setVisible(is_open);
    const bool is_gone = session.model && document_.error() && is_missing(session.model->name);
    gone_->setVisible(is_gone);
    generation_->setVisible(session.model && !is_gone);  // also while its text cannot be read
    if (is_gone)
        gone_->show_text(tr("The folder of this model is not there any more: %1. Choose where it is now with "
                            "“Open…”, or another model. What you typed is kept.")
                             .arg(QString::fromStdString(session.model->name)));
    site_->setVisible(is_open && site_->has_choice());
    site_title_->setVisible(is_open && site_->has_choice());
    if (!is_open)
        return;
    const Task& task = run->transcript->model->model->task;
    task_->show_text(first_sentence(task.meaning));
    task_->setToolTip(QString::fromStdString(task.meaning));
}

}  // namespace headlight
