#include "ui/panels/generation_box.h"

#include "core/workbench/generated_text.h"
#include "core/workbench/model_edits.h"
#include "ui/models/candidate_model.h"
#include "ui/models/counted_text.h"
#include "ui/models/document.h"
#include "ui/views/candidate_delegate.h"
#include "ui/views/copy_bar.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

QString output_html(const Transcript& transcript, Index step, const QPalette& palette) {
    const QString pale = palette.color(QPalette::PlaceholderText).name();
    QString html;
    for (const TextPiece& piece : text_pieces(transcript, step)) {
        const std::size_t start = word_start(piece.text);
        QString text = QString::fromStdString(piece.text.substr(start)).toHtmlEscaped();
        html += QString::fromStdString(piece.text.substr(0, start));
        if (piece.is_chosen)
            text = QStringLiteral("<u>%1</u>").arg(text);
        if (piece.time == TextPiece::Time::present)
            text = QStringLiteral("<b>%1</b>").arg(text);
        if (piece.time == TextPiece::Time::future)
            text = QStringLiteral("<span style='color:%1'>%2</span>").arg(pale, text);
        html += text;
    }
    return html;
}

}  // namespace

GenerationBox::GenerationBox(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), candidates_(new CandidateModel(document, this)),
      output_(new WrappedLabel), cut_(new WrappedLabel), step_(new QLabel), copying_(new CopyBar),
      list_(new QListView), own_words_(new QPushButton(tr("Its own words"))) {
    build();
    connect(own_words_, &QPushButton::clicked, this,
            [this] { document_.edit(leave_words_to_model(document_.session())); });
    connect(list_, &QListView::clicked, candidates_, &CandidateModel::choose);
    connect(list_, &QListView::activated, candidates_, &CandidateModel::choose);
    connect(candidates_, &CandidateModel::changed, this, &GenerationBox::show_candidates);
    connect(&document_, &Document::session_changed, this, &GenerationBox::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &GenerationBox::refresh);
    connect(&document_, &Document::run_changed, this, &GenerationBox::refresh);
    connect(&document_, &Document::error_changed, this, &GenerationBox::refresh);
    refresh();
}

void GenerationBox::build() {
    output_->setObjectName(QStringLiteral("model_output"));
    output_->setAccessibleName(tr("What the model says"));
    output_->setTextFormat(Qt::RichText);
    output_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    output_->setToolTip(tr("Bold: the word of the step in view. Pale: what comes after it. Underlined: what "
                           "you chose"));
    cut_->setObjectName(QStringLiteral("model_cut"));
    cut_->setAccessibleName(tr("Whether the answer has an end"));
    make_note(*cut_);
    step_->setObjectName(QStringLiteral("model_step"));
    step_->setBuddy(list_);
    describe(list_, QStringLiteral("model_candidates"), tr("Candidates of this step"),
             tr("The likeliest words and their probabilities, softmax of the logits. Click one, or press "
                "Enter, to say it instead; the model decodes on from there"));
    list_->setModel(candidates_);
    list_->setItemDelegate(new CandidateDelegate(list_));
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    copying_->setObjectName(QStringLiteral("model_copying"));
    describe(own_words_, QStringLiteral("model_own_words"), tr("Its own words"),
             tr("Forgets what you chose or gave as the target: the model finds every word itself"));
    auto* head = new QHBoxLayout;
    head->addWidget(step_, 1);
    head->addWidget(own_words_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(output_);
    layout->addWidget(cut_);
    layout->addLayout(head);
    layout->addWidget(copying_);
    layout->addWidget(list_);
}

void GenerationBox::insert(QWidget* widget) {
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->insertWidget(column->indexOf(copying_) - 1, widget);
}

void GenerationBox::refresh() {
    if (document_.session().model) {
        const GenerationRequest& request = document_.session().model->request;
        own_words_->setEnabled(request.target || !request.chosen.empty());
    }
    output_->setEnabled(!document_.error());  // what was said to the last text that could be read is pale
    show_output();
    show_candidates();
}

void GenerationBox::show_output() {
    const std::shared_ptr<const Run> run = document_.run();
    cut_->setVisible(run && run->transcript && is_cut(*run->transcript));
    if (!run || !run->transcript)
        return output_->show_text(QString());
    const Transcript& transcript = *run->transcript;
    output_->show_text(
        output_html(transcript, current_step(document_.session().view, transcript), palette()));
    cut_->show_text(
        tr("Cut after %1, the most that an answer may have here: the model has not said "
           "its end.")
            .arg(counted_text(std::ranges::count(transcript.steps, false, &TranscriptStep::is_given),
                              "token")));
}

void GenerationBox::show_candidates() {
    const int rows = candidates_->rowCount();
    step_->setVisible(rows > 0);
    list_->setVisible(rows > 0);
    copying_->show_step(candidates_->generates(), candidates_->points());
    const QString step = QString::number(candidates_->step() + 1);
    step_->setText(candidates_->can_choose() ? tr("Ca&ndidates of step %1").arg(step)
                                             : tr("Probabilities of step %1").arg(step));
    const int row_height = rows > 0 ? list_->sizeHintForRow(0) : list_->fontMetrics().height();
    list_->setFixedHeight(std::max(rows, 1) * row_height + 2 * list_->frameWidth());
}

void GenerationBox::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // The words have the colours of the theme, the candidates its size.
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        show_output();
        show_candidates();
    }
}

}  // namespace headlight
