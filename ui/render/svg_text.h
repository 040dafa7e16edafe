#pragma once

#include "ui/render/paint_context.h"

#include <QByteArray>
#include <QPainter>
#include <QStringList>

namespace headlight {

/// What a stand-alone SVG needs beyond what QSvgGenerator writes.
struct SvgExtras {
    double width_mm = 0, height_mm = 0;
    QString session;  ///< put into <metadata>; nothing if empty
    QString family;   ///< see FigureStyle
};

/// Texts with letters that run from right to left, each one element of the SVG: QSvgGenerator cuts a text
/// where fonts or directions change, and nobody who shows the pieces can know which way a bracket or an
/// exclamation mark among them is to stand.
class WholeTexts {
public:
    /// See PaintOptions::draw_text.
    bool draw(QPainter& painter, const PlacedText& placed);
    /// Puts them where they were drawn in what QSvgGenerator wrote.
    QByteArray put_into(QByteArray svg) const;

private:
    QStringList texts_;
};

/// `svg` from QSvgGenerator with the exact size, the used glyphs of its fonts, cells that stay crisp when
/// enlarged, and the session.
QByteArray finish_svg(const QByteArray& svg, const SvgExtras& extras);

}  // namespace headlight
