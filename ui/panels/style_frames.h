#pragma once

#include "ui/panels/theme.h"
#include "ui/views/role.h"

#include <QMargins>

class QPainter;
class QRect;

namespace headlight {

/// A ground with round corners and a line around it; an invalid colour leaves it out.
void paint_ground(QPainter& painter, const QRect& rect, double radius, const QColor& ground,
                  const QColor& line);

/// The frame around what has the keys: dark on light or light on dark, with a line in the ground's colour
/// inside, so that it is seen on every ground.
void paint_focus(QPainter& painter, const QRect& rect, double radius, const QPalette& palette);

/// A dashed edge, in place of that of what cannot be used, where a theme has no paler colour to say so.
void paint_dashed_edge(QPainter& painter, const QRect& rect, const QColor& edge);

/// Whether frames of this role are painted by paint_frame().
bool has_frame(Role role);
/// From the edge of such a frame to what is in it.
QMargins frame_margins(Role role);
void paint_frame(QPainter& painter, const QRect& rect, Role role, const Theme& theme);

}  // namespace headlight
