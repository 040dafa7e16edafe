#pragma once

#include <optional>

namespace headlight {

/// How large a figure is exported, and how its cells are drawn.
struct ExportOptions {
    std::optional<double> width_mm;  ///< else width_px, else the figure's natural size
    std::optional<int> width_px;     ///< PNG pixels; for SVG and PDF, CSS pixels of 1/96 inch
    double dpi = 300;                ///< PNG
    bool vector_cells = false;       ///< SVG and PDF: every cell a rectangle instead of one crisp raster
    bool operator==(const ExportOptions&) const = default;
};

// What a file or a command line may ask for: more would not fit into memory, less is no figure.
inline constexpr double smallest_width_mm = 10, largest_width_mm = 2000;
inline constexpr int smallest_width_px = 50, largest_width_px = 20000;
inline constexpr int smallest_dpi = 30, largest_dpi = 2400;
/// The most pixels of a PNG; 4 bytes each while it is drawn. A sheet of A0 at 300 dots per inch has 140
/// million.
inline constexpr double most_export_pixels = 150e6;

}  // namespace headlight
