#pragma once

#include "core/figure/view_settings.h"

#include <QColor>
#include <QFont>
#include <QPalette>

namespace headlight {

/// How the window looks; figures follow the same FigureTheme with colours of their own.
struct Theme {
    QPalette palette;
    // What a palette has no role for:
    QColor problem, notice;  ///< grounds of messages
    QColor faint;            ///< ground of what is on
    QColor thumb;            ///< of scroll bars; sliders and progress bars up to where they stand
    QColor edge;             ///< of buttons, lists and menus; invalid where Fusion's own is enough
    QColor field_edge;       ///< of what is typed in or chosen from
};

/// `paper` is for exports; as a window theme it is light.
Theme window_theme(FigureTheme theme);

/// Style, interface font and palette for the whole program. Makes no widgets, and moves none.
void apply_theme(FigureTheme theme);

/// Returns the font of menus and panels, in every theme.
QFont interface_font();

/// Returns the font of what a class reads: the picture, the player, messages and lessons. Larger on the
/// projector, elsewhere that of the window. For whole containers, as their children follow them.
QFont picture_font(FigureTheme theme);

/// What a bar beside it has: on the projector smaller than the picture's, and larger than the interface's.
QFont bar_font(FigureTheme theme);

}  // namespace headlight
