#pragma once

#include "core/image/picture.h"

#include <QImage>
#include <QStringList>

#include <filesystem>

namespace headlight {

QImage to_image(const Picture& picture);

/// The image as small as a picture may be, what is transparent on white. Throws Error for one without a
/// pixel.
Picture to_picture(const QImage& image);

/// The extensions of the image files that are read, as ".png", in lower case.
QStringList picture_extensions();
bool is_picture_name(const std::filesystem::path& path);

/// An image file, turned as its camera says (EXIF), whatever its name ends in. Nothing larger than needed is
/// decoded where the format allows it. Throws Error for what is no image, or one that is too large.
Picture parse_picture(const QByteArray& bytes);
Picture read_picture(const std::filesystem::path& path);

/// A house between two trees under the sun: an image for who has none at hand.
Picture example_picture();

}  // namespace headlight
