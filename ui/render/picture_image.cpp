#include "ui/render/picture_image.h"

#include "core/io/files.h"
#include "core/io/foreign_file.h"
#include "core/tensor/error.h"
#include "ui/render/png_chunks.h"

#include <QBuffer>
#include <QImageReader>
#include <QLoggingCategory>
#include <QPainter>

#include <algorithm>

namespace headlight {
namespace {

constexpr auto most_across = static_cast<int>(most_pixels_across);
constexpr std::size_t largest_image_file = std::size_t(64) << 20;
constexpr qint64 most_picture_pixels = 100'000'000;
constexpr int most_megabytes = 512;  // so many pixels, decoded
constexpr const char* whole_file = "an image file that is whole";

QSize size_of_picture(QSize size) {
    if (size.width() <= most_across && size.height() <= most_across)
        return size;
    return size.scaled(most_across, most_across, Qt::KeepAspectRatio).expandedTo(QSize(1, 1));
}

std::string size_text(QSize size) {
    return std::to_string(size.width()) + " × " + std::to_string(size.height()) + " pixels";
}

}  // namespace

QImage to_image(const Picture& picture) {
    const QImage bytes(picture.rgb.data(), static_cast<int>(picture.width), static_cast<int>(picture.height),
                       3 * picture.width, QImage::Format_RGB888);
    return bytes.convertToFormat(QImage::Format_RGB32);
}

Picture to_picture(const QImage& image) {
    if (image.isNull())
        throw Error({"read image", "", "at least one pixel", "none"});
    const QImage small =
        image.size() == size_of_picture(image.size())
            ? image
            : image.scaled(size_of_picture(image.size()), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    QImage opaque(small.size(), QImage::Format_RGB32);
    opaque.fill(Qt::white);
    QPainter(&opaque).drawImage(QRect(QPoint(), small.size()), small);
    Picture picture{opaque.width(), opaque.height(), {}};
    picture.rgb.reserve(static_cast<std::size_t>(3 * picture.width * picture.height));
    for (int row = 0; row < opaque.height(); ++row)
        for (int column = 0; column < opaque.width(); ++column) {
            const QRgb pixel = opaque.pixel(column, row);
            for (const int channel : {qRed(pixel), qGreen(pixel), qBlue(pixel)})
                picture.rgb.push_back(static_cast<std::uint8_t>(channel));
        }
    return picture;
}

QStringList picture_extensions() {
    QStringList extensions;
    const auto readable = QImageReader::supportedImageFormats();
    for (const char* format : {"png", "jpg", "jpeg", "bmp", "gif", "webp"})
        if (readable.contains(format))
            extensions << QLatin1Char('.') + QLatin1String(format);
    return extensions;
}

bool is_picture_name(const std::filesystem::path& path) {
    return picture_extensions().contains(QString::fromStdString(extension_of(path)));
}

Picture parse_picture(const QByteArray& bytes) {
    // The decoders' own remarks on a damaged file: our refusal says the same, once.
    [[maybe_unused]] static const bool is_quiet =
        (QLoggingCategory::setFilterRules(QStringLiteral("qt.gui.imageio*=false")), true);
    QBuffer buffer;
    buffer.setData(bytes);
    QImageReader::setAllocationLimit(most_megabytes);
    QImageReader reader(&buffer);
    reader.setDecideFormatFromContent(true);
    reader.setAutoTransform(true);
    if (!reader.canRead())
        throw Error({"read image", "",
                     "an image: " + picture_extensions().join(QStringLiteral(", ")).toStdString(),
                     bytes.isEmpty() ? "an empty file" : "other bytes"});
    if (reader.format() == "png" && !is_whole_png(bytes))
        throw Error({"read image", "", whole_file, "a damaged PNG"});
    const QSize size = reader.size();
    if (qint64(size.width()) * size.height() > most_picture_pixels)
        throw Error({"read image", "", "at most 100 million pixels", size_text(size)});
    if (size.isValid() && size != size_of_picture(size))
        reader.setScaledSize(size_of_picture(size));
    const QImage image = reader.read();
    if (image.isNull())
        throw Error({"read image", "", whole_file, excerpt(reader.errorString().toStdString())});
    return to_picture(image);
}

Picture read_picture(const std::filesystem::path& path) {
    return unless_foreign(
        "read image", path, path.filename().string(),
        [&] {
            const std::string bytes = read_file(path, largest_image_file);
            return in_file(path.filename().string(), [&] {
                return parse_picture(
                    QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())));
            });
        },
        Pictures::read);
}

}  // namespace headlight
