#pragma once

#include "core/figure/view_settings.h"
#include "ui/jobs/latest_job.h"
#include "ui/render/film_export.h"

#include <QWidget>

class QAction;
class QKeyEvent;
class QLabel;
class QPushButton;
class QSlider;

namespace headlight {

class Actions;
class Document;
class LineIconButton;
class MotionClock;
class PlayerBar;
class WindowSettings;

/// How a stage comes about, moment by moment: a line above the player while a motion is shown, with a slider
/// that leads to any moment. Playing stops at the step's end; from there Right goes on with what the player
/// walks through: the next stage, in a map the next decoding step. The player's speed is its speed.
class MotionBar : public QWidget {
    Q_OBJECT
public:
    /// Does the work of three of the `actions`, adds a button for one of them to `player`, and remembers in
    /// `settings` whether a person wants less motion.
    MotionBar(Document& document, PlayerBar& player, WindowSettings& settings, Actions& actions,
              QWidget* parent = nullptr);
    ~MotionBar() override;

    /// Starts a motion, and ends it.
    QAction& action() const { return *action_; }
    MotionClock& clock() const { return clock_; }
    /// Takes Left and Right, which the player has otherwise, while a motion is shown and has not come to that
    /// end.
    bool take_step(const QKeyEvent& key);
    /// Takes keys that no control has used.
    bool take_unused(const QKeyEvent& key);
    /// As the name's ending says: GIF, WebP or numbered pictures; in the background.
    void export_to(const QString& path);

signals:
    /// The motion has ended while the focus was here.
    void picture_wanted();
    /// A film was written.
    void notice(const QString& words);
    void problem(const headlight::Error& error);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    LineIconButton* add_button(const QString& icon, const QString& name, const QString& tip);
    void toggle_playing();
    /// One of the two that move the picture by themselves plays at a time.
    void play();
    /// There is something to be played in what is shown.
    bool moves() const;
    void stop();
    void show_clock();
    /// Whether the actions can be chosen, and what they do or why not.
    void offer();
    void offer_export();
    /// Why nothing would move in the view, with what to do; empty where something would.
    QString why_still() const;
    /// A motion that is wanted in a picture that stands still is shown in another one, and it is said.
    void say_what_is_shown(ViewKind before);
    /// The room of the time, for the motion and the type that there are now.
    void fit_time();
    void show_moment();
    /// How much of a film is written; below 0 none is.
    void show_export(double share);
    void update_icons();
    /// A motion that nobody has begun yet is shown first. Gives up a film that is being written.
    void ask_export();

    Document& document_;
    PlayerBar& player_;
    WindowSettings& settings_;
    Actions& actions_;
    MotionClock& clock_;
    QAction *action_, *reduced_, *export_action_;
    LineIconButton *back_ = nullptr, *play_ = nullptr, *forward_ = nullptr;
    QSlider* slider_ = nullptr;
    QLabel* time_ = nullptr;
    QPushButton* export_ = nullptr;
    FilmOptions options_;
    QString still_;        ///< why_still(), which may be long in coming
    double written_ = -1;  ///< the share of a film; below 0 while none is written
    LatestJob exporting_;
};

}  // namespace headlight
