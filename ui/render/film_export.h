#pragma once

#include "core/figure/figure.h"

#include <filesystem>
#include <functional>

namespace headlight {

/// The figures of a film, made one after another: all of them at once would be much memory.
struct FilmStrip {
    std::size_t count = 0;
    std::function<Figure(std::size_t number)> figure;
};

/// Asked after each picture with the share that is done, 0 to 1; false gives up.
using FilmProgress = std::function<bool(double share)>;

/// A name that ends in .gif: one animated picture of some ten seconds, whose last frame stays for a moment.
/// One that ends in .png, "film.png": a folder "film" with film-0001.png and on. Every picture has the size
/// of the largest, so that nothing jumps. Nothing is written when it is given up. Throws Error. Returns what
/// was written, a file or a folder; empty when it was given up.
std::filesystem::path export_film(const FilmStrip& film, const std::filesystem::path& path,
                                  const FilmProgress& progress);

/// Of a name that a person typed and the file type that was chosen with it, ".gif" or ".png": the ending of
/// the other type gives way, and another name gets one.
std::filesystem::path film_path(std::filesystem::path name, const std::string& extension);
/// What export_film() writes for a path: the file, or the folder of its pictures.
std::filesystem::path film_place(const std::filesystem::path& path);

}  // namespace headlight
