#include "ui/render/cell_image.h"

#include "core/figure/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

std::uint16_t code(const ColourLookup& lookup, double value) {
    if (std::isnan(value))
        return CellCodes::missing;
    return value == minus_infinity ? CellCodes::forbidden : lookup.entry(value);
}

/// The drawn rows with forbidden cells at minus infinity, so that reducing them needs no second matrix.
std::vector<double> values_with_forbidden(const Panel& panel, std::size_t count) {
    std::vector<double> values(panel.values.begin(), panel.values.begin() + static_cast<Index>(count));
    if (!panel.forbidden.empty())
        for (std::size_t i = 0; i < count; ++i)
            if (panel.forbidden[i])
                values[i] = minus_infinity;
    return values;
}

}  // namespace

Index drawn_rows(const Panel& panel) {
    return panel.newest_row ? std::clamp<Index>(*panel.newest_row + 1, 0, panel.rows) : panel.rows;
}

bool is_forbidden(const Panel& panel, Index row, Index column) {
    const auto i = static_cast<std::size_t>(row * panel.columns + column);
    return (!panel.forbidden.empty() && panel.forbidden[i]) || panel.values[i] == minus_infinity;
}

CellCodes cell_codes(const Panel& panel, Index most_rows, Index most_columns) {
    const Index rows = drawn_rows(panel);
    const auto count = static_cast<std::size_t>(rows * panel.columns);
    const ColourLookup lookup(panel.scale);
    CellCodes cells{rows, panel.columns, {}};
    if (rows <= most_rows && panel.columns <= most_columns) {
        cells.codes.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            cells.codes[i] = code(lookup, panel.values[i]);
        if (!panel.forbidden.empty())
            for (std::size_t i = 0; i < count; ++i)
                if (panel.forbidden[i])
                    cells.codes[i] = CellCodes::forbidden;
        return cells;
    }
    const ReducedMatrix reduced =
        reduce_keeping_extremes(values_with_forbidden(panel, count), rows, panel.columns, most_rows,
                                most_columns, colour_map(panel.scale.map).diverging);
    cells.rows = reduced.rows;
    cells.columns = reduced.columns;
    cells.codes.resize(reduced.values.size());
    std::ranges::transform(reduced.values, cells.codes.begin(),
                           [&](double value) { return code(lookup, value); });
    return cells;
}

CellPalette cell_palette(const Panel& panel, const FigureStyle& style) {
    CellPalette palette{};
    const auto table = colour_map(panel.scale.map).table;
    std::ranges::transform(table, palette.begin(), [](Rgb c) { return qRgb(c.red, c.green, c.blue); });
    palette[CellCodes::forbidden] = style.forbidden.rgb();
    palette[CellCodes::missing] = style.missing.rgb();
    return palette;
}

QImage true_colour_image(const CellCodes& cells, const CellPalette& palette) {
    QImage image(static_cast<int>(cells.columns), static_cast<int>(cells.rows), QImage::Format_RGB32);
    for (Index row = 0; row < cells.rows; ++row) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(row)));
        const auto* in = cells.codes.data() + row * cells.columns;
        for (Index column = 0; column < cells.columns; ++column)
            out[column] = palette[in[column]];
    }
    return image;
}

std::uint16_t stepped(std::uint16_t code, int steps) {
    if (steps >= 256 || code >= 256)
        return code;
    const int step = code * steps / 256;
    return static_cast<std::uint16_t>((2 * step + 1) * 128 / steps);
}

QImage palette_image(const CellCodes& cells, const CellPalette& palette, int steps) {
    std::array<bool, 258> used{};
    for (const std::uint16_t code : cells.codes)
        used[stepped(code, steps)] = true;
    if (std::ranges::count(used, true) > 256)
        return palette_image(cells, palette, 128);
    std::array<std::uint8_t, 258> index{};
    QList<QRgb> colours;
    for (std::size_t code = 0; code < used.size(); ++code) {
        if (!used[code])
            continue;
        index[code] = static_cast<std::uint8_t>(colours.size());
        colours.append(palette[code]);
    }
    for (std::uint16_t code = 0; code < index.size(); ++code)
        index[code] = index[stepped(code, steps)];
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

int colour_steps(const Figure& figure) {
    constexpr double most_bytes = 450e3;
    std::array<double, 258> counts{};
    double cells = 0;
    for (const Panel& panel : figure.panels) {
        if (panel.thumbnail || panel.kind != Panel::Kind::heatmap)
            continue;
        for (const std::uint16_t code : cell_codes(panel, panel.rows, panel.columns).codes)
            ++counts[code];
        cells += static_cast<double>(drawn_rows(panel) * panel.columns);
    }
    constexpr int least = 20;
    for (const int steps : {256, 128, 64, 48, 32, 24}) {
        std::array<double, 258> merged{};
        for (std::uint16_t code = 0; code < counts.size(); ++code)
            merged[stepped(code, steps)] += counts[code];
        double bits = 0;  // Shannon's bound, which the compression of such maps comes close to
        for (const double count : merged)
            bits += count > 0 ? count * std::log2(cells / count) : 0;
        if (bits / 8 <= most_bytes)
            return steps;
    }
    return least;
}

}  // namespace headlight
