#pragma once

#include "core/lesson/lesson.h"

#include <QWidget>

#include <vector>

class QLineEdit;
class QSpinBox;

namespace headlight {

class LessonPlayer;
class PagedLabel;
class QuestionBox;

/// What a class is asked, above the picture on the whole screen, where the lesson's column is away: the title
/// of the step and what was said last in it, in pages of two lines (LessonPlayer::read_on()), and what a
/// person is to turn; behind them the question with its options, numbered, what is guessed of it, and fields
/// for the hands where they are counted; then its answer, as long as its part is shown, and what is said with
/// it; at the end what was right, and what comes next. It is as high as the highest of the pages, so that the
/// picture stays. Its fields have the focus only when somebody goes into them: until then letters are keys of
/// a remote.
class ClassStrip : public QWidget {
    Q_OBJECT
public:
    explicit ClassStrip(LessonPlayer& player, QWidget* parent = nullptr);

    /// What is guessed there is said here, and a word that is typed here is guessed there.
    void follow(QuestionBox& question);

    /// Puts a control below what is said: what a step asks to be turned.
    void put_below_text(QWidget* control);

    /// Whether the lesson is nowhere else.
    void set_wanted(bool wanted);
    /// A question makes way while the picture is of something else.
    void follow_picture();

signals:
    /// A field of it had the focus and is done with: the keys are the picture's again.
    void focus_returned();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// HTML before and behind the place that says which page it is.
    struct Page {
        QString head, rest = {};
    };

    void refresh();
    void say();
    /// What is read here: the end; what leads to a question, then the question; its answer as long as its
    /// part is shown, then what is said with it; else what the step says.
    std::vector<Page> pages() const;
    Page end_page() const;
    Page question_page(const Question& question) const;
    Page answer_page() const;
    /// One without words where nothing is said.
    std::vector<Page> text_pages(const QString& markdown) const;
    /// Whether the words that lead to the open question are still being worked out.
    bool waits_for_words() const;
    /// Whether a question is open, and its page the one that is read.
    bool is_question_in_sight() const;
    void refresh_word();
    void refresh_hands();
    /// Fields for the hands of that many guesses.
    void make_hands(std::size_t count);
    /// Hides a field, and returns the focus that it may have: Qt would leave it with what is hidden.
    void put_away(QWidget& part);
    void return_focus();
    /// In one line where they fit, else a line each; no line breaks between a number and its answer.
    QString options_html(const Question& question) const;
    int text_width() const;
    /// The sentence of the newest text that asks to turn the step's knob; empty where there is none.
    QString instruction() const;
    /// How a guess is made, or what it is.
    QString guess_line(const Question& question) const;
    QString hands_line(const Question& question) const;
    /// Words that are smaller than what they explain.
    QString hint_html(const QString& words) const;
    /// Which page it is, from 0, and the key to the next one; empty where there is one page.
    QString page_sign(std::size_t page, std::size_t pages) const;

    LessonPlayer& player_;
    QuestionBox* question_ = nullptr;
    PagedLabel* said_;
    QLineEdit* word_;  ///< where a word is asked for
    QWidget* hands_row_;
    std::vector<QSpinBox*> hands_;  ///< in the row: of each option, or of what is guessed now
    QString guess_;
    bool is_wanted_ = false;
};

}  // namespace headlight
