#include "ui/panels/model_panel.h"

#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "ui/models/document.h"
#include "ui/models/model_edit.h"
#include "ui/models/spoken_text.h"
#include "ui/panels/describe.h"
#include "ui/panels/number_control.h"
#include "ui/panels/sequence_edit.h"
#include "ui/views/candidate_delegate.h"
#include "ui/views/flow_layout.h"
#include "ui/views/wrapped_label.h"

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {
namespace {

/// Typing is undone word by word: the key of a step changes with every space.
QString typing_step(const QString& which, const QString& text) {
    return which + QChar('#') + QString::number(text.count(QChar(' ')) + text.count(QChar('\n')));
}

QString first_sentence(const std::string& paragraph) {
    const QString text = QString::fromStdString(paragraph);
    const qsizetype end = text.indexOf(QStringLiteral(". "));
    return end < 0 ? text : text.left(end + 1);
}

QString output_html(const Utterance& utterance, Index step, const QPalette& palette) {
    const QString pale = palette.color(QPalette::PlaceholderText).name();
    QString html;
    for (const SpokenPiece& piece : spoken_pieces(utterance, step)) {
        QString text = QString::fromStdString(piece.text).toHtmlEscaped();
        if (piece.is_chosen)
            text = QStringLiteral("<u>%1</u>").arg(text);
        if (piece.time == SpokenPiece::Time::present)
            text = QStringLiteral("<b>%1</b>").arg(text);
        if (piece.time == SpokenPiece::Time::future)
            text = QStringLiteral("<span style='color:%1'>%2</span>").arg(pale, text);
        html += text;
    }
    return html;
}

QString comparison_html(const Task& task, const std::vector<std::string>& words,
                        const std::vector<std::string>& others) {
    QString html;
    for (const ComparedWord& word : compared_words(task, words, others)) {
        const QString text = QString::fromStdString(word.text).toHtmlEscaped();
        html += word.is_other ? QStringLiteral("<b><u>%1</u></b>").arg(text) : text;
    }
    return html.isEmpty() ? QStringLiteral("–") : html;
}

}  // namespace

ModelPanel::ModelPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), opener_(new ModelOpener(document, this)),
      candidates_(new CandidateModel(document, this)), models_(new QComboBox),
      folder_(new QPushButton(tr("Open…"))), task_(new WrappedLabel), what_to_see_(new WrappedLabel),
      speech_(new QWidget), source_title_(new QLabel(tr("So&urce"))), source_(new SequenceEdit),
      example_(new QPushButton(tr("Next example"))), refusal_(new WrappedLabel),
      site_title_(new QLabel(tr("Attention of"))), site_(new QComboBox), output_(new WrappedLabel),
      step_(new QLabel), list_(new QListView), own_words_(new QPushButton(tr("Its own words"))),
      target_(new QLineEdit), interventions_(new QWidget), comparison_(new WrappedLabel) {
    build_choice();
    build_speech();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    auto* choice = new QHBoxLayout;
    choice->setSpacing(8);
    choice->addWidget(models_, 1);
    choice->addWidget(folder_);
    layout->addLayout(choice);
    layout->addWidget(task_);
    layout->addWidget(speech_);
    layout->addWidget(what_to_see_);
    layout->addStretch(1);
    connect_parts();
    refresh();
}

void ModelPanel::build_choice() {
    describe(models_, QStringLiteral("model"), tr("Model"),
             tr("A trained model speaks in place of the mechanism, and the pictures show its attention "
                "(Ctrl+L)"));
    models_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    models_->setMinimumContentsLength(14);
    ignore_passing_wheel(models_);
    describe(folder_, QStringLiteral("open_model"), tr("Open a folder"),
             tr("A model that was trained here and saved: a folder with config.json and model.safetensors"));
    task_->setObjectName(QStringLiteral("model_task"));
    task_->setAccessibleName(tr("What the model has learned"));
    what_to_see_->setObjectName(QStringLiteral("model_what_to_see"));
    what_to_see_->setAccessibleName(tr("What to see"));
    what_to_see_->setProperty("role", "note");
}

