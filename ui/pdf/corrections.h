#pragma once

#include <QByteArray>
#include <QImage>
#include <QSizeF>

#include <vector>

namespace headlight {

/// PdfLibrary::corrected
QByteArray corrected_pdf(const QByteArray& written, QSizeF points, const std::vector<QImage>& maps);

}  // namespace headlight
