#pragma once

#include "core/figure/figure.h"
#include "core/io/export_options.h"
#include "ui/render/exporter.h"
#include "ui/render/film_export.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <filesystem>
#include <optional>

namespace headlight {

/// "85mm", "8.5cm", "3.3in", "1200px", or one of named_widths(); throws Error.
ExportOptions parse_width(const QString& text, ExportOptions options = {});

/// What a PNG shows, at any width: a preview must show that a figure has no room, too. Like an exported
/// file, it has the panels of a comparison on fewer columns where they have no room side by side.
QImage render_image(const Figure& figure, const ExportOptions& options);

/// A film of one picture, with what the figure carries. The figure outlives it.
MovingPicture still_picture(const Figure& figure, const ExportOptions& options);

/// "at least 119mm, so that its matrices and labels have room", when the figure has none in the width asked
/// for; else empty.
std::string missing_room(const Figure& figure, ExportFormat format, const ExportOptions& options);

/// What gave way to the size asked for: "Not every label has room: rows show one in 2", or that everything
/// is drawn smaller; empty where nothing did.
std::string given_way(const Figure& figure, const ExportOptions& options);

/// "The smallest text has 4.9 points": of a picture in a width in which it is too small to be read in print;
/// else empty.
std::string illegible_text(const Figure& figure, ExportFormat format, const ExportOptions& options);

/// What the caption of the figure says in that file, also where it is drawn without one: of a picture,
/// nothing on what has no room in it; of numbers, nothing on how labels are drawn.
std::string caption_of(const Figure& figure, ExportFormat format, const ExportOptions& options);

/// The file's bytes. Throws Error naming a width that is enough when the figure has no room in the one asked
/// for. PNG carries figure.session as the text chunk "headlight-session", SVG and PDF in their metadata.
QByteArray export_figure(const Figure& figure, ExportFormat format, const ExportOptions& options);
/// The same by an exporter that need not be declared.
QByteArray export_figure(const Figure& figure, const Exporter& exporter, const ExportOptions& options);

/// The same, written atomically. What a format without room for a session carries goes into a side file.
void export_to_file(const Figure& figure, const std::filesystem::path& path, const ExportOptions& options);
/// The same of a figure that is to carry nothing: what is written from its session is, and nothing else is.
void export_stripped(Figure figure, const std::filesystem::path& path, const ExportOptions& options);

/// Figures one after another, each shown for so long, all as large as the largest of them needs; atomically.
/// `carrier` has what the file carries. Throws Error as export_figure() does.
void export_moving(const Figure& carrier, const FilmStrip& film, const std::filesystem::path& path,
                   const ExportOptions& options, int milliseconds);

/// The session inside an exported figure of any format; nothing when there is none.
std::optional<std::string> embedded_session(const QByteArray& bytes);

}  // namespace headlight
