#include "ui/panels/intervention_box.h"

#include "core/workbench/figure_edits.h"
#include "core/workbench/generated_text.h"
#include "core/workbench/intervention_edits.h"
#include "ui/models/document.h"
#include "ui/models/menu_text.h"
#include "ui/views/describe.h"
#include "ui/views/flow_layout.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"
#include "ui/views/wrapping_button.h"

#include <QCheckBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace headlight {
namespace {

QString marked_html(const Task& task, const std::vector<std::string>& words,
                    const std::vector<std::string>& others) {
    QString html;
    for (const ComparedWord& word : compared_words(task, words, others)) {
        const std::size_t start = word_start(word.text);
        const QString text = QString::fromStdString(word.text.substr(start)).toHtmlEscaped();
        html += QString::fromStdString(word.text.substr(0, start));
        html += word.is_other ? QStringLiteral("<b><u>%1</u></b>").arg(text) : text;
    }
    return html.isEmpty() ? QStringLiteral("–") : html;
}

}  // namespace

InterventionBox::InterventionBox(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), comparison_(new WrappedLabel),
      difference_(new QCheckBox(tr("Show the &difference"))) {
    comparison_->setObjectName(QStringLiteral("model_comparison"));
    comparison_->setAccessibleName(tr("Untouched and changed output"));
    comparison_->setToolTip(tr("Bold and underlined: the words that the other does not have"));
    comparison_->setTextFormat(Qt::RichText);
    comparison_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    describe(difference_, QStringLiteral("model_difference"), tr("Show the difference"),
             tr("The heatmap shows the changed weights minus the untouched ones: both while the model reads "
                "the words of the changed output, so that nothing else differs"));
    auto* chips = new QWidget;
    chips_ = new FlowLayout(4, chips);
    chips_->setContentsMargins(0, 0, 0, 0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(comparison_);
    layout->addWidget(chips);
    layout->addWidget(difference_);

    connect(difference_, &QCheckBox::toggled, this,
            [this](bool on) { document_.edit(show_differences(document_.session(), on)); });
    connect(&document_, &Document::session_changed, this, &InterventionBox::refresh);
    connect(&document_, &Document::run_changed, this, &InterventionBox::refresh);
    refresh();
}

void InterventionBox::refresh() {
    const Session& session = document_.session();
    const std::shared_ptr<const Run> run = document_.run();
    const bool is_changed = session.model && !session.model->request.interventions.empty();
    setVisible(is_changed);
    if (!is_changed || !run || !run->transcript)
        return;
    refresh_chips();
    const QSignalBlocker quiet(difference_);
    difference_->setChecked(session.figure.differences);
    const Transcript& transcript = *run->transcript;
    comparison_->setVisible(transcript.untouched.has_value());
    if (!transcript.untouched)
        return;
    const Task& task = transcript.model->model->task;
    const bool are_alike = *transcript.untouched == transcript.words;
    comparison_->show_text(tr("Untouched: %1<br>Changed: %2%3")
                               .arg(marked_html(task, *transcript.untouched, transcript.words),
                                    marked_html(task, transcript.words, *transcript.untouched),
                                    are_alike ? tr(" (the same words)") : QString()));
}

void InterventionBox::refresh_chips() {
    const std::vector<Intervention>& all = document_.session().model->request.interventions;
    const Transcript& transcript = *document_.run()->transcript;
    while (QLayoutItem* item = chips_->takeAt(0)) {
        // Later: this may be what its own click led to.
        item->widget()->hide();
        item->widget()->setObjectName(QString());
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        QString text = QString::fromStdString(placed_intervention_text(all[i], transcript));
        if (is_behind_the_end(all[i], transcript))
            text += tr(" (there is no such step)");
        auto* chip = new WrappingButton;
        describe(chip, QStringLiteral("intervention_%1").arg(i), tr("Take back: %1").arg(text),
                 tr("Takes this change back (at %1)").arg(QString::fromStdString(all[i].site)));
        give_role(*chip, Role::chip);
        chip->setText(menu_text(text) + QStringLiteral("  ×"));
        connect(chip, &QToolButton::clicked, this,
                [this, i, text] { document_.edit(take_back(document_.session(), i, text.toStdString())); });
        chips_->addWidget(chip);
    }
}

}  // namespace headlight
