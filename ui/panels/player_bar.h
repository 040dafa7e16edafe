#pragma once

#include "core/workbench/playback.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <vector>

class QAction;
class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace headlight {

class Actions;
class Document;
class LineIconButton;
class PlayerKeys;

/// First, back, play, forward, last over stages, decoding steps or heads, with a scrubber that names where it
/// stands. Its keys reach it from everywhere (PlayerKeys).
class PlayerBar : public QWidget {
    Q_OBJECT
public:
    explicit PlayerBar(Document& document, QWidget* parent = nullptr);

    /// What somebody chose for this view, else what suits it.
    PlayMode mode() const;
    bool is_playing() const { return timer_.isActive(); }
    /// Does the work of the actions of the player.
    void bind(Actions& actions);
    /// A button for `action` behind the others; its icon is the action's.
    void add_action(QAction& action);
    /// The words behind the controls: where the player is. A message may lie over them.
    QWidget* place() const;
    /// False where there is no such head, counted from 0.
    bool choose_head(Index head);
    /// So many heads on, where there are as many.
    void move_by_heads(Index by);
    PlayerKeys& keys() { return *keys_; }
    /// Time between two positions at speed 1.
    void set_interval(std::chrono::milliseconds interval);
    /// No more than it needs: what it has besides does not depend on the words of the place, so that nothing
    /// beside it moves as they change.
    QSize sizeHint() const override { return minimumSizeHint(); }

public slots:
    void set_mode(headlight::PlayMode mode);
    void first();
    void back();
    /// Starts over when it stands at the end.
    void play();
    void pause();
    void toggle_playing();
    void forward();
    void last();
    void go_to(int position);

signals:
    void playing_changed(bool playing);

protected:
    void changeEvent(QEvent* event) override;

private:
    LineIconButton* add_button(const QString& icon, const QString& name, const QString& tip,
                               void (PlayerBar::*slot)());
    PlayTrack track() const;
    /// At an encoder's own site: its rows are tokens that it has all at once, and no decoding steps.
    bool rows_are_read_at_once() const;
    /// No row sees what comes after it, as where a decoder says one word after another. Elsewhere a row is
    /// called a row.
    bool rows_are_steps() const;
    QString position_text(const PlayTrack& track) const;
    std::chrono::milliseconds now() const;
    void advance();
    void wait_for_tick();
    void set_speed(int index);
    void apply_speed();
    void update_icons();
    /// High enough for two lines of a message.
    void keep_height();
    PlayMode natural() const;
    void refresh();

    Document& document_;
    PlayerKeys* keys_ = nullptr;
    std::chrono::milliseconds interval_{1200};
    double speed_ = 1;  ///< that the clock runs at
    PlayClock clock_{interval_};
    QElapsedTimer elapsed_;
    QTimer timer_;
    LineIconButton *first_, *back_, *play_, *forward_, *last_;
    std::vector<QToolButton*> added_;  ///< of other actions
    QSlider* scrubber_;
    QLabel* label_;
    QComboBox* modes_;
    QComboBox* speeds_;
};

}  // namespace headlight
