#include "ui/render/crisp_image.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double dots_per_point = 600.0 / 72;  // finer than print shows
constexpr double most_crisp_pixels = 1.5e6;    // keeps compressing them quick

}  // namespace

QImage crisp_image(const QImage& image, QSizeF points) {
    if (image.isNull())
        return image;
    const double pixels = static_cast<double>(image.width()) * image.height();
    const double useful = std::min(points.width() * dots_per_point / image.width(),
                                   points.height() * dots_per_point / image.height());
    const int times =
        static_cast<int>(std::clamp(std::min(useful, std::sqrt(most_crisp_pixels / pixels)), 1.0, 32.0));
    return times == 1 ? image
                      : image.scaled(image.size() * times, Qt::IgnoreAspectRatio, Qt::FastTransformation);
}

}  // namespace headlight
