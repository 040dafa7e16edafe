#include "ui/render/overlay_image.h"

#include "ui/render/cell_image.h"
#include "ui/render/picture_image.h"

#include <algorithm>

namespace headlight {
namespace {

/// How much lighter or darker the image makes a colour, of what it is lighter or darker than on average:
/// enough to see what is in a patch, little enough to find its colour on the colour bar.
constexpr double detail = 0.36, forbidden_detail = 0.2;

/// The picture's light and dark, from about -128 to 127 with a mean of 0, whatever the contrast of the
/// picture.
class Relief {
public:
    explicit Relief(const QImage& image) {
        int low = 255, high = 0;
        double sum = 0;
        for (int y = 0; y < image.height(); ++y) {
            const auto* pixels = reinterpret_cast<const QRgb*>(image.constScanLine(y));
            for (int x = 0; x < image.width(); ++x) {
                const int grey = qGray(pixels[x]);
                low = std::min(low, grey);
                high = std::max(high, grey);
                sum += grey;
            }
        }
        mean_ = sum / std::max(1.0, double(image.width()) * image.height());
        constexpr int least_contrast = 32;  // a wall stays a wall
        stretch_ = 255.0 / std::max(least_contrast, high - low);
    }

    double operator()(QRgb pixel) const { return stretch_ * (qGray(pixel) - mean_); }

private:
    double mean_ = 0, stretch_ = 1;
};

int lightened(int channel, double by) { return std::clamp(static_cast<int>(channel + by), 0, 255); }

}  // namespace

QImage overlay_image(const Panel& panel, const FigureStyle& style, QSize size) {
    const CellCodes cells = cell_codes(panel, panel.rows, panel.columns);
    const CellPalette palette = cell_palette(panel, style);
    const QImage picture = to_image(*panel.overlay->picture);
    const Relief relief(picture);
    QImage image = picture.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                       .convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
        const Index row = y * cells.rows / image.height();
        for (int x = 0; x < image.width(); ++x) {
            const std::uint16_t code = cells.at(row, x * cells.columns / image.width());
            const QRgb colour = palette[code];
            const double by = relief(pixels[x]) * (code < CellCodes::forbidden ? detail : forbidden_detail);
            pixels[x] = qRgb(lightened(qRed(colour), by), lightened(qGreen(colour), by),
                             lightened(qBlue(colour), by));
        }
    }
    return image;
}

}  // namespace headlight
