#pragma once

#include "core/figure/view_settings.h"

#include <QPalette>
#include <QString>

namespace headlight {

/// How the window looks; figures follow the same FigureTheme with colours of their own.
struct Theme {
    QPalette palette;
    QColor filled;        ///< of sliders and progress bars, up to where they stand
    QString style_sheet;  ///< only what a palette cannot say: banners, tabs, scroll bars, spacing
};

/// `paper` is for exports; as a window theme it is light. `projector` enlarges the picture and the player,
/// not the panels.
Theme window_theme(FigureTheme theme);

/// Style, interface font, palette and style sheet for the whole program.
void apply_theme(FigureTheme theme);

}  // namespace headlight
