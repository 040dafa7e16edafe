#include "ui/lesson/class_strip.h"

#include "ui/actions/shortcuts.h"
#include "ui/lesson/hands_box.h"
#include "ui/lesson/lesson_end.h"
#include "ui/lesson/lesson_player.h"
#include "ui/lesson/options_box.h"
#include "ui/lesson/paged_label.h"
#include "ui/lesson/question_box.h"
#include "ui/lesson/strip_words.h"
#include "ui/render/subscripts.h"
#include "ui/views/describe.h"
#include "ui/views/inside_qt.h"

#include <QApplication>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr int most_lines = 2;        // of a step's text: the picture has the room
constexpr double hint_share = 0.92;  // of the size of a question

QString bold(const QString& text) { return QStringLiteral("<b>%1</b>").arg(html_with_subscripts(text)); }

/// Whether it keeps its place while it is hidden, so that the picture stays where it is.
void keep_room(QWidget& part, bool keeps) {
    QSizePolicy policy = part.sizePolicy();
    policy.setRetainSizeWhenHidden(keeps);
    part.setSizePolicy(policy);
}

}  // namespace

ClassStrip::ClassStrip(LessonPlayer& player, QWidget* parent)
    : QWidget(parent), player_(player), said_(new PagedLabel), word_(new QLineEdit), hands_row_(new QWidget) {
    said_->setObjectName(QStringLiteral("class_strip"));
    said_->setAccessibleName(tr("What the class is asked"));
    said_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    said_->setMargin(8);
    describe(word_, QStringLiteral("class_word"), tr("Your guess of the word"), tr("Enter gives it"));
    word_->setAlignment(Qt::AlignCenter);
    QFont large = font();  // read from the last row
    large.setPointSizeF(1.5 * QFontInfo(large).pointSizeF());
    for (QWidget* each : {static_cast<QWidget*>(said_), static_cast<QWidget*>(word_), hands_row_})
        each->setFont(large);
    word_->setMaximumWidth(30 * word_->fontMetrics().averageCharWidth());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(said_);
    column->addWidget(word_, 0, Qt::AlignHCenter);
    column->addWidget(hands_row_, 0, Qt::AlignHCenter);
    auto* fields = new QHBoxLayout(hands_row_);
    fields->setContentsMargins(8, 0, 8, 8);
    hands_row_->hide();
    connect(&player_, &LessonPlayer::moved, this, &ClassStrip::refresh);
    connect(&player_, &LessonPlayer::told, this, &ClassStrip::refresh);
    connect(&player_, &LessonPlayer::page_changed, this, &ClassStrip::refresh);
    hide();
}

void ClassStrip::follow(QuestionBox& question) {
    question_ = &question;
    connect(&question, &QuestionBox::guess_changed, this, [this](const QString& words) {
        guess_ = words;
        if (word_->text() != words) {
            const QSignalBlocker quiet(word_);  // it is guessed there already
            word_->setText(words);
        }
        refresh();
    });
    connect(&question, &QuestionBox::sight_wanted, &player_, &LessonPlayer::read_question);
    connect(word_, &QLineEdit::textChanged, &question, &QuestionBox::set_word);
    connect(word_, &QLineEdit::returnPressed, &question, &QuestionBox::finish_word);
    connect(&question, &QuestionBox::word_field_wanted, this, [this] {
        if (word_->isVisible())
            word_->setFocus(Qt::OtherFocusReason);
    });
    connect(&question, &QuestionBox::hands_field_wanted, this, [this](int at) {
        if (hands_row_->isVisible() && at < std::ssize(hands_)) {
            QSpinBox* field = hands_[static_cast<std::size_t>(at)];
            field->setFocus(Qt::OtherFocusReason);
            field->selectAll();
        }
    });
    connect(&question, &QuestionBox::hands_changed, this, &ClassStrip::refresh);
}

void ClassStrip::put_below_text(QWidget* control) {
    constexpr int characters = 40;
    control->setFont(said_->font());
    control->setFixedWidth(characters * said_->fontMetrics().averageCharWidth());
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, control, 0, Qt::AlignHCenter);
}

void ClassStrip::return_focus() {
    QWidget* focus = QApplication::focusWidget();
    if (!focus || !isAncestorOf(focus))
        return;
    focus->clearFocus();
    emit focus_returned();
}

void ClassStrip::put_away(QWidget& part) {
    const QWidget* focus = QApplication::focusWidget();
    if (focus && (focus == &part || part.isAncestorOf(focus)))
        return_focus();
    part.hide();
}

