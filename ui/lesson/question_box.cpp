#include "ui/lesson/question_box.h"

#include "ui/lesson/hands_box.h"
#include "ui/lesson/options_box.h"
#include "ui/views/describe.h"
#include "ui/views/flow_layout.h"
#include "ui/views/role.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

constexpr int slider_steps = 100;

}  // namespace

QuestionBox::QuestionBox(QWidget* parent)
    : QWidget(parent), column_(new QVBoxLayout(this)), asked_(new QLabel), answer_(new QPushButton),
      show_(new QPushButton(tr("Show the answer"))) {
    column_->setContentsMargins(0, 0, 0, 0);
    asked_->setObjectName(QStringLiteral("lesson_question"));
    asked_->setWordWrap(true);
    make_title(*asked_);
    answer_->setText(tr("This is my &guess"));
    describe(answer_, QStringLiteral("lesson_guess"), tr("This is my guess"),
             tr("Shows the answer, and whether the guess is right"));
    connect(answer_, &QPushButton::clicked, this, [this] {
        if (const std::vector<Guess> all = guesses(); !all.empty())
            emit answered(all);
    });
    describe(show_, QStringLiteral("lesson_show_answer"), tr("Show the answer"),
             tr("Without a guess; nothing is kept of it"));
    connect(show_, &QPushButton::clicked, this, &QuestionBox::answer_asked);
    auto* ways = new FlowLayout(6);
    ways->addWidget(answer_);
    ways->addWidget(show_);
    column_->addWidget(asked_);
    column_->addLayout(ways);
    hide();
}

void QuestionBox::ask(const Question* question) {
    if (question && question_ == *question)
        return;
    delete control_;
    control_ = nullptr;
    hands_ = nullptr;
    question_ = question ? std::optional(*question) : std::nullopt;
    guess_.reset();
    answer_->setEnabled(false);
    setVisible(question != nullptr);
    if (!question)
        return;
    asked_->setText(QString::fromStdString(question->ask));
    control_ = new QWidget;
    auto* column = new QVBoxLayout(control_);
    column->setContentsMargins(0, 0, 0, 0);
    switch (question->kind) {
    case Question::Kind::weight: {
        auto* said = new QLabel(tr("Move the slider: 0 to 1"));
        auto* slider = new QSlider(Qt::Horizontal);
        slider->setRange(0, slider_steps);
        describe(slider, QStringLiteral("lesson_weight"), tr("Your guess of the weight"), tr("From 0 to 1"));
        connect(slider, &QSlider::valueChanged, this, [this, said](int value) {
            const QString number = tr("%1").arg(double(value) / slider_steps, 0, 'f', 2);
            said->setText(number);
            guess(Guess{.number = double(value) / slider_steps}, number);
        });
        column->addWidget(slider);
        column->addWidget(said);
        break;
    }
    case Question::Kind::cell: {
        auto* said = new QLabel(tr("Click a cell of the picture."));
        said->setObjectName(QStringLiteral("lesson_cell"));
        said->setWordWrap(true);
        column->addWidget(said);
        break;
    }
    case Question::Kind::word: {
        auto* word = new QLineEdit;
        describe(word, QStringLiteral("lesson_word"), tr("Your guess of the word"),
                 tr("The word that the model says next"));
        connect(word, &QLineEdit::textChanged, this,
                [this](const QString& text) { guess(Guess{.word = text.toStdString()}, text); });
        connect(word, &QLineEdit::returnPressed, this, [this] {
            if (hands_->is_counting())
                hands_->take_focus();
            else
                answer_->click();
        });
        column->addWidget(word);
        break;
    }
    case Question::Kind::choice: {
        auto* options = new OptionsBox(*question);
        connect(options, &OptionsBox::changed, this, [this, options] { guess(options->guess()); });
        column->addWidget(options);
        break;
    }
    }
    if (question->kind != Question::Kind::choice) {
        hands_ = new HandsBox;
        connect(hands_, &HandsBox::changed, this, [this] { answer_->setEnabled(!guesses().empty()); });
        column->addWidget(hands_);
    }
    column_->insertWidget(1, control_);
    control_->show();  // at once: it may be given the focus
}

void QuestionBox::take_cell(Index query, Index key, const QString& words) {
    if (!question_ || question_->kind != Question::Kind::cell)
        return;
    control_->findChild<QLabel*>(QStringLiteral("lesson_cell"))->setText(words);
    guess(Guess{.query = query, .key = key}, words);
}

bool QuestionBox::take_focus() {
    if (!control_ || !question_ || question_->kind == Question::Kind::cell)
        return false;
    const QList<QWidget*> fields = control_->findChildren<QWidget*>();
    const auto first = std::ranges::find_if(fields, [](const QWidget* field) {
        return (field->focusPolicy() & Qt::TabFocus) && !field->isHidden();
    });
    if (first != fields.end())
        (*first)->setFocus(Qt::OtherFocusReason);
    return first != fields.end();
}

void QuestionBox::guess(std::optional<Guess> guess, const QString& words) {
    guess_ = std::move(guess);
    if (hands_)
        hands_->set_guess(guess_, words);
    answer_->setEnabled(!guesses().empty());
}

std::vector<Guess> QuestionBox::guesses() const {
    if (hands_ && hands_->is_counting())
        return hands_->guesses();
    return guess_ ? std::vector{*guess_} : std::vector<Guess>();
}

}  // namespace headlight
