#include "ui/views/keep_on_screen.h"

#include <QApplication>
#include <QEvent>
#include <QScreen>
#include <QTimer>
#include <QWidget>
#include <QWindow>

#include <algorithm>

namespace headlight {
namespace {

constexpr int looks_when_framed = 5;
constexpr QSize frame_and_title{8, 40};  // what a desktop's frame and title take, before it says so

/// As the desktop has it: a widget hears of a frame only when it is moved or resized afterwards.
void move_onto_screen(QWidget& window) {
    QWindow* handle = window.windowHandle();
    if (!handle || window.isMaximized() || window.isFullScreen())
        return;
    const QRect room = window.screen()->availableGeometry(), frame = handle->frameGeometry();
    const auto within = [](int at, int length, int first, int available) {
        return std::max(first, std::min(at, first + available - length));
    };
    const QPoint place(within(frame.x(), frame.width(), room.x(), room.width()),
                       within(frame.y(), frame.height(), room.y(), room.height()));
    if (place != frame.topLeft())
        handle->setFramePosition(place);
}

/// The desktop gives a window its frame after it is shown, on a busy machine long after, and says somewhat
/// later where it stands with it.
void move_once_framed(QWidget& window, int looks = 20) {
    constexpr int pause = 100;  // ms
    QTimer::singleShot(pause, &window, [&window, looks] {
        move_onto_screen(window);
        const bool is_framed = window.windowHandle() && !window.windowHandle()->frameMargins().isNull();
        const int left = is_framed ? std::min(looks, looks_when_framed) : looks;
        if (left > 1 && window.isVisible())
            move_once_framed(window, left - 1);
    });
}

void shrink_to_screen(QWidget& window) {
    if (!window.isMaximized() && !window.isFullScreen())
        window.resize(window.size().boundedTo(largest_size(*window.screen())));
}

/// A floating panel is none: it goes where it is dragged.
bool is_whole_window(const QWidget& widget) {
    return widget.isWindow() && (widget.windowType() == Qt::Window || widget.windowType() == Qt::Dialog ||
                                 widget.windowType() == Qt::Sheet);
}

/// Hears of every window, as the dialogs of a dialog belong to the window as well.
class OntoScreen : public QObject {
public:
    explicit OntoScreen(QWidget& window) : QObject(&window), window_(window) {
        qApp->installEventFilter(this);
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Show || event->spontaneous() || !watched->isWidgetType())
            return false;
        auto& shown = static_cast<QWidget&>(*watched);
        if (!is_whole_window(shown) || !belongs(shown))
            return false;
        if (&shown != &window_)  // whose size is its own: it was made to fit when it was restored
            shrink_to_screen(shown);
        move_once_framed(shown);
        return false;
    }

private:
    bool belongs(const QWidget& shown) const {
        const QWidget* owner = &shown;
        while (owner && owner != &window_)
            owner = owner->parentWidget();
        return owner != nullptr;
    }

    QWidget& window_;
};

}  // namespace

QSize largest_size(const QScreen& screen) { return screen.availableSize() - frame_and_title; }

void keep_on_screen(QWidget& window) {
    shrink_to_screen(window);
    new OntoScreen(window);
}

}  // namespace headlight
