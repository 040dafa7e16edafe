#include "ui/panels/model_panel.h"

#include "core/catalog/documentation_text.h"
#include "core/figure/comparison.h"
#include "core/io/session_capture.h"
#include "core/io/shipped_models.h"
#include "core/workbench/playback.h"
#include "ui/models/counted_text.h"
#include "ui/models/document.h"
#include "ui/panels/counterpart_box.h"
#include "ui/panels/decoding_box.h"
#include "ui/panels/generation_box.h"
#include "ui/panels/head_choice.h"
#include "ui/panels/intervention_box.h"
#include "ui/panels/model_choice_box.h"
#include "ui/panels/site_choice.h"
#include "ui/panels/source_box.h"
#include "ui/panels/units_combo.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace headlight {
namespace {

WrappedLabel* named_label(const char* id, const QString& name) {
    auto* label = new WrappedLabel;
    label->setObjectName(QLatin1String(id));
    label->setAccessibleName(name);
    return label;
}

}  // namespace

ModelPanel::ModelPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), choice_(new ModelChoiceBox(document)),
      hint_(named_label("model_hint", tr("What a model is"))),
      gone_(named_label("model_gone", tr("The model is not there"))),
      capture_(named_label("capture", tr("What the capture holds"))), unit_(new UnitsCombo(document)),
      units_(named_row(tr("&Units"), unit_)), source_(new SourceBox(document)),
      counterpart_(new CounterpartBox(document, QStringLiteral("model_counterpart"))),
      head_(new HeadChoice(document)), heads_(named_row(tr("Head"), head_)), site_(new SiteChoice(document)),
      sites_(named_row(tr("A&ttention"), site_)), generation_(new GenerationBox(document)),
      task_(named_label("model_task", tr("What the model has learned"))) {
    hint_->show_text(tr("A model that has learned to attend: choose one, type a sentence, press play, and "
                        "watch where it looks for each word."));
    give_role(*gone_, Role::problem);
    generation_->insert(new InterventionBox(document_));
    generation_->insert(new DecodingBox(document_));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    // From what is typed to what is said, and what was changed right under it: the order in which one plays.
    for (QWidget* part : std::initializer_list<QWidget*>{choice_, gone_, hint_, capture_, units_, source_,
                                                         counterpart_, heads_, sites_, generation_, task_})
        layout->addWidget(part);
    layout->addStretch(1);

    connect(choice_, &ModelChoiceBox::folder_requested, this, &ModelPanel::folder_requested);
    connect(counterpart_, &CounterpartBox::other_capture_requested, this,
            &ModelPanel::other_capture_requested);
    connect(counterpart_, &CounterpartBox::other_model_requested, this, &ModelPanel::other_model_requested);
    connect(counterpart_, &CounterpartBox::paste_refused, this, &ModelPanel::paste_refused);
    connect(choice_, &ModelChoiceBox::problem, this, &ModelPanel::problem);
    connect(source_, &SourceBox::paste_refused, this, &ModelPanel::paste_refused);
    connect(&document_, &Document::session_changed, this, &ModelPanel::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        if (before.selection.site != document_.view().selection.site)
            refresh();
    });
    connect(&document_, &Document::run_changed, this, &ModelPanel::refresh);
    connect(&document_, &Document::error_changed, this, &ModelPanel::refresh);
    refresh();
}

QWidget* ModelPanel::named_row(const QString& name, QWidget* list) {
    auto* title = new QLabel(name);
    title->setBuddy(list);
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addWidget(list, 1);
    return row;
}

void ModelPanel::open_chooser() { choice_->open_chooser(); }
void ModelPanel::open_model(const QString& name) { choice_->open_model(name); }

void ModelPanel::refresh() {
    const Session& session = document_.session();
    const std::shared_ptr<const Run> run = document_.run();
    const bool is_open =
        session.model && run && run->transcript && run->session->model->name == session.model->name;
    const bool is_captured = session.capture && run && run->session->capture == session.capture;
    hint_->setVisible(session.runs_mechanism());
    capture_->setVisible(is_captured);
    task_->setVisible(is_open);
    const bool is_gone = session.model && document_.error() && is_missing(session.model->name);
    // A file that cannot be compared is there all the same.
    const bool is_unread =
        session.capture && document_.error() && !is_of_counterpart(*document_.error(), session);
    gone_->setVisible(is_gone || is_unread);
    if (is_unread)
        gone_->show_text(
            tr("This file could not be read: %1. Open it from where it is now, or choose a model "
               "or a mechanism in its place.")
                .arg(QString::fromStdString(session.capture->file)));
    for (QWidget* part : {static_cast<QWidget*>(source_), static_cast<QWidget*>(generation_)})
        part->setVisible(session.model && !is_gone);  // also while its text cannot be read
    units_->setVisible(session.capture.has_value());
    counterpart_->setVisible(session.capture || (session.model && !is_gone));
    if (is_gone)
        gone_->show_text(tr("The folder of this model is not there any more: %1. Choose where it is now with "
                            "“Open…”, or another model. What you typed is kept.")
                             .arg(QString::fromStdString(session.model->name)));
    heads_->setVisible(is_captured && head_->has_choice());
    sites_->setVisible((is_open || is_captured) && site_->has_choice());
    if (is_captured)
        describe_capture();
    if (!is_open)
        return;
    const Task& task = run->transcript->model->model->task;
    task_->show_text(QString::fromStdString(first_sentence(task.meaning)));
    task_->setToolTip(QString::fromStdString(task.meaning));
}

void ModelPanel::describe_capture() {
    const Run& run = *document_.run();
    const std::string& site = document_.view().selection.site;
    const Stage* weights = run.trace->find("weights", site);
    const QString file = QFileInfo(QString::fromStdString(run.session->capture->file)).fileName();
    QString text = tr("Attention that was computed elsewhere, from %1.").arg(file);
    if (weights)
        text =
            tr("Attention that was computed elsewhere, from %1: %2, in this one %3 of %4 queries × %5 keys.")
                .arg(file,
                     counted_text(compared_sites(*run.trace), "place that attends", "places that attend"),
                     counted_text(head_count(*run.trace, site), "head"))
                .arg(weights->extent(Axis::query))
                .arg(weights->extent(Axis::key));
    if (!run.reading.empty())
        text += QLatin1Char('\n') + tr("In the file: %1").arg(QString::fromStdString(run.reading));
    capture_->show_text(text);
}

}  // namespace headlight
