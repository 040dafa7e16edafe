#pragma once

#include "core/figure/catalogue_figures.h"
#include "core/map/map_source.h"
#include "ui/models/document.h"
#include "ui/render/contrast.h"
#include "ui/render/export.h"

#include <QImage>
#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// How wide a figure is in print.
double inches_of(const ExportOptions& size);
double millimetres_of(const ExportOptions& size);

/// What an export is to draw, as a job takes it along.
struct ExportOrder {
    std::shared_ptr<const Run> run;  ///< null while there is none
    std::shared_ptr<const Session> shown;
    bool all_maps = false;         ///< in place of a picture
    std::optional<ViewKind> view;  ///< nothing: the panels of `shown`
    FigureTheme theme;
    ExportOptions options;
    const CataloguePicture* catalogue = nullptr;  ///< of all mechanisms, in place of what the run has

    /// A picture of the catalogue needs no run.
    bool can_be_drawn() const { return run || catalogue; }
    bool is_of_panels() const { return !view && !all_maps && !catalogue; }

    /// Throws Error when the run has no such picture.
    std::shared_ptr<const Figure> figure() const;
    /// Throws Error unless a file of that name can have it.
    void require_name(const std::filesystem::path& path) const;
    void save(const std::filesystem::path& path) const;

    /// Returns the beginning of a text, how much there is of what is no text, and the extents of all maps.
    /// Throws Error as figure() and require_name() do.
    QString text_preview(ExportFormat format, const std::filesystem::path& path) const;

private:
    /// Throws Error where a file of that format is written from a session, which the catalogue is not of.
    void require_format(ExportFormat format) const;
    /// Throws Error when the run has none.
    std::vector<LabelledMaps> maps() const;
};

/// Where a picture is shown before it is exported.
struct PreviewRoom {
    QSize pixels;
    double scale = 1;               ///< pixels of the screen on one of the window's
    std::optional<double> width{};  ///< of the window's pixels, at real size; otherwise it fits the room
    ColourVision vision;
};

struct PicturePreview {
    QImage image;
    double proportion = 1;  ///< height by width
    LabelContrast contrast;
    std::string thinned;  ///< what has given way to the width; empty where nothing has
    QString missing;      ///< the room that it lacks; empty where it has enough
};

/// Draws an order at its own proportions and text sizes, with as many pixels as are shown of it. Throws Error
/// as figure() does.
PicturePreview picture_preview(const ExportOrder& order, ExportFormat format, const PreviewRoom& room);

}  // namespace headlight
