#include "ui/panels/export_order.h"

#include "core/analysis/displayed_weights.h"
#include "core/figure/build_figure.h"
#include "core/figure/view.h"
#include "core/io/all_maps.h"
#include "core/tensor/memory.h"
#include "ui/models/run_figure.h"
#include "ui/render/painter.h"
#include "ui/render/side_file.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

struct ExportOrderWords {
    Q_DECLARE_TR_FUNCTIONS(ExportOrderWords)
};

constexpr double millimetres_per_inch = 25.4;
constexpr double least_preview_dpi = 20, most_fitted_dpi = 400;
constexpr double most_preview_px = 6000;  // of the width; what is wider is drawn coarser

/// As much of a text as the preview has room for; of what is none, how much there is.
QString beginning_of(const QByteArray& written) {
    constexpr qsizetype lines = 16, columns = 64;
    if (written.contains('\0'))
        return ExportOrderWords::tr("%1 for programs")
            .arg(QString::fromStdString(memory_text(static_cast<double>(written.size()))));
    QStringList shown;
    for (const QString& line :
         QString::fromUtf8(written).remove(QChar('\r')).split(QChar('\n')).mid(0, lines))
        shown << (line.size() > columns ? line.left(columns) + QChar(0x2026) : line);
    return shown.join(QChar('\n'));
}

/// How many there are, a line for each kind: "decoder: [2, 4, 7, 7]".
QString extents_in_words(const std::vector<LabelledMaps>& maps) {
    QStringList lines{ExportOrderWords::tr("[layer, head, query, key]")};
    for (const LabelledMaps& kind : maps) {
        const auto& [layers, heads, queries, keys] = kind.maps->extents();
        lines << QString::fromStdString((kind.name.empty() ? "" : kind.name + ": ") +
                                        to_string(Shape{layers, heads, queries, keys}));
    }
    return lines.join(QChar('\n'));
}

}  // namespace

double inches_of(const ExportOptions& size) {
    return size.width_mm ? *size.width_mm / millimetres_per_inch : *size.width_px / size.dpi;
}

double millimetres_of(const ExportOptions& size) { return inches_of(size) * millimetres_per_inch; }

std::shared_ptr<const Figure> ExportOrder::figure() const {
    if (catalogue)
        return std::make_shared<const Figure>(catalogue->build(mechanisms(), theme));
    return build_exported_figure(*run, *shown, view, theme, options);
}

std::vector<LabelledMaps> ExportOrder::maps() const {
    return seen_maps(run->trace, run->untouched, view_settings(*shown));
}

void ExportOrder::require_name(const std::filesystem::path& path) const {
    if (all_maps)
        require_name_for_all_maps(path);
    else
        require_format(export_format(path));
}

void ExportOrder::require_format(ExportFormat format) const {
    if (catalogue && exporter(format).needs_session)
        throw Error({"export the figure", "", "a picture of the catalogue, or its numbers",
                     '.' + std::string(format.extension()) + ", which is written from a run"});
}

void ExportOrder::save(const std::filesystem::path& path) const {
    if (!all_maps)
        return export_to_file(*figure(), path, options);
    save_all_maps(maps(), path);
    write_side_file({}, path);
}

QString ExportOrder::text_preview(ExportFormat format, const std::filesystem::path& path) const {
    if (!all_maps) {
        require_format(format);
        return beginning_of(export_figure(*figure(), format, options));
    }
    require_name(path);
    return extents_in_words(maps());
}

PicturePreview picture_preview(const ExportOrder& order, ExportFormat format, const PreviewRoom& room) {
    const double inches = inches_of(order.options);
    const double most_dpi =
        room.width ? std::max(most_preview_px / inches, least_preview_dpi) : most_fitted_dpi;
    ExportOptions small = order.options;
    small.width_mm = millimetres_of(order.options);
    small.width_px.reset();
    small.dpi = std::clamp((room.width ? *room.width * room.scale : room.pixels.width()) / inches,
                           least_preview_dpi, most_dpi);
    Figure figure = *order.figure();
    figure.transparent = false;  // as on a page of its theme: the window behind may be as dark as the letters
    QImage image = render_image(figure, small);
    const double proportion = double(image.height()) / image.width();
    if (!room.width && (image.width() > room.pixels.width() || image.height() > room.pixels.height()))
        image = image.scaled(room.pixels, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    image = seen_with(room.vision, std::move(image));
    image.setDevicePixelRatio(room.width ? image.width() / *room.width : room.scale);
    return {image, proportion, least_contrast(figure, room.vision), given_way(figure, order.options),
            QString::fromStdString(missing_room(figure, format, order.options))};
}

}  // namespace headlight