void ClassStrip::make_hands(std::size_t count) {
    put_away(*hands_row_);
    while (QLayoutItem* item = hands_row_->layout()->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->setParent(nullptr);
            widget->deleteLater();
        }
        delete item;
    }
    hands_.clear();
    auto* about = new QLabel(tr("Hands raised:"));
    hands_row_->layout()->addWidget(about);
    for (std::size_t at = 0; at < count; ++at) {
        const QString number = QString::number(at + 1);
        if (count > 1)
            hands_row_->layout()->addWidget(new QLabel(number));
        QSpinBox* field =
            make_hands_field(QStringLiteral("class_hands_") + number,
                             count > 1 ? tr("Hands for answer %1").arg(number) : tr("Hands for this guess"),
                             tr("How many of the class are for it; Enter leaves the field"));
        hands_row_->layout()->addWidget(field);
        hands_.push_back(field);
        connect(field, &QSpinBox::valueChanged, this,
                [this, at](int hands) { question_->set_hands(static_cast<int>(at), hands); });
        // Enter goes on to the widgets around the field, which must find the focus in it: else it would give
        // the guess as well.
        connect(&typed_text(*field), &QLineEdit::returnPressed, this, &ClassStrip::return_focus,
                Qt::QueuedConnection);
    }
}

void ClassStrip::refresh_hands() {
    const std::vector<int> hands = is_wanted_ && question_ && player_.is_open() && player_.open_question()
                                       ? question_->hands()
                                       : std::vector<int>();
    keep_room(*hands_row_, !hands.empty());
    if (hands.empty())
        return put_away(*hands_row_);
    if (hands.size() != hands_.size())
        make_hands(hands.size());
    for (std::size_t at = 0; at < hands.size(); ++at) {
        const QSignalBlocker quiet(hands_[at]);  // they are counted there already
        if (hands_[at]->value() != hands[at])    // else somebody is typing it
            hands_[at]->setValue(hands[at]);
        hands_[at]->setEnabled(question_->takes_hands());
    }
    if (is_question_in_sight())
        hands_row_->show();
    else
        put_away(*hands_row_);
}

void ClassStrip::set_wanted(bool wanted) {
    is_wanted_ = wanted;
    refresh();
}

QString ClassStrip::hands_line(const Question& question) const {
    if (question.kind == Question::Kind::choice)
        return tr("Hands: the key of its number goes to its field, Enter leaves it; Enter again gives them");
    const QString counted = question_->tally().join(tr(", "));
    const QString of_frame =
        question.kind == Question::Kind::cell ? tr("The frame: %1") : tr("Your guess: %1");
    const QString guessed = guess_.isEmpty() ? QString() : of_frame.arg(guess_) + tr(" · ");
    return counted.isEmpty() ? guessed + tr("Hands: set a guess, Enter goes to its hands, Enter leaves them")
                             : guessed + tr("Counted: %1 (Enter gives them)").arg(counted);
}

QString ClassStrip::guess_line(const Question& question) const {
    if (question_ && question_->is_counting())
        return hands_line(question);
    // The frame stands somewhere before anybody has guessed.
    if (!guess_.isEmpty() && question.kind == Question::Kind::cell)
        return tr("The frame: %1 (the arrow keys move it; Enter gives it as the guess)").arg(guess_);
    if (!guess_.isEmpty())
        return tr("Your guess: %1 (Enter gives it)").arg(guess_);
    switch (question.kind) {
    case Question::Kind::weight:
        return tr("A digit sets tenths, arrow keys hundredths; Enter gives the guess");
    case Question::Kind::cell:
        return tr("The arrow keys move the frame; Enter gives the guess");
    case Question::Kind::word:
        return tr("Enter goes into the field; type the word; Enter gives the guess");
    case Question::Kind::choice:
        return tr("The key of its number answers");
    }
    return {};
}

int ClassStrip::text_width() const { return width() - 2 * said_->margin(); }

QString ClassStrip::instruction() const {
    const QString knob = QString::fromStdString(player_.knob()).replace(QChar(u'_'), QChar(u' '));
    if (knob.isEmpty())
        return {};
    const QString text = words_of_markdown(player_.newest_text()).text;
    QString found;
    qsizetype begin = 0;
    for (const qsizetype end : ends_of_sentences(text)) {
        const QString sentence = text.sliced(begin, end - begin).trimmed();
        if (sentence.contains(knob, Qt::CaseInsensitive))
            found = sentence;  // numbers at its present setting come first
        begin = end;
    }
    return found;
}

QString ClassStrip::options_html(const Question& question) const {
    const QStringList numbered = numbered_options(question);
    const bool are_short = std::ranges::all_of(numbered, [this](const QString& option) {
        return line_count({option, {}}, said_->font(), text_width()) == 1;
    });
    if (!are_short)
        return html_with_subscripts(numbered.join(QChar(u'\n')))
            .replace(QChar(u'\n'), QStringLiteral("<br>"));
    QStringList unbroken;
    for (const QString& option : numbered)
        unbroken += QStringLiteral("<nobr>%1</nobr>").arg(html_with_subscripts(option));
    return unbroken.join(tr(" · "));
}

void ClassStrip::refresh() {
    const bool has_place = is_wanted_ && player_.is_open();
    const bool is_shown = has_place && !player_.asks_of_another();
    if (!is_shown) {
        return_focus();
        player_.set_pages(1);  // what is said has room elsewhere
    }
    setVisible(is_shown);
    if (is_shown)
        say();
    if (question_) {
        question_->set_put_away(has_place && !is_shown);
        question_->set_in_sight(!is_shown || is_question_in_sight());
    }
    refresh_word();
    refresh_hands();
}

