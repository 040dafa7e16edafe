#pragma once

#include <QDir>
#include <QImage>

#include <algorithm>
#include <cstdlib>

namespace headlight {

struct ImageDifference {
    double changed = 0, mean = 0;  ///< share of the pixels that one sees changed; of 255, of all channels
    QImage picture;                ///< changed pixels in red
};

/// The pictures have one size.
inline ImageDifference image_difference(const QImage& a, const QImage& b) {
    constexpr int visible = 32;  // of a channel: less is another rounding of the same glyph
    ImageDifference difference;
    difference.picture = QImage(a.size(), QImage::Format_RGB32);
    double sum = 0, changed = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            const int channels[] = {std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)),
                                    std::abs(qBlue(p) - qBlue(q))};
            const bool differs = *std::ranges::max_element(channels) > visible;
            sum += channels[0] + channels[1] + channels[2];
            changed += differs;
            difference.picture.setPixel(x, y, differs ? qRgb(255, 0, 0) : p);
        }
    }
    const double pixels = static_cast<double>(a.width()) * a.height();
    difference.changed = changed / pixels;
    difference.mean = sum / (3 * pixels);
    return difference;
}

/// What is not as in tests/golden/images/NAME.png, and where both can be looked at; empty where they agree.
/// With HEADLIGHT_UPDATE_GOLDEN the picture becomes that file.
inline QString unlike_golden(const QImage& drawn, const QString& name) {
    constexpr double most_changed = 0.01, most_in_the_mean = 0.8;  // font rasterisers differ at edges
    const QString file = name + QStringLiteral(".png");
    const QString golden = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/images/") + file;
    if (qEnvironmentVariableIsSet("HEADLIGHT_UPDATE_GOLDEN"))
        return drawn.save(golden, "PNG", 0) ? QString() : golden + QStringLiteral(" cannot be written");
    const QImage expected(golden);
    if (expected.isNull())
        return golden + QStringLiteral(" is missing");
    const QDir folder(QStringLiteral(HEADLIGHT_BINARY_DIR "/golden-failures"));
    const auto keep = [&](const QImage& image, const QString& as) {
        folder.mkpath(QStringLiteral("."));
        image.save(folder.filePath(as));
    };
    if (drawn.size() != expected.size()) {
        keep(drawn, file);
        return QStringLiteral("%1 x %2 pixels, not %3 x %4; see %5")
            .arg(drawn.width())
            .arg(drawn.height())
            .arg(expected.width())
            .arg(expected.height())
            .arg(folder.filePath(file));
    }
    const ImageDifference difference = image_difference(drawn, expected);
    if (difference.changed <= most_changed && difference.mean <= most_in_the_mean)
        return {};
    keep(drawn, file);
    keep(difference.picture, QStringLiteral("difference-") + file);
    return QStringLiteral("%1 % of the pixels differ, by %2 on average; see %3")
        .arg(100 * difference.changed)
        .arg(difference.mean)
        .arg(folder.filePath(file));
}

}  // namespace headlight
