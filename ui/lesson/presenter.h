#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QPointer>
#include <QTimer>
#include <QWidget>

class QAction;
class QKeyEvent;
class QLabel;
class QTextBrowser;
class QToolButton;

namespace headlight {

class Actions;
class ClassOverlay;
class ClassPen;
class LessonPlayer;

/// What a teacher sees and the class does not: notes, the answer, what comes next, a clock; and what is laid
/// over the window of the class. A window of its own, for the other screen; where there is one screen it is
/// shown only when somebody asks for it.
class Presenter : public QWidget {
    Q_OBJECT
public:
    /// `window` is what the class sees. The `actions` of the lesson lead on and back here as well.
    Presenter(LessonPlayer& player, Actions& actions, QWidget* window);
    ~Presenter() override;

    /// Black, ring and pen, and the way to the notes: for a menu of the window.
    QList<QAction*> over_picture() const { return {black_, ring_, pen_, shown_}; }

    /// The pen draws over it; what was drawn over another one vanishes.
    void set_picture(QWidget* picture);

public slots:
    /// Begins to count the time, and shows the notes on the other screen. Of one screen the class sees
    /// all: there the notes are shown when it is asked for again.
    void present();

signals:
    /// It has begun, or was ended.
    void presenting_changed(bool presenting);
    /// What the teacher has to know, in the window of the class.
    void notice(const QString& text);
    /// What was said with notice() is true no longer.
    void notice_over(const QString& text);

protected:
    /// Esc ends black, pen and ring, one after another, before it ends the full screen. In the notes arrows
    /// and Space step.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void describe_texts();
    /// What is laid over the window of the class comes and goes with its actions.
    void follow_actions();
    /// An action of that row, which has its keys here and in the window of the class.
    QAction* add_action(const QString& id);
    /// With the key of the command `key_of`, if any.
    static QToolButton* made_button(const QString& id, const QString& words, const QString& effect,
                                    const QString& key_of = {});
    /// Goes on or back in the lesson, where the key does so in the notes; false where it does not.
    bool step_by(const QKeyEvent& key, const QWidget& receiver);
    bool is_presenting() const { return elapsed_.isValid(); }
    void show_notes();
    /// Opens there, once it is shown.
    void place_on(QScreen& screen);
    void set_pen(bool on);
    /// That the pen is on, and what ends it.
    QString pen_words() const;
    /// Where the notes are not to be seen yet: what to do now, how it ends, and what makes the type large.
    QString begun_words() const;
    /// The foremost of what lies over the window of the class; nullptr where nothing does.
    QAction* foremost() const;
    void end();
    /// Their keys are there as long as a lesson is, whether it is presented or not; before, that of the notes
    /// says how to.
    void offer_over_picture(bool offered);
    void show_place();
    /// What the way on leads to.
    void show_coming();
    void show_words();
    void show_time();

    LessonPlayer& player_;
    ClassOverlay* overlay_;
    QPointer<QWidget> picture_;
    QPointer<ClassPen> pen_strokes_;  ///< a child of the picture, while it is on
    QLabel *place_, *asked_, *clock_, *next_;
    QTextBrowser* notes_;
    QAction *lesson_back_, *lesson_next_, *projector_, *black_, *ring_, *pen_, *shown_;
    QToolButton *back_, *on_;
    bool is_over_picture_offered_ = true;
    QTimer second_;
    QElapsedTimer elapsed_;
};

}  // namespace headlight