void ModelPanel::build_speech() {
    describe(source_, QStringLiteral("model_source"), tr("Source"),
             tr("What the model reads: its tokens are the columns of the weights where the decoder looks at "
                "the source"));
    source_->setPlaceholderText(tr("Type a sentence"));
    source_title_->setBuddy(source_);
    describe(example_, QStringLiteral("model_example"), tr("Next example"),
             tr("Puts in a sentence that the model has never seen in training"));
    refusal_->setObjectName(QStringLiteral("model_refusal"));
    refusal_->setAccessibleName(tr("What is wrong with the text"));
    refusal_->setProperty("role", "note");
    describe(site_, QStringLiteral("model_site"), tr("Attention of"),
             tr("Which place of the model the pictures show: where the decoder looks at the source (cross), "
                "or where a sequence looks at itself (self). N in a picture shows the next one"));
    ignore_passing_wheel(site_);
    site_title_->setBuddy(site_);

    output_->setObjectName(QStringLiteral("model_output"));
    output_->setAccessibleName(tr("What the model says"));
    output_->setTextFormat(Qt::RichText);
    output_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    output_->setToolTip(tr("Bold: the word of the step in view. Pale: what comes after it. Underlined: what "
                           "you chose"));
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
    describe(own_words_, QStringLiteral("model_own_words"), tr("Its own words"),
             tr("Forgets what you chose or gave as the target: each step is followed by its likeliest word"));
    describe(target_, QStringLiteral("model_target"), tr("Target, teacher forcing"),
             tr("What the model has to say, word by word, whatever it would have chosen (teacher forcing); "
                "the candidates show what it would have said"));
    target_->setPlaceholderText(tr("leave it to the model"));
    target_->setClearButtonEnabled(true);

    comparison_->setObjectName(QStringLiteral("model_comparison"));
    comparison_->setAccessibleName(tr("With and without the changes"));
    comparison_->setTextFormat(Qt::RichText);
    auto* chips = new QWidget;
    chips_ = new FlowLayout(4, chips);
    chips_->setContentsMargins(0, 0, 0, 0);
    auto* changed = new QVBoxLayout(interventions_);
    changed->setContentsMargins(0, 0, 0, 0);
    changed->setSpacing(4);
    changed->addWidget(new QLabel(tr("Changed inside")));
    changed->addWidget(chips);
    changed->addWidget(comparison_);

    auto* source_row = new QHBoxLayout;
    source_row->addWidget(source_title_, 1);
    source_row->addWidget(example_);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->addRow(tr("Tar&get"), target_);
    form->addRow(site_title_, site_);
    auto* layout = new QVBoxLayout(speech_);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(source_row);
    layout->addWidget(source_);
    layout->addWidget(refusal_);
    layout->addWidget(output_);
    layout->addWidget(step_);
    layout->addWidget(list_);
    layout->addWidget(own_words_, 0, Qt::AlignLeft);
    layout->addLayout(form);
    layout->addWidget(interventions_);
}

void ModelPanel::connect_parts() {
    connect(opener_, &ModelOpener::problem, this, [this](const Error& error) {
        refresh_choice();  // what could not be opened is not chosen
        emit problem(error);
    });
    connect(models_, &QComboBox::activated, this, [this](int row) {
        const QString name = models_->itemData(row).toString();
        if (name.isEmpty())
            opener_->close();
        else
            opener_->open(name);
    });
    connect(folder_, &QPushButton::clicked, this, &ModelPanel::folder_requested);
    connect(source_, &SequenceEdit::typed, this, [this](const QString& text) {
        document_.edit(tr("Type the source"), with_source(document_.session(), text.toStdString()),
                       typing_step(QStringLiteral("model_source"), text));
    });
    connect(source_, &SequenceEdit::paste_refused, this, &ModelPanel::paste_refused);
    connect(example_, &QPushButton::clicked, this, &ModelPanel::show_next_example);
    connect(target_, &QLineEdit::textEdited, this, [this](const QString& text) {
        document_.edit(tr("Type the target"), with_target(document_.session(), text.toStdString()),
                       typing_step(QStringLiteral("model_target"), text));
    });
    connect(own_words_, &QPushButton::clicked, this,
            [this] { document_.edit(tr("Its own words"), with_own_words(document_.session())); });
    connect(list_, &QListView::clicked, candidates_, &CandidateModel::choose);
    connect(list_, &QListView::activated, candidates_, &CandidateModel::choose);
    connect(candidates_, &CandidateModel::changed, this, &ModelPanel::show_candidates);
    connect(site_, &QComboBox::activated, this, [this](int row) {
        Selection selection = document_.session().view.selection;
        selection.site = site_->itemText(row).toStdString();
        document_.select(selection);
    });
    connect(&document_, &Document::session_changed, this, &ModelPanel::refresh);
    connect(&document_, &Document::run_changed, this, &ModelPanel::refresh);
    connect(&document_, &Document::error_changed, this, &ModelPanel::refresh);
}

void ModelPanel::open_chooser() {
    models_->setFocus(Qt::ShortcutFocusReason);
    models_->showPopup();
}

void ModelPanel::show_next_example() {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || !run->utterance)
        return;
    const std::string text = example_source(*run->utterance->model->model, ++example_number_);
    document_.edit(tr("Next example"), with_source(document_.session(), text));
}

void ModelPanel::refresh() {
    refresh_choice();
    const Session& session = document_.session();
    speech_->setVisible(session.model.has_value());
    if (!session.model)
        return;
    const SpeechRequest& request = session.model->request;
    source_->show_text(QString::fromStdString(request.source));
    const QString target = QString::fromStdString(request.target.value_or(std::string()));
    if (target_->text() != target)
        target_->setText(target);
    own_words_->setEnabled(request.target || !request.chosen.empty());
    const std::optional<Error>& error = document_.error();
    refusal_->setVisible(error.has_value());
    if (error)
        refusal_->show_text(QString::fromStdString(error->what()));
    refresh_site();
    refresh_output();
    refresh_interventions();
    show_candidates();
}

