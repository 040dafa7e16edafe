#pragma once

#include "core/figure/figure.h"
#include "core/io/export_options.h"
#include "ui/render/moving_picture.h"

#include <QByteArray>
#include <QSizeF>
#include <QString>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// Names a file format of figures by its extension, without the dot.
class ExportFormat {
public:
    constexpr ExportFormat() = default;  ///< none
    /// `extension` has to outlive every copy: that of a declared exporter does.
    constexpr explicit ExportFormat(std::string_view extension) : extension_(extension) {}
    constexpr std::string_view extension() const { return extension_; }
    bool operator==(const ExportFormat&) const = default;

    // Those that come with the program.
    static const ExportFormat png, svg, pdf, html, tex, pgf, typ, eps, gif, webp, csv, md, npz, fods, py;

private:
    std::string_view extension_;
};

inline constexpr ExportFormat ExportFormat::png{"png"};
inline constexpr ExportFormat ExportFormat::svg{"svg"};
inline constexpr ExportFormat ExportFormat::pdf{"pdf"};
inline constexpr ExportFormat ExportFormat::html{"html"};
inline constexpr ExportFormat ExportFormat::tex{"tex"};
inline constexpr ExportFormat ExportFormat::pgf{"pgf"};
inline constexpr ExportFormat ExportFormat::typ{"typ"};
inline constexpr ExportFormat ExportFormat::eps{"eps"};
inline constexpr ExportFormat ExportFormat::gif{"gif"};
inline constexpr ExportFormat ExportFormat::webp{"webp"};
inline constexpr ExportFormat ExportFormat::csv{"csv"};
inline constexpr ExportFormat ExportFormat::md{"md"};
inline constexpr ExportFormat ExportFormat::npz{"npz"};
inline constexpr ExportFormat ExportFormat::fods{"fods"};
inline constexpr ExportFormat ExportFormat::py{"py"};

/// A file format of figures, declared once, in a file of entries/. The endings that `headlight render` and
/// the export dialog accept, what the dialog offers for it, and which files open again follow from this.
struct Exporter {
    ExportFormat format;
    int order = 0;               ///< in lists
    std::string title{};         ///< "PDF, for papers"
    std::string about{};         ///< one sentence: what a file of it keeps
    bool is_picture = true;      ///< has a width, a theme and matrices that need room
    bool is_of_pixels = false;   ///< --dpi says how many; else a pixel of the width is one of CSS
    bool is_of_vectors = false;  ///< --vector-cells makes a difference
    bool is_opaque = false;      ///< has a background in any case
    bool needs_session = false;  ///< is written from the session that the figure carries: it must have one
    /// The session inside `bytes`; nothing where they are of another format, or carry none. Not set where
    /// files of this format carry none: they cannot be opened again.
    std::optional<std::string> (*session_in)(const QByteArray& bytes) = nullptr;
    /// The file's bytes; of a picture with a figure whose panels have room in `points`.
    QByteArray (*write)(const Figure& figure, QSizeF points, const ExportOptions& options) = nullptr;
    /// The bytes of a file whose picture moves; not set where those of this format stand still.
    QByteArray (*write_moving)(const MovingPicture& film) = nullptr;
};

/// Every format, by order.
std::span<const Exporter> exporters();
/// The declaration of a format; `format` is one of exporters().
const Exporter& exporter(ExportFormat format);
/// One more format from now on; its extension must be new. For programs and tests that bring formats of their
/// own, at their start: pointers and spans from before are no longer valid, and no other thread may be
/// looking.
void add_exporter(Exporter exporter);

/// By extension, in any case; throws Error that lists the accepted ones.
ExportFormat export_format(const std::filesystem::path& path);

/// ".png, .svg or .pdf": the formats that `is_listed`, all of them unless it is given.
std::string extension_list(bool (*is_listed)(const Exporter&) = nullptr);
/// The same for a file dialog: "*.png *.svg *.pdf".
QString name_patterns(bool (*is_listed)(const Exporter&) = nullptr);
bool carries_session(const Exporter& exporter);
bool may_move(const Exporter& exporter);
/// Whether a file of that name is a figure that can be opened again.
bool may_carry_session(const std::filesystem::path& path);

}  // namespace headlight
