#pragma once

#include <QByteArray>
#include <QImage>
#include <QSizeF>

#include <vector>

namespace headlight {

/// Stands in a PDF for the map of cells of this number until corrected_pdf() puts the map in its place:
/// QPdfWriter has no palettes. No other image of a figure has such a size.
QImage map_placeholder(std::size_t number);

/// What QPdfWriter has written, corrected where its interface does not reach: a page of exactly `points`, the
/// `maps` (Indexed8) as images with a palette in place of their placeholders, and the same bytes for the same
/// figure.
QByteArray corrected_pdf(const QByteArray& written, QSizeF points, const std::vector<QImage>& maps);

}  // namespace headlight
