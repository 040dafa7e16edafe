#pragma once

#include "core/lesson/lesson.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace headlight {

class LessonPlayer;
class QuestionBox;

/// What a class is asked, above the picture on the whole screen, where the lesson's column is away: the
/// question with its options, numbered, and what is guessed of it; then its answer; else the title of the
/// step and the beginning of what was said last in it.
class ClassStrip : public QWidget {
    Q_OBJECT
public:
    explicit ClassStrip(LessonPlayer& player, QWidget* parent = nullptr);

    /// What is guessed there is said here, and a word that is typed here is guessed there.
    void follow(QuestionBox& question);

    /// Whether the lesson is nowhere else.
    void set_wanted(bool wanted);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void say();
    /// In one line where they fit, else a line each; no line breaks between a number and its answer.
    QString options_html(const Question& question) const;
    /// Whole sentences of it that have room in two lines.
    QString beginning_of(const QString& text) const;
    int line_count(const QString& text) const;
    int text_width() const;
    /// How a guess is made, or what it is.
    QString guess_line(const Question& question) const;

    LessonPlayer& player_;
    QLabel* said_;
    QLineEdit* word_;  ///< where a word is asked for
    QString guess_;
    bool is_wanted_ = false;
};

}  // namespace headlight
