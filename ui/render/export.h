#pragma once

#include "core/figure/figure.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <filesystem>
#include <optional>

namespace headlight {

enum class ExportFormat { png, svg, pdf, csv };

struct ExportOptions {
    std::optional<double> width_mm;  ///< else width_px, else the figure's natural size
    std::optional<int> width_px;     ///< PNG pixels; for SVG and PDF, CSS pixels of 1/96 inch
    double dpi = 300;                ///< PNG
    bool vector_cells = false;       ///< SVG and PDF: every cell a rectangle instead of one crisp raster
};

/// By extension; throws Error that lists the accepted ones.
ExportFormat export_format(const std::filesystem::path& path);

/// "85mm", "8.5cm", "3.3in", "1200px"; throws Error.
ExportOptions parse_width(const QString& text, ExportOptions options = {});

QImage render_image(const Figure& figure, const ExportOptions& options);

/// The file's bytes. PNG carries figure.session as the text chunk "headlight-session", SVG and PDF in their
/// metadata.
QByteArray export_figure(const Figure& figure, ExportFormat format, const ExportOptions& options);

/// The same, written atomically.
void export_to_file(const Figure& figure, const std::filesystem::path& path, const ExportOptions& options);

/// The session inside an exported PNG, SVG or PDF; nothing when there is none.
std::optional<std::string> embedded_session(const QByteArray& bytes);

}  // namespace headlight
