#include "ui/render/film_export.h"

#include "core/io/files.h"
#include "core/io/folders.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"
#include "ui/render/export_formats.h"
#include "ui/render/gif_writer.h"
#include "ui/render/painter.h"
#include "ui/render/webp_writer.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double usual_pixels_per_point = film_dpi / 72;
constexpr double widest_points = 900;
constexpr double film_margin = 6;   ///< around the figure, in points: a film has no page
constexpr int longest_side = 4000;  ///< in pixels
constexpr double shortest_frame = 20,
                 longest_frame = 10'000;  ///< in milliseconds; viewers slow down shorter ones

/// The size of the largest of them and of the margin, in points.
QSizeF common_size(const FilmStrip& film) {
    QSizeF size;
    for (std::size_t i = 0; i < film.count; ++i)
        size.setWidth(std::max(size.width(), natural_size(film.figure(i)).width()));
    size.setWidth(std::min(size.width(), widest_points));
    for (std::size_t i = 0; i < film.count; ++i)
        size.setHeight(std::max(size.height(), natural_height(film.figure(i), size.width())));
    return size + QSizeF(2 * film_margin, 2 * film_margin);
}

/// The pictures of a film: how large they are, and how many pixels a typographic point has.
struct FilmScale {
    QSize pixels;
    double unit = usual_pixels_per_point;
};

FilmScale scale_of(const FilmStrip& film, const FilmOptions& options) {
    const QSizeF points = common_size(film);
    FilmScale scale;
    if (options.width)
        scale.unit = *options.width / points.width();
    scale.pixels = QSize(static_cast<int>(std::lround(points.width() * scale.unit)),
                         static_cast<int>(std::lround(points.height() * scale.unit)))
                       .boundedTo(QSize(longest_side, longest_side));
    return scale;
}

void require_bounds(const FilmOptions& options) {
    if (options.width && (*options.width < least_film_width || *options.width > largest_film_width))
        throw Error(
            {"export a film", "width",
             std::to_string(least_film_width) + " to " + std::to_string(largest_film_width) + " pixels",
             std::to_string(*options.width)});
    if (options.seconds &&
        !(*options.seconds >= least_film_seconds && *options.seconds <= longest_film_seconds))
        throw Error({"export a film", "seconds", "1 to 600", std::to_string(*options.seconds)});
}

QImage drawn(const Figure& figure, const FilmScale& scale) {
    const QSize size = scale.pixels;
    QImage image(size, QImage::Format_RGB32);
    if (image.isNull())
        throw Error({"draw a film", "", "a size that fits into memory",
                     std::to_string(size.width()) + " x " + std::to_string(size.height()) + " pixels"});
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const double around = film_margin * scale.unit;
    const QRectF area = QRectF(QPointF(), size).adjusted(around, around, -around, -around);
    paint_figure(painter, figure, layout_figure(figure, area, scale.unit), scale.unit);
    return image;
}

int milliseconds_of_a_frame(std::size_t count, std::optional<double> seconds) {
    constexpr double usual_seconds = 10, usual_shortest = 40, usual_longest = 500;
    const double frame = 1000 * seconds.value_or(usual_seconds) / static_cast<double>(count);
    return static_cast<int>(seconds ? std::clamp<double>(frame, shortest_frame, longest_frame)
                                    : std::clamp(frame, usual_shortest, usual_longest));
}

/// With a GifWriter or a WebpWriter.
template <class Writer>
bool write_moving(const FilmStrip& film, const std::filesystem::path& path, const FilmProgress& progress,
                  const FilmOptions& options) {
    constexpr int last_frame = 2000;
    const FilmScale scale = scale_of(film, options);
    Writer writer(scale.pixels);
    for (std::size_t i = 0; i < film.count; ++i) {
        const bool is_last = i + 1 == film.count;
        writer.add(drawn(film.figure(i), scale),
                   is_last ? last_frame : milliseconds_of_a_frame(film.count, options.seconds));
        if (!progress(static_cast<double>(i + 1) / static_cast<double>(film.count)))
            return false;
    }
    const QByteArray bytes = writer.finish();
    write_file_atomically(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    return true;
}

/// "film-0001.png"
std::string frame_name(const std::string& stem, std::size_t number) {
    const std::string digits = std::to_string(number);
    return stem + '-' + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits + ".png";
}

/// The pictures of an older film in the folder. Throws Error for anything else: it would be lost.
std::vector<std::string> older_frames(const std::filesystem::path& folder, const std::string& stem) {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(stem + '-') || !name.ends_with(".png"))
            throw Error({"export a film", folder.string(),
                         "a new folder, or one of nothing but " + frame_name(stem, 1) + " and on",
                         "one with \"" + excerpt(name) + '"'});
        names.push_back(name);
    }
    return names;
}

bool write_frames(const FilmStrip& film, const std::filesystem::path& folder, const FilmProgress& progress,
                  const FilmOptions& options) {
    const std::string stem = folder.filename().string();
    const std::vector<std::string> older = older_frames(folder, stem);
    require_replaceable(folder, older);
    const FilmScale scale = scale_of(film, options);
    std::vector<FolderFile> files;
    for (std::size_t i = 0; i < film.count; ++i) {
        const Figure figure = film.figure(i);
        files.push_back({frame_name(stem, i + 1), write_png(drawn(figure, scale), figure).toStdString()});
        if (!progress(static_cast<double>(i + 1) / static_cast<double>(film.count)))
            return false;
    }
    write_folder_atomically(folder, files, older);
    return true;
}

constexpr FilmFormat formats[] = {{".gif", "Animated picture", false, write_moving<GifWriter>},
                                  {".webp", "Animated picture, smaller", false, write_moving<WebpWriter>},
                                  {".png", "Numbered pictures in a folder", true, write_frames}};

/// Null where the name ends in none of them.
const FilmFormat* format_of(const std::filesystem::path& path) {
    const auto* const found = std::ranges::find(formats, extension_of(path), &FilmFormat::extension);
    return found == std::end(formats) ? nullptr : found;
}

/// ".gif, .webp or .png"
std::string extensions() {
    std::vector<std::string> list;
    for (const FilmFormat& format : formats)
        list.emplace_back(format.extension);
    return list_in_words(list, "or");
}

}  // namespace

std::span<const FilmFormat> film_formats() { return formats; }

std::filesystem::path export_film(const FilmStrip& film, const std::filesystem::path& path,
                                  const FilmProgress& progress, const FilmOptions& options) {
    require_bounds(options);
    const FilmFormat* const format = format_of(path);
    const std::string extension = extension_of(path);
    if (!format)
        throw Error({"export a film", path.string(), "a name that ends in " + extensions(),
                     extension.empty() ? "no extension" : extension});
    if (film.count == 0)
        throw Error({"export a film", path.string(), "a film with at least one frame", "none"});
    const std::filesystem::path place = film_place(path);
    return format->write(film, place, progress, options) ? place : std::filesystem::path();
}

QSize film_size(const FilmStrip& film, const FilmOptions& options) { return scale_of(film, options).pixels; }

std::filesystem::path film_path(std::filesystem::path name, const std::string& extension) {
    if (const FilmFormat* const given = format_of(name))
        return given->extension == extension ? name : name.replace_extension(extension);
    return name += extension;
}

std::filesystem::path film_place(const std::filesystem::path& path) {
    const FilmFormat* const format = format_of(path);
    return format && format->is_folder ? path.parent_path() / path.stem() : path;
}

}  // namespace headlight
