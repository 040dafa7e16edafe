#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QSizeF>

#include <string>
#include <vector>

namespace headlight {

/// What the libraries that read PDF do for a figure: the functions of the module ui/pdf. It is loaded when
/// the first PDF is written; a program that writes none starts without these libraries and the dozen below
/// them.
struct PdfLibrary {
    /// What QPdfWriter has written, corrected where its interface does not reach: a page of exactly `points`,
    /// the `maps` (Indexed8) as images with a palette in place of their placeholders, and the same bytes for
    /// the same figure.
    QByteArray (*corrected)(const QByteArray& written, QSizeF points, const std::vector<QImage>& maps);

    /// The first page of a PDF, `width` by `height` points large, as encapsulated PostScript (level 3,
    /// DSC 3.0): text with its fonts, the same bytes each time. Throws Error when the library cannot read it.
    std::string (*postscript)(const std::string& pdf, double width, double height);
};

/// Throws Error where the module is missing.
const PdfLibrary& pdf_library();

/// Stands in a PDF for the map of cells of this number until PdfLibrary::corrected puts the map in its place:
/// QPdfWriter has no palettes. No other image of a figure has such a size.
inline QSize placeholder_size(std::size_t number) { return {static_cast<int>(number) + 2, 3}; }

}  // namespace headlight

/// What the module offers, under a name that a linker reads in C.
extern "C" const headlight::PdfLibrary* headlight_pdf_library();
