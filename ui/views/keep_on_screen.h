#pragma once

#include <QSize>

class QScreen;
class QWidget;

namespace headlight {

/// The largest that a window on that screen can be, beside the frame and title that the desktop adds to it.
QSize largest_size(const QScreen& screen);

/// Makes a window small enough for its screen, and once it is shown moves what lies beyond an edge, its title
/// above all, back onto it. Does the same for every window that belongs to it, its dialogs and theirs,
/// whenever one is shown.
void keep_on_screen(QWidget& window);

}  // namespace headlight
