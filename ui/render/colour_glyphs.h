#pragma once

#include <QPainter>
#include <QString>

namespace headlight {

/// Draws, as images, the glyphs of `text` that fonts have in colour (emoji): QPdfWriter writes such text as
/// text and draws nothing. For text that was drawn with the painter's font at `baseline`, or wrapped into
/// `area`.
void paint_colour_glyphs(QPainter& painter, const QString& text, QPointF baseline);
void paint_colour_glyphs(QPainter& painter, const QString& text, const QRectF& area);

}  // namespace headlight
