#include "ui/lesson/question_box.h"

#include "ui/actions/shortcuts.h"
#include "ui/lesson/hands_box.h"
#include "ui/lesson/options_box.h"
#include "ui/views/describe.h"
#include "ui/views/flow_layout.h"
#include "ui/views/role.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace headlight {
namespace {

constexpr int slider_steps = 100;

}  // namespace

QuestionBox::QuestionBox(QWidget* parent)
    : QWidget(parent), column_(new QVBoxLayout(this)), asked_(new QLabel), answer_next_(new QLabel),
      answer_(new QPushButton), show_(new QPushButton(tr("&Show the answer"))) {
    column_->setContentsMargins(0, 0, 0, 0);
    asked_->setObjectName(QStringLiteral("lesson_question"));
    asked_->setWordWrap(true);
    make_title(*asked_);
    answer_->setText(tr("This is my &guess"));
    describe(answer_, QStringLiteral("lesson_guess"), tr("This is my guess"),
             tr("Shows the answer, and whether the guess is right"));
    connect(answer_, &QPushButton::clicked, this, &QuestionBox::give);
    describe(show_, QStringLiteral("lesson_show_answer"), tr("Show the answer"),
             tr("Without a guess; nothing is kept of it"));
    connect(show_, &QPushButton::clicked, this, &QuestionBox::answer_asked);
    auto* ways = new FlowLayout(6);
    ways->addWidget(answer_);
    ways->addWidget(show_);
    column_->addWidget(asked_);
    column_->addLayout(ways);
    answer_next_->setObjectName(QStringLiteral("lesson_answer_next"));
    answer_next_->setWordWrap(true);
    make_note(*answer_next_);
    answer_next_->hide();
    column_->addWidget(answer_next_);
    hide();
}

QString QuestionBox::words_of_answer_next() {
    const QString key = key_text(QStringLiteral("lesson_next"));
    return tr("%1 once more shows the answer.").arg(key.isEmpty() ? tr("Next") : key);
}

void QuestionBox::show_answer_next(bool next) {
    answer_next_->setText(words_of_answer_next());
    answer_next_->setVisible(next);
}

void QuestionBox::set_put_away(bool put_away) {
    if (std::exchange(is_put_away_, put_away) != put_away)
        emit put_away_changed();
}

void QuestionBox::ask(const Question* question) {
    if (question && question_ == *question)
        return;
    if (is_asking())
        counts_hands_ = is_counting();
    if (control_) {
        // Enter in its own field may have brought us here: it goes once that is over.
        control_->hide();
        control_->setParent(nullptr);
        control_->deleteLater();
    }
    control_ = nullptr;
    hands_ = nullptr;
    weight_ = nullptr;
    said_ = nullptr;
    word_ = nullptr;
    options_ = nullptr;
    question_ = question ? std::optional(*question) : std::nullopt;
    setVisible(question != nullptr);
    if (!question)
        return guess({});
    asked_->setText(QString::fromStdString(question->ask));
    control_ = new QWidget;
    auto* column = new QVBoxLayout(control_);
    column->setContentsMargins(0, 0, 0, 0);
    switch (question->kind) {
    case Question::Kind::weight:
        add_weight(*column);
        break;
    case Question::Kind::cell:
        add_cell(*column);
        break;
    case Question::Kind::word:
        add_word(*column);
        break;
    case Question::Kind::choice:
        add_options(*column);
        break;
    }
    if (question->kind != Question::Kind::choice) {
        hands_ = new HandsBox;
        connect(hands_, &HandsBox::changed, this, [this] {
            answer_->setEnabled(!guesses().empty());
            emit hands_changed();
        });
        hands_->set_counting(counts_hands_);
        column->addWidget(hands_);
    }
    column_->insertWidget(1, control_);
    control_->show();  // at once: it may be given the focus
    order_tabs();
    guess({});
}

