#pragma once

#include "core/io/export_options.h"
#include "ui/render/paint_context.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QSizeF>

#include <optional>
#include <string>

namespace headlight {

/// `image` with the title, description and session of its figure.
QByteArray write_png(const QImage& image, const Figure& figure);

/// Who shows an SVG: a browser leaves pixels as they are where it is told so, others may smooth them.
enum class SvgViewer { any, browser };
QByteArray write_svg(const Figure& figure, QSizeF points, const ExportOptions& options, SvgViewer viewer);

inline CellDrawing drawing_of_cells(const ExportOptions& options) {
    return options.vector_cells ? CellDrawing::rectangles : CellDrawing::one_image;
}

/// Units of an SVG's coordinates to the point: fine enough for type, whose size is a whole number.
inline constexpr double svg_unit = 20;

/// Where the formats keep the session.
constexpr char png_session_key[] = "headlight-session";
constexpr char xml_session_tag[] = "headlight:session";
constexpr char xml_session_namespace[] = "urn:headlight:session";

/// The session in a document in XML; nothing where there is none.
std::optional<std::string> session_in_xml(QByteArrayView bytes);

// What they keep there; nothing where the bytes are of another format.
std::optional<std::string> session_in_png(const QByteArray& bytes);
std::optional<std::string> session_in_svg(const QByteArray& bytes);
std::optional<std::string> session_in_pdf(const QByteArray& bytes);
std::optional<std::string> session_in_html(const QByteArray& bytes);

}  // namespace headlight
