#pragma once

#include <QPainter>
#include <QString>

namespace headlight {

/// Draws `text` with the painter's font so that every sign is found again in the text of a PDF. A font may
/// take another glyph for a sign for the sake of its neighbours, as Inter raises the colon of "8:00" and the
/// minus of "−5"; such a glyph stands for no character, and QPdfWriter writes none. Drawn alone the sign
/// keeps its own. False, with nothing drawn, where no sign has another glyph.
bool paint_signs_apart(QPainter& painter, QPointF baseline, const QString& text);

}  // namespace headlight
