#pragma once

#include <QPainter>
#include <QString>

namespace headlight {

/// Draws `text` with the painter's font, its glyphs that fonts have in colour (emoji) as images: QPdfWriter
/// draws nothing of them, and leaves their font so that nobody else can draw them either. False, with nothing
/// drawn, where it has none.
bool paint_colour_glyphs(QPainter& painter, QPointF baseline, const QString& text);

}  // namespace headlight
