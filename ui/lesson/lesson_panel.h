#pragma once

#include "ui/lesson/lesson_player.h"

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QTextBrowser;

namespace headlight {

class ClassAnswers;
class LessonEnd;
class QuestionBox;

/// A lesson beside the picture: what is said, what is asked, and the way on.
class LessonPanel : public QWidget {
    Q_OBJECT
public:
    LessonPanel(LessonPlayer& player, Document& document, ClassAnswers& answers, QWidget* parent = nullptr);

    /// Back and on, for the window: they go with keys wherever the panel is.
    const QList<QAction*>& ways() const { return ways_; }

signals:
    void present_asked();
    /// The lesson on paper, as a page, or its pictures.
    void handout_asked();
    void page_asked();
    void pictures_asked();
    /// Of this step: the window for training, filled in with it.
    void training_asked(const headlight::LessonTraining& training);

protected:
    void changeEvent(QEvent* event) override;

private:
    void show_place();
    /// Whoever answered goes on with Next, and whoever went on answers.
    void move_focus(bool was_on_the_way);
    void show_words();
    void ask_quiz(GivenAnswer::When when);

    LessonPlayer& player_;
    ClassAnswers& answers_;
    QLabel *title_, *place_, *verdict_;
    QTextBrowser* text_;
    QuestionBox* question_;
    LessonEnd* end_;
    QList<QAction*> ways_;
    QAction *go_back_ = nullptr, *go_on_ = nullptr;
    QPushButton *back_, *next_, *hand_out_, *train_;
    QList<QAction*> quizzes_;
};

}  // namespace headlight
