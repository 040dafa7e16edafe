#pragma once

#include "ui/lesson/lesson_player.h"

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QTextBrowser;
class QVBoxLayout;

namespace headlight {

class Actions;
class LessonEnd;
class PanelArea;
class QuestionBox;

/// A lesson beside the picture: what is said, what is asked, and the way on.
class LessonPanel : public QWidget {
    Q_OBJECT
public:
    /// Does the work of the `actions` of a lesson: where the panel is away, their menu is the only way to it.
    LessonPanel(LessonPlayer& player, Document& document, Actions& actions, QWidget* parent = nullptr);

    /// Back and on, for the window: they go with keys wherever the panel is.
    QList<QAction*> ways() const { return {go_back_, go_on_}; }
    /// What is asked, with what is guessed of it.
    QuestionBox& question() { return *question_; }

    /// Between what is said and what is asked.
    void put_below_text(QWidget* widget);

signals:
    void present_asked();
    /// The lesson on paper, as a page, or its pictures.
    void handout_asked();
    void page_asked();
    void pictures_asked();
    /// Asks for the window for training, filled in as this step has it.
    void training_asked(const headlight::LessonTraining& training);
    /// Asks for the ways into the program, in place of the lesson.
    void begin_asked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void describe_texts();
    /// What is answered goes to the lesson; what changes is shown.
    void follow();
    void show_place();
    /// Back leads to the page before as well.
    void show_way_back();
    /// A way back where the picture is no longer the lesson's.
    void show_way_to_figure();
    /// Whoever answered goes on with Next, and whoever went on answers.
    void move_focus(bool was_on_the_way);
    void show_words();
    /// Scrolls to what was said last, where not all has room.
    void show_newest_words();
    /// What it does, with its key.
    void show_tip_of_next();
    void show_commands();
    void bind(Actions& actions);
    /// Where a cell is asked for, the one that the picture's frame stands on is the guess.
    void take_cell();
    /// Moves the frame, in the row that is asked for.
    void step_cell(int rows, int columns);

    LessonPlayer& player_;
    Document& document_;
    QLabel *title_, *place_, *verdict_, *problem_;
    QLabel* not_its_figure_;
    QVBoxLayout* column_;  ///< what is said and asked
    PanelArea* area_;      ///< around the column: scrolled where the window is low
    QTextBrowser* text_;
    QuestionBox* question_;
    LessonEnd* end_;
    QAction *go_back_, *go_on_, *show_answer_, *count_;
    QPushButton *back_, *next_, *hand_out_, *train_;
    QList<QAction*> quizzes_, papers_;  ///< of what is handed out
};

}  // namespace headlight
