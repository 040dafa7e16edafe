#include "ui/render/contrast.h"

#include "core/figure/cell_codes.h"
#include "core/figure/panel_numbers.h"
#include "ui/render/cell_image.h"
#include "ui/render/figure_style.h"

#include <QCoreApplication>
#include <QHash>

#include <array>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

struct ContrastWords {
    Q_DECLARE_TR_FUNCTIONS(ContrastWords)
};

Rgb components(QRgb colour) {
    return {static_cast<std::uint8_t>(qRed(colour)), static_cast<std::uint8_t>(qGreen(colour)),
            static_cast<std::uint8_t>(qBlue(colour))};
}

/// Numbers that read as zero have a quieter ink than the others: see paint_values().
void compare_values(const Panel& panel, const FigureStyle& style, ColourVision vision, LabelContrast& least) {
    const CellCodes cells = cell_codes(panel, panel.rows, panel.columns);
    const CellPalette palette = cell_palette(panel, style);
    const double rounded_away = 0.5 * std::pow(10.0, -usual_decimals(panel));
    std::array<std::array<bool, 2>, CellCodes::count> is_known{};  // [code, quiet]
    for (std::size_t at = 0; at < cells.codes.size(); ++at) {
        const std::uint16_t code = cells.codes[at];
        if (code == CellCodes::forbidden || code == CellCodes::missing)
            continue;
        const bool is_quiet = std::abs(panel.values[at]) < rounded_away;
        if (std::exchange(is_known[code][is_quiet], true))
            continue;
        const QColor cell(palette[code]);
        const QRgb ink = (is_quiet ? quiet_ink_on(cell, style.least_zero_contrast) : ink_on(cell)).rgb();
        const double ratio =
            contrast(seen_with(vision, components(ink)), seen_with(vision, components(palette[code])));
        if (ratio < least.ratio)
            least = {QString::number(panel.values[at], 'g', 3), ratio};
    }
}

}  // namespace

Rgb rgb_of(const QColor& colour) { return components(colour.rgb()); }

LabelContrast least_contrast(const Figure& figure, ColourVision vision) {
    const FigureStyle style = figure_style(figure);
    const Rgb ground = seen_with(vision, components(style.background.rgb()));
    LabelContrast least;
    const auto compare = [&](const QString& label, const QColor& colour) {
        if (const double ratio = contrast(seen_with(vision, rgb_of(colour.rgb())), ground);
            ratio < least.ratio)
            least = {label, ratio};
    };
    compare(ContrastWords::tr("titles and tokens"), style.text);
    compare(ContrastWords::tr("subtitles, axes and captions"), style.quiet_text);
    for (const Panel& panel : figure.panels) {
        if (panel.in_focus && (panel.thumbnail || figure.shows_focus))
            compare(QString::fromStdString(panel.title), style.accent);
        const bool has_values = panel.values_in_cells && panel.kind == Panel::Kind::heatmap &&
                                !panel.thumbnail && !panel.large && !panel.overlay;
        if (has_values)
            compare_values(panel, style, vision, least);
    }
    return least;
}

QImage seen_with(ColourVision vision, QImage image) {
    if (vision == ColourVision::usual)
        return image;
    image = image.convertToFormat(QImage::Format_ARGB32);
    QHash<QRgb, QRgb> known;  // a figure has few colours
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            auto at = known.constFind(line[x]);
            if (at == known.constEnd()) {
                const Rgb seen = seen_with(vision, components(line[x]));
                at = known.insert(line[x], qRgba(seen.red, seen.green, seen.blue, qAlpha(line[x])));
            }
            line[x] = *at;
        }
    }
    return image;
}

}  // namespace headlight
