#include "ui/panels/source_box.h"

#include "core/workbench/model_edits.h"
#include "ui/models/counted_text.h"
#include "ui/models/document.h"
#include "ui/models/unread_text.h"
#include "ui/panels/sequence_edit.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStringListModel>
#include <QVBoxLayout>

namespace headlight {
namespace {

/// What a model reads, in the order of the alphabet; nothing while none has run.
QStringList known_words(const Run* run) {
    if (!run || !run->transcript)
        return {};
    const TaskModel& model = *run->transcript->model->model;
    const Vocabulary& vocabulary = model.has_one_vocabulary() ? model.target : model.source;
    QStringList words;
    for (Index word = Vocabulary::end + 1; word < vocabulary.size(); ++word)
        words += QString::fromStdString(vocabulary.word(word));
    words.sort();
    return words;
}

/// More of them are not said with a refusal.
constexpr qsizetype most_said = 40;

}  // namespace

SourceBox::SourceBox(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), source_(new SequenceEdit),
      example_(new QPushButton(tr("Next example"))), words_(new QPushButton(tr("Words…"))),
      target_(new QLineEdit), refusal_(new WrappedLabel) {
    build();
    connect(source_, &SequenceEdit::typed, this, [this](const QString& text) {
        document_.edit(type_source(document_.session(), text.toStdString()));
    });
    connect(source_, &SequenceEdit::paste_refused, this, &SourceBox::paste_refused);
    connect(example_, &QPushButton::clicked, this, &SourceBox::show_next_example);
    connect(words_, &QPushButton::clicked, this, &SourceBox::show_known_words);
    connect(target_, &QLineEdit::textEdited, this, [this](const QString& text) {
        document_.edit(type_target(document_.session(), text.toStdString()));
    });
    connect(&document_, &Document::session_changed, this, &SourceBox::refresh);
    connect(&document_, &Document::run_changed, this, &SourceBox::refresh);
    connect(&document_, &Document::error_changed, this, &SourceBox::refresh);
    refresh();
}

void SourceBox::build() {
    describe(source_, QStringLiteral("model_source"), tr("Source"),
             tr("What the model reads: its tokens are the columns of the weights where the decoder looks at "
                "the source"));
    source_->setPlaceholderText(tr("Type a sentence"));
    source_->set_lines(2);
    describe(example_, QStringLiteral("model_example"), tr("Next example"),
             tr("Puts in a sentence that the model has never seen in training"));
    describe(words_, QStringLiteral("model_words"), tr("Words"),
             tr("Lists the words that the model knows; all others it cannot read"));
    describe(target_, QStringLiteral("model_target"), tr("Target, teacher forcing"),
             tr("What the model has to say, word by word, whatever it would have chosen (teacher forcing); "
                "the candidates show what it would have said"));
    target_->setPlaceholderText(tr("leave it to the model"));
    target_->setClearButtonEnabled(true);
    refusal_->setObjectName(QStringLiteral("model_refusal"));
    refusal_->setAccessibleName(tr("What the model cannot read"));
    make_note(*refusal_);

    auto* source_title = new QLabel(tr("So&urce"));
    source_title->setBuddy(source_);
    auto* target_title = new QLabel(tr("Tar&get"));
    target_title->setBuddy(target_);
    auto* source_row = new QHBoxLayout;
    source_row->addWidget(source_title, 1);
    source_row->addWidget(words_);
    source_row->addWidget(example_);
    auto* target_row = new QHBoxLayout;
    target_row->setSpacing(8);
    target_row->addWidget(target_title);
    target_row->addWidget(target_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(source_row);
    layout->addWidget(source_);
    layout->addLayout(target_row);
    layout->addWidget(refusal_);
}

void SourceBox::show_next_example() {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || !run->transcript)
        return;
    const std::string text = example_source(*run->transcript->model->model, ++example_number_);
    document_.edit(show_next_source(document_.session(), text));
}

void SourceBox::show_known_words() {
    const QStringList words = known_words(document_.run().get());
    QDialog dialog(this);
    dialog.setObjectName(QStringLiteral("known_words"));
    dialog.setWindowTitle(tr("The %1 words that the model reads").arg(words.size()));
    auto* sought = new QLineEdit;
    describe(sought, QStringLiteral("known_words_sought"), tr("Search"), tr("Only words that contain this"));
    sought->setPlaceholderText(tr("Search"));
    sought->setClearButtonEnabled(true);
    QStringListModel all(words);
    QSortFilterProxyModel found;
    found.setSourceModel(&all);
    found.setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto* list = new QListView;
    describe(list, QStringLiteral("known_words_list"), tr("Words"), tr("The words that the model reads"));
    list->setModel(&found);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list->setUniformItemSizes(true);
    auto* count = new QLabel;
    count->setObjectName(QStringLiteral("known_words_count"));
    count->setWordWrap(true);
    make_note(*count);
    const auto seek = [&found, count](const QString& part) {
        found.setFilterFixedString(part);
        count->setText(found.rowCount() > 0 ? counted_text(found.rowCount(), "word")
                                            : tr("The model reads no word that contains “%1”.").arg(part));
    };
    connect(sought, &QLineEdit::textChanged, &dialog, seek);
    seek({});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(&dialog);
    for (QWidget* part : std::initializer_list<QWidget*>{sought, list, count, buttons})
        layout->addWidget(part);
    dialog.resize(400, 480);
    dialog.exec();
}

void SourceBox::refresh() {
    const Session& session = document_.session();
    if (!session.model)
        return;
    const GenerationRequest& request = session.model->request;
    source_->show_text(QString::fromStdString(request.source));
    const QString target = QString::fromStdString(request.target.value_or(std::string()));
    if (target_->text() != target)
        target_->setText(target);
    const auto unread = document_.error()
                            ? unread_text(*document_.error(), request, document_.run() != nullptr)
                            : std::nullopt;
    refusal_->setVisible(unread.has_value());
    if (unread)
        refusal_->show_text(unread->message);
    source_->mark(unread && unread->is_in_source ? unread->parts : std::vector<TextPart>());
    words_->setVisible(known_words(document_.run().get()).size() > most_said);
}

}  // namespace headlight
