#include "ui/render/cell_image.h"

#include "core/figure/colour_vision.h"
#include "core/figure/panel_numbers.h"
#include "ui/render/contrast.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

/// Where every colour is to stand out from black, the middle of a diverging map stays white.
std::span<const Rgb, 256> table_for(const ColourMap& map, const FigureStyle& style) {
    return style.is_on_dark() && style.least_cell_contrast == 0 ? map.on_dark : map.table;
}

}  // namespace

std::array<Rgb, 256> shown_colours(std::string_view map, const FigureStyle& style) {
    const ColourMap& published = colour_map(map);
    const std::span<const Rgb, 256> table = table_for(published, style);
    std::array<Rgb, 256> shown{};
    std::ranges::copy(table, shown.begin());
    const Rgb grounds[] = {rgb_of(style.background), rgb_of(style.forbidden)};
    const auto stands_out = [&](Rgb colour) {
        return std::ranges::all_of(
            grounds, [&](Rgb ground) { return contrast(colour, ground) >= style.least_cell_contrast; });
    };
    std::size_t first = 0, last = shown.size() - 1;
    while (first < last && !stands_out(shown[first]))
        ++first;
    while (last > first && !stands_out(shown[last]))
        --last;
    if (published.diverging) {  // equally far on both sides of zero
        first = std::max(first, shown.size() - 1 - last);
        last = shown.size() - 1 - first;
    }
    if (first >= last || last - first + 1 == shown.size())
        return shown;
    for (std::size_t entry = 0; entry < shown.size(); ++entry) {
        const double along = static_cast<double>(entry) / static_cast<double>(shown.size() - 1);
        shown[entry] =
            table[first + static_cast<std::size_t>(std::lround(along * static_cast<double>(last - first)))];
    }
    return shown;
}

CellPalette cell_palette(const Panel& panel, const FigureStyle& style) {
    CellPalette palette{};
    const auto table = shown_colours(panel.scale.map, style);
    std::ranges::transform(table, palette.begin(), [](Rgb c) { return qRgb(c.red, c.green, c.blue); });
    palette[CellCodes::forbidden] = style.forbidden.rgb();
    palette[CellCodes::missing] = style.missing.rgb();
    return palette;
}

QColor ink_on(const QColor& cell) {
    constexpr double equal_contrast = 0.179;  // WCAG 2
    return luminance(rgb_of(cell)) > equal_contrast ? Qt::black : Qt::white;
}

QColor quiet_ink_on(const QColor& cell, double least_contrast) {
    const QColor ink = ink_on(cell);
    const auto reads = [&](const QColor& tried) {
        return contrast(rgb_of(tried), rgb_of(cell)) >= least_contrast;
    };
    constexpr double step = 1.0 / 32;
    QColor quiet = ink;
    for (double share = step; share < 1; share += step) {
        const QColor tried = mixed(ink, cell, share);
        if (!reads(tried))
            break;
        quiet = tried;
    }
    return quiet;
}

QColor NumberInks::of(std::uint16_t code, std::string_view number) {
    const bool is_quiet = reads_as_zero(number);
    std::optional<QColor>& known = (is_quiet ? quiet_ : full_)[code];
    if (!known)
        known = is_quiet ? quiet_ink_on(QColor(palette_[code]), least_zero_contrast_)
                         : ink_on(QColor(palette_[code]));
    return *known;
}

QImage true_colour_image(const CellCodes& cells, const CellPalette& palette) {
    QImage image(static_cast<int>(cells.columns), static_cast<int>(cells.rows), QImage::Format_RGB32);
    write_colours(cells, palette, reinterpret_cast<QRgb*>(image.bits()));
    return image;
}

QImage true_colour_image(const CellCodes& cells, const CellPalette& palette, std::vector<QRgb>& pixels) {
    pixels.resize(cells.codes.size());
    write_colours(cells, palette, pixels.data());
    return {reinterpret_cast<const uchar*>(pixels.data()), static_cast<int>(cells.columns),
            static_cast<int>(cells.rows), static_cast<qsizetype>(cells.columns * 4), QImage::Format_RGB32};
}

QImage palette_image(const CellCodes& cells, const CellPalette& palette, int steps) {
    std::array<bool, CellCodes::count> used{};
    for (const std::uint16_t code : cells.codes)
        used[stepped(code, steps)] = true;
    if (std::ranges::count(used, true) > 256)
        return palette_image(cells, palette, 128);
    std::array<std::uint8_t, CellCodes::count> index{};
    QList<QRgb> colours;
    for (std::size_t code = 0; code < used.size(); ++code) {
        if (!used[code])
            continue;
        index[code] = static_cast<std::uint8_t>(colours.size());
        colours.append(palette[code]);
    }
    for (std::size_t code = 0; code < index.size(); ++code)
        index[code] = index[stepped(static_cast<std::uint16_t>(code), steps)];
    QImage image(static_cast<int>(cells.columns), static_cast<int>(cells.rows), QImage::Format_Indexed8);
    image.setColorTable(colours);
    for (Index row = 0; row < cells.rows; ++row) {
        auto* out = image.scanLine(static_cast<int>(row));
        const auto* in = cells.codes.data() + row * cells.columns;
        for (Index column = 0; column < cells.columns; ++column)
            out[column] = index[in[column]];
    }
    return image;
}

}  // namespace headlight
