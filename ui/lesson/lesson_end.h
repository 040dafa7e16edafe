#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;

namespace headlight {

class LessonPlayer;
class WrappingButton;

/// "Lesson 2 of 16 is done", and what was right of what was guessed: Markdown. For a lesson that is at its
/// end.
QString end_text(const LessonPlayer& player);

/// The same in few lines, with the lesson that comes next and the keys that open it: "End of lesson 2",
/// "Right: 1 of 2 guesses, of 2 questions.", "Next: lesson 3, Why divide by the square root (Alt+L, 3)".
QStringList end_lines(const LessonPlayer& player);

/// Where one goes from the end of a lesson: the next one of the course, this one again, or back to the ways
/// into the program.
class LessonEnd : public QWidget {
    Q_OBJECT
public:
    explicit LessonEnd(LessonPlayer& player, QWidget* parent = nullptr);

    /// Shown at the end of a lesson alone; what comes next then has the focus.
    void refresh();

signals:
    /// Leaves the lesson for the ways into the program.
    void begin_asked();

private:
    LessonPlayer& player_;
    WrappingButton* next_;
    QPushButton* repeat_;
};

}  // namespace headlight
