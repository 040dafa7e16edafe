#pragma once

#include "core/figure/figure.h"

#include <QSize>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace headlight {

/// The figures of a film, made one after another: all of them at once would be much memory.
struct FilmStrip {
    std::size_t count = 0;
    std::function<Figure(std::size_t number)> figure;
};

/// Asked after each picture with the share that is done, 0 to 1; false gives up.
using FilmProgress = std::function<bool(double share)>;

/// How a film is written.
struct FilmOptions {
    std::optional<int> width = {};  ///< in pixels; as is comfortable to read if absent
    /// How long a GIF takes from its first frame to its last; some ten, as far as frames can be told apart,
    /// if absent.
    std::optional<double> seconds = {};
    bool shows_loss = false;  ///< beside the maps, for whoever makes the figures
    bool operator==(const FilmOptions&) const = default;
};
/// Dots to the inch of a film that nobody set a size for: 1.5 pixels to a point, for screens.
inline constexpr double film_dpi = 108;
inline constexpr int least_film_width = 160, largest_film_width = 4000;
inline constexpr double least_film_seconds = 1, longest_film_seconds = 600;

/// A way to keep a film, and what the name of such a film ends in.
struct FilmFormat {
    const char* extension;  ///< ".gif"
    const char* title;      ///< what a file dialog says of it
    bool is_folder;         ///< "film.png" is a folder "film" with film-0001.png and on
    /// False when it was given up; then nothing is written.
    bool (*write)(const FilmStrip& film, const std::filesystem::path& place, const FilmProgress& progress,
                  const FilmOptions& options);
};

/// One animated picture of some ten seconds, whose last frame stays for a moment; numbered pictures.
std::span<const FilmFormat> film_formats();

/// In the format that the name's ending says. Every picture has the size of the largest, so that nothing
/// jumps. Nothing is written when it is given up. Throws Error, also for
/// options outside their bounds. Returns what was written, a file or a folder; empty when it was given up.
std::filesystem::path export_film(const FilmStrip& film, const std::filesystem::path& path,
                                  const FilmProgress& progress, const FilmOptions& options = {});

/// How large its pictures are, in pixels.
QSize film_size(const FilmStrip& film, const FilmOptions& options);

/// Returns a name that a person typed with the extension of the format that was chosen with it: the ending of
/// another format gives way, and another name gets one.
std::filesystem::path film_path(std::filesystem::path name, const std::string& extension);
/// What export_film() writes for a path: the file, or the folder of its pictures.
std::filesystem::path film_place(const std::filesystem::path& path);

}  // namespace headlight