QWidget* QuestionBox::own_field() const { return weight_ ? static_cast<QWidget*>(weight_) : word_; }

/// What is made last would be last of the whole window.
void QuestionBox::order_tabs() {
    std::vector<QWidget*> stops = options_ ? options_->tab_stops() : hands_->tab_stops();
    if (QWidget* field = own_field())
        stops.insert(stops.begin(), field);
    QWidget* before = tab_anchor_;
    for (QWidget* stop : stops) {
        if (before)
            setTabOrder(before, stop);
        before = stop;
    }
}

void QuestionBox::add_weight(QVBoxLayout& column) {
    said_ = new QLabel(tr("Move the slider: 0 to 1"));
    weight_ = new QSlider(Qt::Horizontal);
    weight_->setRange(0, slider_steps);
    describe(weight_, QStringLiteral("lesson_weight"), tr("Your guess of the weight"),
             tr("From 0 to 1: a digit for a tenth, arrow keys for a hundredth"));
    connect(weight_, &QSlider::valueChanged, this, &QuestionBox::guess_weight);
    column.addWidget(weight_);
    column.addWidget(said_);
}

void QuestionBox::guess_weight() {
    const double number = double(weight_->value()) / slider_steps;
    const QString words = tr("%1").arg(number, 0, 'f', 2);
    said_->setText(words);
    guess(Guess{.number = number}, words);
}

void QuestionBox::add_cell(QVBoxLayout& column) {
    auto* how = new QLabel(tr("Click a cell of the picture, or move the frame with the arrow keys."));
    how->setWordWrap(true);
    said_ = new QLabel;
    said_->setObjectName(QStringLiteral("lesson_cell"));
    said_->setWordWrap(true);
    column.addWidget(how);
    column.addWidget(said_);
}

void QuestionBox::add_word(QVBoxLayout& column) {
    word_ = new QLineEdit;
    describe(word_, QStringLiteral("lesson_word"), tr("Your guess of the word"),
             tr("The word that the model says next"));
    connect(word_, &QLineEdit::textChanged, this, [this](const QString& text) {
        guess(text.trimmed().isEmpty() ? std::nullopt : std::optional(Guess{.word = text.toStdString()}),
              text);
    });
    connect(word_, &QLineEdit::returnPressed, this, &QuestionBox::finish_word);
    column.addWidget(word_);
}

void QuestionBox::add_options(QVBoxLayout& column) {
    options_ = new OptionsBox(*question_);
    connect(options_, &OptionsBox::changed, this, [this] {
        const std::optional<Guess> chosen = options_->guess();
        const bool is_one = chosen && chosen->hands.empty();
        guess(chosen,
              is_one ? QString::fromStdString(quoted_once(question_->options[chosen->option])) : QString());
    });
    options_->set_counting(counts_hands_);
    column.addWidget(options_);
}

void QuestionBox::take_cell(Index query, Index key, const QString& words) {
    if (!asks_for(Question::Kind::cell))
        return;
    said_->setText(words);
    guess(Guess{.query = query, .key = key}, words);
}

void QuestionBox::refuse_cell(const QString& why) {
    if (!asks_for(Question::Kind::cell))
        return;
    said_->setText(why);
    guess({});
}

void QuestionBox::set_word(const QString& word) {
    if (word_)
        word_->setText(word);
}

void QuestionBox::finish_word() {
    if (is_counting() && guess_)
        go_to_hands(0);
    else
        give();
}

void QuestionBox::give() {
    if (const std::vector<Guess> all = guesses(); !all.empty())
        emit answered(all);
}

