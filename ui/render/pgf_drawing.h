#pragma once

#include "ui/render/drawn_items.h"

#include <QByteArray>

namespace headlight {

/// What a document, or a file that is read into one, begins with: the macros of pgf_drawing().
QByteArray pgf_macros();

/// The items as one pgfpicture: text in the document's font, images inside as PDF has them. Needs the package
/// pgf with a driver that writes PDF.
QByteArray pgf_drawing(const std::vector<DrawnItem>& items, QSizeF points);

/// At most three decimals, no more zeros than it needs: a length in points, a share.
QByteArray short_number(double number);

}  // namespace headlight
