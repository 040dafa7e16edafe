#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QAction;
class QLabel;
class QTextBrowser;

namespace headlight {

class ClassOverlay;
class LessonPlayer;

/// What a teacher sees and the class does not: notes, the answer, what comes next, a clock; and what is laid
/// over the window of the class. A window of its own, for the other screen.
class Presenter : public QWidget {
    Q_OBJECT
public:
    /// `window` is what the class sees.
    Presenter(LessonPlayer& player, QWidget* window);

    /// Opens it, and begins to count the time.
    void present();

signals:
    /// The class is to see the picture on the whole screen.
    void full_screen_asked();

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    QAction* add_action(const QString& id, const QString& words, const QString& effect);
    void show_place();
    void show_words();
    void show_time();

    LessonPlayer& player_;
    ClassOverlay* overlay_;
    QLabel *place_, *asked_, *clock_, *next_;
    QTextBrowser* notes_;
    QAction *back_, *on_, *black_, *ring_, *pen_;
    QTimer second_;
    QElapsedTimer elapsed_;
};

}  // namespace headlight
