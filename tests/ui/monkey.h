#pragma once

#include "tests/ui/window_support.h"

#include <QStringList>

#include <random>

namespace headlight {

/// Random keys, clicks, drags, wheels, drops and menu entries over every window that is open. The same seed
/// chooses the same events; what they meet depends on how fast the program is.
class Monkey : public QObject {
public:
    /// Plays with `test` and every window that it opens. `test` outlives the monkey.
    Monkey(WindowUnderTest& test, unsigned seed);

    /// So many events. Returns when every dialog and menu that they opened is closed, or soon after the test
    /// has failed.
    void play(int events);
    /// The newest events, in words.
    QString last() const { return last_.join(QStringLiteral("\n    ")); }

private:
    int below(int end) { return std::uniform_int_distribution<int>(0, std::max(end, 1) - 1)(random_); }
    bool happens(int percent) { return below(100) < percent; }

    void write_odd_files();
    void act();
    void act_once();
    /// Closes the menu or the dialog on top; false when none is open.
    bool leave();
    QWidget* chosen_window();
    std::pair<QWidget*, QPoint> place_in(QWidget& window);
    Qt::KeyboardModifiers modifiers();
    void say(const QObject* on, const QString& what);

    void click(QWidget& window);
    void press_key(QWidget& window);
    void wheel(QWidget& window);
    void drag(QWidget& window);
    void drop_file();
    void trigger_action();
    void show_window();

    WindowUnderTest& test_;
    std::mt19937 random_;
    QTimer next_;
    int left_ = 0;
    QStringList files_, last_;
};

/// Keeps file dialogs where nothing can be lost: they show `folder` and what is in it, and delete nothing.
class Fence : public QObject {
public:
    explicit Fence(QString folder);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    const QString folder_;
};

}  // namespace headlight
