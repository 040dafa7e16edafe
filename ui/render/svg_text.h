#pragma once

#include <QByteArray>
#include <QString>

namespace headlight {

/// What a stand-alone SVG needs beyond what QSvgGenerator writes.
struct SvgExtras {
    double width_mm = 0, height_mm = 0;
    QString session;  ///< put into <metadata>; nothing if empty
};

/// `svg` from QSvgGenerator with the exact size, the used glyphs of its fonts, cells that stay crisp when
/// enlarged, and the session.
QByteArray finish_svg(const QByteArray& svg, const SvgExtras& extras);

}  // namespace headlight