void ModelPanel::refresh_choice() {
    const Session& session = document_.session();
    const std::string name = session.model ? session.model->name : std::string();
    const QSignalBlocker quiet(models_);
    if (models_->count() == 0) {
        models_->addItem(tr("None: a mechanism attends"), QString());
        for (const ShippedModel& each : shipped_models()) {
            const QString shipped = QString::fromStdString(std::string(each.name));
            models_->addItem(shipped, shipped);
        }
    }
    const QString shown = QString::fromStdString(name);
    int row = models_->findData(shown);
    if (row < 0) {
        models_->addItem(short_name(name), shown);
        row = models_->count() - 1;
        models_->setItemData(row, shown, Qt::ToolTipRole);
    }
    models_->setCurrentIndex(row);

    const std::shared_ptr<const Run> run = document_.run();
    const bool is_open = session.model && run && run->utterance && run->session->model->name == name;
    task_->setVisible(is_open || !session.model);
    what_to_see_->setVisible(is_open);
    if (!session.model)
        task_->show_text(
            tr("A model that has learned to attend: choose one, type a sentence, press play, and "
               "watch where it looks for each word."));
    if (!is_open)
        return;
    const Task& task = run->utterance->model->model->task;
    task_->show_text(first_sentence(task.meaning));
    task_->setToolTip(QString::fromStdString(task.meaning));
    what_to_see_->show_text(tr("To see: %1").arg(QString::fromStdString(task.what_to_see)));
}

void ModelPanel::refresh_site() {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || !run->utterance)
        return;
    QStringList wanted, shown;
    const std::string leading = leading_site(run->utterance->sites).site.name;
    wanted << QString::fromStdString(leading);
    for (const SpokenSite& each : run->utterance->sites)
        if (each.site.name != leading)
            wanted << QString::fromStdString(each.site.name);
    for (int row = 0; row < site_->count(); ++row)
        shown << site_->itemText(row);
    const QSignalBlocker quiet(site_);
    if (wanted != shown) {
        site_->clear();
        site_->addItems(wanted);
    }
    site_->setCurrentIndex(
        std::max(0, site_->findText(QString::fromStdString(document_.session().view.selection.site))));
    site_->setVisible(wanted.size() > 1);
    site_title_->setVisible(wanted.size() > 1);
}

void ModelPanel::refresh_output() {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || !run->utterance)
        return output_->show_text(QString());
    output_->show_text(
        output_html(*run->utterance, current_step(document_.session().view, *run->utterance), palette()));
}

void ModelPanel::refresh_interventions() {
    const std::vector<Intervention>& all = document_.session().model->request.interventions;
    interventions_->setVisible(!all.empty());
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || !run->utterance)
        return;
    const Utterance& utterance = *run->utterance;
    while (QLayoutItem* item = chips_->takeAt(0)) {
        // Later: this may be what its own click led to.
        item->widget()->hide();
        item->widget()->setObjectName(QString());
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QString text = QString::fromStdString(intervention_text(all[i], utterance));
        auto* chip = new QToolButton;
        describe(chip, QStringLiteral("intervention_%1").arg(i), tr("Take back: %1").arg(text),
                 tr("Takes this change back (at %1)").arg(QString::fromStdString(all[i].site)));
        chip->setText(text + QStringLiteral("  ×"));
        connect(chip, &QToolButton::clicked, this, [this, i, text] {
            document_.edit(tr("Take back: %1").arg(text), without_intervention(document_.session(), i));
        });
        chips_->addWidget(chip);
    }
    comparison_->setVisible(utterance.untouched.has_value());
    if (!utterance.untouched)
        return;
    const Task& task = utterance.model->model->task;
    comparison_->show_text(tr("Without: %1<br>With: %2")
                               .arg(comparison_html(task, *utterance.untouched, utterance.words),
                                    comparison_html(task, utterance.words, *utterance.untouched)));
}

void ModelPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // The words have the colours of the theme, the candidates its size.
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        refresh_output();
        show_candidates();
    }
}

void ModelPanel::show_candidates() {
    const int rows = candidates_->rowCount();
    const QString step = QString::number(candidates_->step() + 1);
    step_->setText(candidates_->can_choose() ? tr("Ca&ndidates of step %1").arg(step)
                                             : tr("Probabilities of step %1").arg(step));
    const int row_height = rows > 0 ? list_->sizeHintForRow(0) : list_->fontMetrics().height();
    list_->setFixedHeight(std::max(rows, 1) * row_height + 2 * list_->frameWidth());
}

}  // namespace headlight
