#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace headlight {

/// 60 ticks a second while a picture moves, for whatever moves it: each says how much time has gone by.
class FrameTicks : public QObject {
    Q_OBJECT
public:
    explicit FrameTicks(QObject* parent = nullptr);

    bool are_running() const { return timer_.isActive(); }
    void start();
    void stop() { timer_.stop(); }

signals:
    /// Since start() or the tick before; a long sleep counts as a tenth of a second.
    void passed(double milliseconds);

private:
    void tick();

    QTimer timer_;
    QElapsedTimer since_tick_;
};

}  // namespace headlight
