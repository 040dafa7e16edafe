#include "ui/panels/training_sentence.h"

#include "core/tensor/error.h"
#include "ui/models/window_settings.h"
#include "ui/views/describe.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace headlight {
namespace {

/// Long enough to show a pattern, short enough for large cells.
Index telling_example(const Task& task) {
    constexpr Index least = 7, most = 12, tried = 50;
    for (Index number = 0; number < tried; ++number) {
        const Index length = std::ssize(tokens_of(task, filmed_example(task, number).source));
        if (length >= least && length <= most)
            return number;
    }
    return 0;
}

void require_words(const Task& task, const std::string& text, Side side) {
    try {
        tokens_of(task, text, side);
    } catch (const Error& error) {
        throw error.within(side == Side::source ? "source text" : "target text");
    }
}

}  // namespace

TrainingSentence::TrainingSentence(WindowSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings), source_(new QLineEdit), target_(new QLineEdit),
      target_label_(new QLabel(tr("Ans&wer"))), example_(new QPushButton(tr("Another e&xample"))) {
    describe(source_, QStringLiteral("train_source"), tr("Sentence to watch"),
             tr("What is filmed: the model reads it every few batches. A run that learns this task is filmed "
                "with it from its next frame on"));
    describe(target_, QStringLiteral("train_target"), tr("Answer"),
             tr("What the model is made to say of it (teacher forcing), so that the rows stay in their "
                "places. Empty: its own words"));
    target_->setPlaceholderText(tr("its own words"));
    target_label_->setBuddy(target_);
    describe(example_, QStringLiteral("train_example"), tr("Another example"),
             tr("Puts in a sentence that the model never sees in training, and its answer"));
    example_->setAutoDefault(false);
    connect(source_, &QLineEdit::textEdited, this, [this] {
        if (answers_example_)  // which this is no more
            target_->clear();
        keep();
    });
    connect(target_, &QLineEdit::textEdited, this, [this] {
        answers_example_ = false;
        keep();
    });
    connect(example_, &QPushButton::clicked, this, &TrainingSentence::show_next_example);
}

void TrainingSentence::add_rows(QFormLayout& form) {
    form.addRow(tr("Sentence &to watch"), source_);
    form.addRow(target_label_, target_);
}

QString TrainingSentence::key(const char* side) const {
    return QStringLiteral("train/%1/%2").arg(QLatin1String(side), QString::fromStdString(task_->id));
}

void TrainingSentence::keep() {
    settings_.set_value(key("source"), source_->text());
    settings_.set_value(key("target"), target_->text());
    emit edited();
}

void TrainingSentence::show(const FilmedText& text) {
    source_->setText(QString::fromStdString(text.source));
    target_->setText(QString::fromStdString(text.target.value_or(std::string())));
}

void TrainingSentence::show_for(const Task& task) {
    task_ = &task;
    example_number_ = telling_example(task);
    show(filmed_example(task, example_number_));
    const QString answer = target_->text();
    source_->setText(settings_.value(key("source"), source_->text()).toString());
    target_->setText(settings_.value(key("target"), answer).toString());
    answers_example_ = target_->text() == answer;
    const bool answers = task.kind == TaskKind::translation;
    target_->setVisible(answers);
    target_label_->setVisible(answers);
}

void TrainingSentence::show_next_example() {
    show(filmed_example(*task_, ++example_number_));
    answers_example_ = true;
    keep();
}

void TrainingSentence::show_text(const FilmedText& text) {
    show(text);
    answers_example_ = false;
    keep();
}

FilmedText TrainingSentence::text() const {
    FilmedText text{source_->text().toStdString(), {}};
    if (task_->kind == TaskKind::translation && !target_->text().trimmed().isEmpty())
        text.target = target_->text().toStdString();
    return text;
}

void TrainingSentence::check() const {
    const FilmedText asked = text();
    require_words(*task_, asked.source, Side::source);
    if (asked.target)
        require_words(*task_, *asked.target, Side::target);
}

}  // namespace headlight
