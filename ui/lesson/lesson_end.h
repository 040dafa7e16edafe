#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace headlight {

class LessonPlayer;
class WrappingButton;

/// "Lesson 2 of 16 is done", and what was right of what was guessed: Markdown. For a lesson that is at its
/// end.
QString end_text(const LessonPlayer& player);

/// Where one goes from the end of a lesson: the next one of the course, this one again, or back to the ways
/// into the program.
class LessonEnd : public QWidget {
    Q_OBJECT
public:
    explicit LessonEnd(LessonPlayer& player, QWidget* parent = nullptr);

    /// Shown at the end of a lesson alone; what comes next then has the focus.
    void refresh();

private:
    LessonPlayer& player_;
    WrappingButton* next_;
    QPushButton* repeat_;
};

}  // namespace headlight
