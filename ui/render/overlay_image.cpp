#include "ui/render/overlay_image.h"

#include "ui/render/cell_image.h"
#include "ui/render/picture_image.h"

namespace headlight {
namespace {

/// How much of what is seen is the cell's colour: enough to read it off the colour bar, little enough to see
/// what is in the patch.
constexpr int heat = 165, veil = 190, whole = 256;

int mixed(int over, int under, int share) { return (over * share + under * (whole - share)) / whole; }

}  // namespace

QImage overlay_image(const Panel& panel, const FigureStyle& style, QSize size) {
    const CellCodes cells = cell_codes(panel, panel.rows, panel.columns);
    const CellPalette palette = cell_palette(panel, style);
    QImage image = to_image(*panel.overlay->picture)
                       .scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                       .convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
        const Index row = y * cells.rows / image.height();
        for (int x = 0; x < image.width(); ++x) {
            const std::uint16_t code = cells.at(row, x * cells.columns / image.width());
            const QRgb colour = palette[code];
            const int grey = qGray(pixels[x]), share = code < CellCodes::forbidden ? heat : veil;
            pixels[x] = qRgb(mixed(qRed(colour), grey, share), mixed(qGreen(colour), grey, share),
                             mixed(qBlue(colour), grey, share));
        }
    }
    return image;
}

}  // namespace headlight
