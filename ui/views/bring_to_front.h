#pragma once

#include <QWidget>

namespace headlight {

/// Shows a window, also one that others lie over, and gives it the keyboard.
inline void bring_to_front(QWidget& window) {
    window.show();
    window.raise();
    window.activateWindow();
}

}  // namespace headlight
