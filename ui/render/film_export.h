#pragma once

#include "core/figure/figure.h"

#include <filesystem>
#include <functional>
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

/// A way to keep a film, and what the name of such a film ends in.
struct FilmFormat {
    const char* extension;  ///< ".gif"
    const char* title;      ///< what a file dialog says of it
    bool is_folder;         ///< "film.png" is a folder "film" with film-0001.png and on
    /// False when it was given up; then nothing is written.
    bool (*write)(const FilmStrip& film, const std::filesystem::path& place, const FilmProgress& progress);
};

/// One animated picture of some ten seconds, whose last frame stays for a moment; numbered pictures.
std::span<const FilmFormat> film_formats();

/// In the format that the name's ending says. Every picture has the size of the largest, so that nothing
/// jumps. Nothing is written when it is given up. Throws Error. Returns what was written, a file or a folder;
/// empty when it was given up.
std::filesystem::path export_film(const FilmStrip& film, const std::filesystem::path& path,
                                  const FilmProgress& progress);

/// Of a name that a person typed and the extension of the format that was chosen with it: the ending of
/// another format gives way, and another name gets one.
std::filesystem::path film_path(std::filesystem::path name, const std::string& extension);
/// What export_film() writes for a path: the file, or the folder of its pictures.
std::filesystem::path film_place(const std::filesystem::path& path);

}  // namespace headlight
