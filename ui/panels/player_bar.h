#pragma once

#include "ui/views/playback.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace headlight {

class Document;

/// First, back, play, forward, last over stages, decoding steps or heads, with a scrubber that names where it
/// stands.
class PlayerBar : public QWidget {
    Q_OBJECT
public:
    explicit PlayerBar(Document& document, QWidget* parent = nullptr);

    PlayMode mode() const { return mode_; }
    bool is_playing() const { return timer_.isActive(); }
    /// Positions per second at normal speed are one; 0.5, 1, 2 and 4 times can be chosen.
    void set_interval(std::chrono::milliseconds interval);

public slots:
    void set_mode(headlight::PlayMode mode);
    void first();
    void back();
    void toggle_playing();
    void play();
    void pause();
    void forward();
    void last();
    void go_to(int position);

signals:
    void playing_changed(bool playing);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QToolButton* add_button(const QString& icon, const QString& text, const QString& tip,
                            void (PlayerBar::*slot)());
    PlayTrack track() const;
    bool handle_key(QKeyEvent* event);
    void advance();
    void schedule();
    void refresh();
    QString position_text(const PlayTrack& track) const;

    Document& document_;
    PlayMode mode_ = PlayMode::stage;
    PlayClock clock_{std::chrono::milliseconds(1000)};
    QElapsedTimer elapsed_;
    QTimer timer_;
    QToolButton *first_, *back_, *play_, *forward_, *last_;
    QComboBox* modes_;
    QComboBox* speeds_;
    QSlider* scrubber_;
    QLabel* label_;
};

}  // namespace headlight
