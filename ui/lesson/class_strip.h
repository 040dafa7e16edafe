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
/// step.
class ClassStrip : public QWidget {
    Q_OBJECT
public:
    explicit ClassStrip(LessonPlayer& player, QWidget* parent = nullptr);

    /// What is guessed there is said here, and a word that is typed here is guessed there.
    void follow(QuestionBox& question);

    /// Whether the lesson is nowhere else.
    void set_wanted(bool wanted);

private:
    void refresh();
    /// How a guess is made, or what it is.
    QString guess_line(const Question& question) const;

    LessonPlayer& player_;
    QLabel* said_;
    QLineEdit* word_;  ///< where a word is asked for
    QString guess_;
    bool is_wanted_ = false;
};

}  // namespace headlight
