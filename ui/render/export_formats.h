#pragma once

#include "ui/render/paint_context.h"

#include <QByteArray>

namespace headlight {

/// One file format each; sizes in points. All carry the figure's title, description and session.
QByteArray write_png(const QImage& image, const Figure& figure);
QByteArray write_svg(const Figure& figure, QSizeF points, CellDrawing cells);
QByteArray write_pdf(const Figure& figure, QSizeF points, CellDrawing cells);

/// Where the formats keep the session.
constexpr char png_session_key[] = "headlight-session";
constexpr char xml_session_tag[] = "headlight:session";
constexpr char xml_session_namespace[] = "urn:headlight:session";

}  // namespace headlight
