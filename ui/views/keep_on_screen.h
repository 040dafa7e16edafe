#pragma once

class QWidget;

namespace headlight {

/// Makes a window small enough for its screen, and once it is shown moves what lies beyond an edge, its title
/// above all, back onto it. For windows whose size was chosen or kept elsewhere.
void keep_on_screen(QWidget& window);

}  // namespace headlight