bool QuestionBox::take_key(const QKeyEvent& key) {
    if (!is_asking() || is_put_away_ || (key.modifiers() & ~Qt::KeypadModifier))
        return false;
    constexpr int of_guesses[] = {Qt::Key_Left, Qt::Key_Right,  Qt::Key_Up,
                                  Qt::Key_Down, Qt::Key_Return, Qt::Key_Enter};
    const int digit = key.key() - Qt::Key_0;
    const bool is_digit = digit >= 0 && digit <= 9;
    if (!is_digit && std::ranges::find(of_guesses, key.key()) == std::end(of_guesses))
        return false;
    if (!is_in_sight_)
        emit sight_wanted();
    else if (is_digit)
        take_digit(digit);
    else
        take_way(key.key());
    return true;
}

void QuestionBox::take_way(int key) {
    switch (key) {
    case Qt::Key_Left:
        return step(0, -1);
    case Qt::Key_Right:
        return step(0, 1);
    case Qt::Key_Up:
        return step(-1, 0);
    case Qt::Key_Down:
        return step(1, 0);
    default:
        return take_enter();
    }
}

void QuestionBox::step(int rows, int columns) {
    if (weight_) {
        weight_->setValue(weight_->value() + columns - rows);  // up is more
        guess_weight();                                        // also where it stood there already
    } else if (options_) {
        options_->choose_by(rows + columns);
    } else if (asks_for(Question::Kind::cell)) {
        emit cell_step_asked(rows, columns);
    }
}

void QuestionBox::take_digit(int digit) {
    if (weight_) {
        weight_->setValue(digit * slider_steps / 10);
        guess_weight();
    } else if (word_) {
        word_->insert(QString::number(digit));
        go_to_word();
    } else if (options_ && digit >= 1 && digit <= int(question_->options.size())) {
        if (is_counting())
            return go_to_hands(digit - 1);
        options_->choose(digit - 1);
        give();
    }
}

void QuestionBox::take_enter() {
    if (word_ && !guess_ && guesses().empty())
        go_to_word();
    else if (hands_ && is_counting() && guess_ && hands_->hands() == 0 && !was_at_hands_)
        go_to_hands(0);
    else
        give();
}

void QuestionBox::go_to_word() {
    if (word_->isVisible())
        word_->setFocus(Qt::OtherFocusReason);
    else
        emit word_field_wanted();
}

void QuestionBox::go_to_hands(int at) {
    was_at_hands_ = true;
    if (!(options_ ? options_->focus_hands(at) : hands_->take_focus()))
        emit hands_field_wanted(at);
}

bool QuestionBox::take_focus() {
    if (!control_ || asks_for(Question::Kind::cell) || (word_ && is_presenting_))
        return false;
    if (options_) {
        options_->take_focus();
        return true;
    }
    QWidget* field = own_field();
    if (!field || field->isHidden())
        return false;
    field->setFocus(Qt::OtherFocusReason);
    return true;
}

void QuestionBox::guess(std::optional<Guess> guess, const QString& words) {
    guess_ = std::move(guess);
    was_at_hands_ = false;
    if (hands_)
        hands_->set_guess(guess_, words);
    answer_->setEnabled(!guesses().empty());
    emit guess_changed(guess_ ? words : QString());
    emit hands_changed();
}

bool QuestionBox::is_counting() const {
    return hands_ ? hands_->is_counting() : options_ && options_->is_counting();
}

void QuestionBox::set_counting(bool counts) {
    if (hands_)
        hands_->set_counting(counts);
    else if (options_)
        options_->set_counting(counts);
}

std::vector<int> QuestionBox::hands() const {
    if (!is_counting())
        return {};
    return options_ ? options_->hands() : std::vector{hands_->hands()};
}

void QuestionBox::set_hands(int at, int hands) {
    if (options_)
        options_->set_hands(at, hands);
    else if (hands_)
        hands_->set_hands(hands);
}

QStringList QuestionBox::tally() const { return hands_ && is_counting() ? hands_->tally() : QStringList(); }

std::vector<Guess> QuestionBox::guesses() const {
    if (hands_ && is_counting())
        return hands_->guesses();
    return guess_ ? std::vector{*guess_} : std::vector<Guess>();
}

}  // namespace headlight
