#pragma once

#include "ui/views/shown_figure.h"

#include <QStringList>

class QColor;
class QPainter;
class QPalette;
class QString;

namespace headlight {

class TokenSearch;

// What a canvas draws over its figure: nothing of it is exported.

/// Rings around a place and what it is linked to in every matrix on screen, large enough to be seen around
/// the smallest cells.
void paint_place(QPainter& painter, const ShownFigure& shown, const Trace& trace, const CellPlace& place,
                 const QColor& colour);

/// Marks tokens that were found wherever they are on screen: a bar beside the rows and above the columns of
/// every matrix, beside the tokens of lines, a ring around the tokens of a text and the patches of an image.
void paint_found(QPainter& painter, const ShownFigure& shown, const Trace& trace, const std::string& site,
                 const TokenSearch& found, const QColor& colour);

/// The frame around what the keyboard is at.
void paint_ring(QPainter& painter, const QRectF& ring, const QPalette& palette);

/// The frame of a rectangle of cells; of an empty one nothing.
void paint_block(QPainter& painter, const QRectF& block, const QPalette& palette);
/// What it says, line by line, below it, above it, or where there is room in `area`.
void paint_block_words(QPainter& painter, const QRectF& area, const QRectF& block, const QPalette& palette,
                       const QStringList& words);

/// Fades what is shown: it is of another text, or another mechanism, than the one that was asked for last.
void paint_stale(QPainter& painter, const QRectF& area, const QPalette& palette);

/// Which part of a large matrix is on screen, in the corner of `area`.
void paint_zoom(QPainter& painter, const QRectF& area, const QPalette& palette, const Zoom& zoom);

/// What goes on behind the picture, in the corner of `area`.
void paint_remark(QPainter& painter, const QRectF& area, const QPalette& palette, const QString& remark);

/// Why there is no figure, in its place.
void paint_notice(QPainter& painter, const QRect& area, const QPalette& palette, const QString& notice);

}  // namespace headlight
