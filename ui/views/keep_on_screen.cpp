#include "ui/views/keep_on_screen.h"

#include <QEvent>
#include <QScreen>
#include <QTimer>
#include <QWidget>

#include <algorithm>

namespace headlight {
namespace {

constexpr QSize frame_and_title{8, 40};  // what a desktop's frame and title take, before it says so
constexpr int frame_is_there = 100;      // ms after a window is shown

void move_onto_screen(QWidget& window) {
    if (window.isMaximized() || window.isFullScreen())
        return;
    const QRect room = window.screen()->availableGeometry(), frame = window.frameGeometry();
    const auto within = [](int at, int length, int first, int available) {
        return std::max(first, std::min(at, first + available - length));
    };
    const QPoint place(within(frame.x(), frame.width(), room.x(), room.width()),
                       within(frame.y(), frame.height(), room.y(), room.height()));
    if (place != frame.topLeft())
        window.move(place);
}

/// Waits for the frame, which the desktop gives a window after it is shown.
class OntoScreen : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Show)
            QTimer::singleShot(frame_is_there, this,
                               [window = static_cast<QWidget*>(watched)] { move_onto_screen(*window); });
        return false;
    }
};

}  // namespace

void keep_on_screen(QWidget& window) {
    window.resize(window.size().boundedTo(window.screen()->availableSize() - frame_and_title));
    window.installEventFilter(new OntoScreen(&window));
}

}  // namespace headlight