void ClassStrip::follow_picture() {
    if (is_wanted_ && player_.is_open() && isHidden() != player_.asks_of_another())
        refresh();
}

void ClassStrip::refresh_word() {
    const Question* open = player_.open_question();
    const bool asks_for_word = open && open->kind == Question::Kind::word;
    keep_room(*word_, asks_for_word);
    if (asks_for_word && is_question_in_sight())
        word_->show();
    else
        put_away(*word_);
}

bool ClassStrip::waits_for_words() const {
    const std::vector<std::string>& texts = player_.lesson().steps[player_.step()].texts;
    return !texts.empty() && !texts.front().empty() && player_.text().isEmpty() &&
           player_.problem().isEmpty();
}

bool ClassStrip::is_question_in_sight() const {
    return player_.open_question() && !waits_for_words() && player_.page() + 1 == player_.pages();
}

void ClassStrip::say() {
    const std::vector<Page> all = pages();
    player_.set_pages(static_cast<int>(all.size()));
    QStringList html;
    for (std::size_t at = 0; at < all.size(); ++at)
        html += all[at].head + page_sign(at, all.size()) + all[at].rest;
    said_->show_page(html, player_.page());
}

std::vector<ClassStrip::Page> ClassStrip::pages() const {
    if (player_.is_ended())
        return {end_page()};
    if (const Question* open = player_.open_question()) {
        if (waits_for_words())
            return text_pages({});
        std::vector<Page> all;
        if (!player_.newest_text().isEmpty())
            all = text_pages(player_.newest_text());
        all.push_back(question_page(*open));
        return all;
    }
    // The answer is said at the first state that is revealed; later parts go on to something else.
    if (!player_.verdict() || player_.state() > 1)
        return text_pages(player_.newest_text());
    std::vector<Page> all{answer_page()};
    // What led to the question was read before it.
    if (player_.newest_state() > 0)
        for (Page& page : text_pages(player_.newest_text()))
            all.push_back(std::move(page));
    return all;
}

ClassStrip::Page ClassStrip::end_page() const {
    const QStringList lines = end_lines(player_);
    Page page{bold(lines.front())};
    for (const QString& line : lines.sliced(1))
        page.rest += QStringLiteral("<br>") + line.toHtmlEscaped();
    return page;
}

ClassStrip::Page ClassStrip::question_page(const Question& question) const {
    Page page{bold(QString::fromStdString(question.ask))};
    if (!question.options.empty())
        page.rest += QStringLiteral("<br>") + options_html(question);
    QString hint = guess_line(question);
    if (player_.is_answer_next()) {
        // In the place of how a guess is made: a line more would move the picture.
        const QString next = QuestionBox::words_of_answer_next();
        hint = guess_.isEmpty() ? next : guess_ + tr(" · ") + next;
    }
    page.rest += QStringLiteral("<br>") + hint_html(hint);
    return page;
}

ClassStrip::Page ClassStrip::answer_page() const {
    const Question& question = *player_.lesson().steps[player_.step()].question;
    const Verdict& verdict = *player_.verdict();
    Page page{QStringLiteral("%1<br>%2 %3")
                  .arg(html_with_subscripts(QString::fromStdString(question.ask)), bold(verdict.judgement()),
                       html_with_subscripts(verdict.because))};
    if (const QString to_turn = instruction(); !to_turn.isEmpty())
        page.rest = QStringLiteral("<br>") + html_with_subscripts(to_turn);
    return page;
}

std::vector<ClassStrip::Page> ClassStrip::text_pages(const QString& markdown) const {
    const QString title = QString::fromStdString(player_.lesson().steps[player_.step()].title);
    const QString to_turn = instruction();
    std::vector<Page> all;
    for (const StripWords& words :
         pages_of(words_of_markdown(markdown), said_->font(), text_width(), most_lines)) {
        Page page{bold(title)};
        if (!words.text.isEmpty())
            page.rest += QStringLiteral("<br>") + html_of(words);
        if (!to_turn.isEmpty() && !words.text.contains(to_turn))
            page.rest += QStringLiteral("<br>") + html_with_subscripts(to_turn);
        all.push_back(std::move(page));
    }
    return all;
}

QString ClassStrip::hint_html(const QString& words) const {
    return QStringLiteral("<span style=\"font-size:%1pt\">%2</span>")
        .arg(hint_share * QFontInfo(said_->font()).pointSizeF())
        .arg(words.toHtmlEscaped());
}

QString ClassStrip::page_sign(std::size_t page, std::size_t pages) const {
    if (pages < 2)
        return {};
    const QString key = page + 1 < pages ? key_text(QStringLiteral("lesson_next")) : QString();
    const QString place = tr("%1/%2").arg(page + 1).arg(pages);
    return QStringLiteral(" &nbsp;<nobr>%1</nobr>")
        .arg(hint_html(key.isEmpty() ? place : tr("%1 (%2: more)").arg(place, key)));
}

void ClassStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width() && is_wanted_ && player_.is_open())
        say();
}

}  // namespace headlight
