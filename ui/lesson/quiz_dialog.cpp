#include "ui/lesson/quiz_dialog.h"

#include "ui/lesson/class_answers.h"
#include "ui/lesson/options_box.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace headlight {

QuizDialog::QuizDialog(const QString& title, std::vector<QuizQuestion> quiz, bool is_course,
                       GivenAnswer::When when, ClassAnswers& answers, QWidget* parent)
    : QDialog(parent), quiz_(std::move(quiz)), is_course_(is_course), when_(when), answers_(answers),
      column_(new QVBoxLayout(this)), place_(new QLabel), asked_(new QLabel), verdict_(new QLabel),
      next_(new QPushButton) {
    setObjectName(QStringLiteral("quiz"));
    setWindowTitle(title);
    setMinimumWidth(40 * fontMetrics().averageCharWidth());
    auto* class_row = new QHBoxLayout;
    auto* class_label = new QLabel(tr("&Class"));
    auto* class_name = new QLineEdit(answers_.class_name());
    class_name->setPlaceholderText(tr("without a name"));
    describe(class_name, QStringLiteral("quiz_class"), tr("Class"),
             tr("What you call the class; the answers stay on this computer"));
    class_label->setBuddy(class_name);
    class_row->addWidget(class_label);
    class_row->addWidget(class_name, 1);
    connect(class_name, &QLineEdit::textChanged, this,
            [this](const QString& name) { answers_.set_class_name(name); });
    make_note(*place_);
    asked_->setObjectName(QStringLiteral("quiz_question"));
    make_title(*asked_);
    asked_->setWordWrap(true);
    verdict_->setObjectName(QStringLiteral("quiz_verdict"));
    verdict_->setWordWrap(true);
    describe(next_, QStringLiteral("quiz_next"), tr("Next"), tr("Keeps this answer and goes on"));
    next_->setDefault(true);
    connect(next_, &QPushButton::clicked, this, &QuizDialog::take);
    column_->addLayout(class_row);
    column_->addWidget(place_);
    column_->addWidget(asked_);
    column_->addWidget(verdict_);
    column_->addStretch(1);
    column_->addWidget(next_, 0, Qt::AlignRight);
    ask();
    if (!class_name->text().isEmpty())
        options_->take_focus();
}

void QuizDialog::ask() {
    const bool counts = options_ && options_->is_counting();
    delete std::exchange(options_, nullptr);
    is_told_ = false;
    verdict_->hide();
    const Question& question = quiz_[at_].question;
    place_->setText(tr("Question %1 of %2").arg(at_ + 1).arg(quiz_.size()));
    asked_->setText(QString::fromStdString(question.ask));
    options_ = new OptionsBox(question);
    options_->set_counting(counts);
    column_->insertWidget(column_->indexOf(verdict_), options_);
    options_->lead_to(*next_);
    next_->setEnabled(false);
    next_->setText(when_ == GivenAnswer::When::before && at_ + 1 == quiz_.size() ? tr("Done") : tr("Next"));
    connect(options_, &OptionsBox::changed, next_,
            [this] { next_->setEnabled(options_->guess().has_value()); });
}

void QuizDialog::take() {
    const Question& question = quiz_[at_].question;
    if (!is_told_) {
        const Guess guess = options_->guess().value();
        GivenAnswer asked;
        asked.lesson = quiz_[at_].lesson;
        asked.question = quiz_[at_].number;
        asked.is_course = is_course_;
        asked.when = when_;
        answers_.add(given_choices(question, guess, asked));
        if (when_ == GivenAnswer::When::after) {
            is_told_ = true;
            options_->setEnabled(false);
            verdict_->setText(tr("Answer: %1. %2")
                                  .arg(QString::fromStdString(quoted_once(question.options[question.answer])),
                                       QString::fromStdString(question.because)));
            verdict_->show();
            next_->setText(at_ + 1 == quiz_.size() ? tr("Done") : tr("Next"));
            return;
        }
    }
    if (++at_ == quiz_.size())
        return accept();
    ask();
    options_->take_focus();
}

}  // namespace headlight
