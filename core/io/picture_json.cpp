#include "core/io/picture_json.h"

#include "core/tensor/error.h"

#include <array>

namespace headlight {

using nlohmann::json;

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t digits_per_pixel = 4;  // three bytes: there is never anything to pad

/// The value of each character, or -1.
constexpr std::array<std::int8_t, 256> digit_values = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < base64_digits.size(); ++i)
        values[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::int8_t>(i);
    return values;
}();

std::string pixels_to_text(const std::vector<std::uint8_t>& rgb) {
    std::string text;
    text.reserve(rgb.size() / 3 * digits_per_pixel);
    for (std::size_t at = 0; at + 2 < rgb.size(); at += 3) {
        const std::uint32_t bits =
            std::uint32_t(rgb[at]) << 16 | std::uint32_t(rgb[at + 1]) << 8 | rgb[at + 2];
        for (const int shift : {18, 12, 6, 0})
            text += base64_digits[bits >> shift & 63];
    }
    return text;
}

/// The number of characters is right; the position of the first that is none of base64, or text.size().
std::size_t text_to_pixels(std::string_view text, std::vector<std::uint8_t>& rgb) {
    std::uint32_t bits = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::int8_t value = digit_values[static_cast<unsigned char>(text[at])];
        if (value < 0)
            return at;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        if (at % digits_per_pixel == digits_per_pixel - 1)
            for (const int shift : {16, 8, 0})
                rgb.push_back(static_cast<std::uint8_t>(bits >> shift));
    }
    return text.size();
}

}  // namespace

json picture_to_json(const PatchedPicture& image) {
    return {{"columns", image.columns},
            {"width", image.picture->width},
            {"height", image.picture->height},
            {"rgb", pixels_to_text(image.picture->rgb)}};
}

PatchedPicture picture_from_json(JsonObject& object) {
    Picture picture;
    picture.width = object.integer("width", 0, 1, most_pixels_across);
    picture.height = object.integer("height", 0, 1, most_pixels_across);
    if (picture.width == 0 || picture.height == 0)
        object.refuse(picture.width == 0 ? "width" : "height", "a number of pixels", "none");
    const std::string text = object.text("rgb", {});
    const std::size_t expected = static_cast<std::size_t>(picture.width * picture.height) * digits_per_pixel;
    if (text.size() != expected)
        object.refuse("rgb",
                      std::to_string(expected) + " characters of base64 for " +
                          std::to_string(picture.width) + " × " + std::to_string(picture.height) + " pixels",
                      std::to_string(text.size()));
    picture.rgb.reserve(expected / digits_per_pixel * 3);
    if (const std::size_t wrong = text_to_pixels(text, picture.rgb); wrong < text.size())
        object.refuse("rgb", "characters of base64",
                      '"' + excerpt(text.substr(wrong, 1)) + "\" as character " + std::to_string(wrong + 1));
    PatchedPicture image;
    image.columns = object.integer("columns", usual_patch_columns(picture), 1, most_patch_columns(picture));
    image.picture = std::make_shared<const Picture>(std::move(picture));
    return image;
}

}  // namespace headlight
