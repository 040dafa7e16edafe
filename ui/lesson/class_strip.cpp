#include "ui/lesson/class_strip.h"

#include "ui/lesson/lesson_player.h"
#include "ui/lesson/options_box.h"
#include "ui/lesson/question_box.h"
#include "ui/views/describe.h"

#include <QFontInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace headlight {
namespace {

QString bold(const QString& text) { return QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped()); }

}  // namespace

ClassStrip::ClassStrip(LessonPlayer& player, QWidget* parent)
    : QWidget(parent), player_(player), said_(new QLabel), word_(new QLineEdit) {
    said_->setObjectName(QStringLiteral("class_strip"));
    said_->setAccessibleName(tr("What the class is asked"));
    said_->setTextFormat(Qt::RichText);
    said_->setWordWrap(true);
    said_->setAlignment(Qt::AlignCenter);
    said_->setMargin(8);
    describe(word_, QStringLiteral("class_word"), tr("Your guess of the word"), tr("Enter gives it"));
    word_->setAlignment(Qt::AlignCenter);
    QFont large = font();  // read from the last row
    large.setPointSizeF(1.5 * QFontInfo(large).pointSizeF());
    for (QWidget* each : {static_cast<QWidget*>(said_), static_cast<QWidget*>(word_)})
        each->setFont(large);
    word_->setMaximumWidth(30 * word_->fontMetrics().averageCharWidth());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(said_);
    column->addWidget(word_, 0, Qt::AlignHCenter);
    connect(&player_, &LessonPlayer::moved, this, &ClassStrip::refresh);
    connect(&player_, &LessonPlayer::told, this, &ClassStrip::refresh);
    hide();
}

void ClassStrip::follow(QuestionBox& question) {
    connect(&question, &QuestionBox::guess_changed, this, [this](const QString& words) {
        guess_ = words;
        if (word_->text() != words) {
            const QSignalBlocker quiet(word_);  // it is guessed there already
            word_->setText(words);
        }
        refresh();
    });
    connect(word_, &QLineEdit::textChanged, &question, &QuestionBox::set_word);
    connect(word_, &QLineEdit::returnPressed, &question, &QuestionBox::give);
}

void ClassStrip::set_wanted(bool wanted) {
    is_wanted_ = wanted;
    refresh();
}

QString ClassStrip::guess_line(const Question& question) const {
    if (!guess_.isEmpty())
        return tr("Your guess: %1 (Enter gives it)").arg(guess_);
    switch (question.kind) {
    case Question::Kind::weight:
        return tr("A digit sets tenths, arrow keys hundredths; Enter gives the guess");
    case Question::Kind::cell:
        return tr("The arrow keys move the frame; Enter gives the guess");
    case Question::Kind::word:
        return tr("Type it; Enter gives the guess");
    case Question::Kind::choice:
        return tr("The key of its number answers");
    }
    return {};
}

void ClassStrip::refresh() {
    setVisible(is_wanted_ && player_.is_open());
    const Question* open = player_.is_open() ? player_.open_question() : nullptr;
    const bool asks_for_word = open && open->kind == Question::Kind::word;
    word_->setVisible(asks_for_word);
    if (is_wanted_ && asks_for_word)
        word_->setFocus(Qt::OtherFocusReason);
    if (!player_.is_open())
        return;
    const LessonStep& step = player_.lesson().steps[player_.step()];
    const auto& verdict = player_.verdict();
    if (player_.is_ended()) {
        said_->setText(bold(tr("The end of the lesson")));
    } else if (open) {
        QString text = bold(QString::fromStdString(open->ask));
        if (!open->options.empty())
            text += QStringLiteral("<br>") + numbered_options(*open).join(tr(" · ")).toHtmlEscaped();
        text += QStringLiteral("<br><small>%1</small>").arg(guess_line(*open).toHtmlEscaped());
        said_->setText(text);
    } else if (verdict) {
        said_->setText(QStringLiteral("%1<br>%2 %3")
                           .arg(QString::fromStdString(step.question->ask).toHtmlEscaped(),
                                bold(verdict->judgement()), verdict->because.toHtmlEscaped()));
    } else {
        said_->setText(bold(QString::fromStdString(step.title)));
    }
}

}  // namespace headlight
