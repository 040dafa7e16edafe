#pragma once

#include <QImage>
#include <QSizeF>

namespace headlight {

/// `image` with every pixel repeated so often that a viewer which smooths images can blur its cells by a
/// fraction only, for a picture that is `points` large. Repeated pixels cost almost nothing once compressed.
QImage crisp_image(const QImage& image, QSizeF points);

}  // namespace headlight
