#include "ui/render/pgfplots_cells.h"

#include "core/figure/cell_codes.h"
#include "core/figure/cell_signs.h"
#include "core/figure/panel_numbers.h"
#include "ui/render/cell_image.h"
#include "ui/render/paint_context.h"
#include "ui/render/painter.h"
#include "ui/render/pgfplots_terms.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr double least_beside_frame = 0.75;  // points

class CellsWriter {
public:
    CellsWriter(const Panel& panel, const PanelLayout& place, const FigureStyle& style)
        : panel_(panel), place_(place), style_(style) {}

    QByteArray written() {
        add_numbers();
        add_other_cells();
        add_grid();
        if (place_.values)
            add_values();
        add_signs();
        add_marks();
        return tex_;
    }

private:
    void add_numbers() {
        const PlotMeta meta(panel_.scale);
        tex_ += "\\addplot[matrix plot*,mesh/cols=" + QByteArray::number(panel_.columns) +
                ",point meta=explicit] table[meta=" + (meta.is_logarithmic ? "log" : "w") +
                ",row sep=\\\\] {x y w" + (meta.is_logarithmic ? " log" : "") + "\\\\\n";
        for (Index row = 0; row < drawn_rows(panel_); ++row) {
            for (Index column = 0; column < panel_.columns; ++column) {
                const double value = panel_.values[static_cast<std::size_t>(row * panel_.columns + column)];
                const double shown = std::isfinite(value) ? value
                                     : value > 0          ? panel_.scale.high
                                                          : panel_.scale.low;
                tex_ += QByteArray::number(column) + ' ' + QByteArray::number(row) + ' ' +
                        QByteArray::number(shown, 'g', 6);
                if (meta.is_logarithmic)
                    tex_ += ' ' + QByteArray::number(meta.of(value), 'g', 6);
                tex_ += "\\\\";
            }
            tex_ += '\n';
        }
        tex_ += "};\n";
    }

    static QByteArray rectangle(double left, double top, double right, double bottom) {
        const auto corner = [](double x, double y) {
            return "(axis cs:" + QByteArray::number(x) + ',' + QByteArray::number(y) + ')';
        };
        return corner(left - 0.5, top - 0.5) + " rectangle " + corner(right - 0.5, bottom - 0.5) + ";\n";
    }

    /// Cells that the mask forbids, and those without a number.
    void add_other_cells() {
        for (Index row = 0; row < drawn_rows(panel_); ++row)
            for (Index column = 0; column < panel_.columns; ++column) {
                const double value = panel_.values[static_cast<std::size_t>(row * panel_.columns + column)];
                const bool forbidden = is_forbidden(panel_, row, column);
                if (!forbidden && !std::isnan(value))
                    continue;
                const auto x = static_cast<double>(column), y = static_cast<double>(row);
                const QByteArray cell = rectangle(x, y, x + 1, y + 1);
                tex_ += (forbidden ? "\\fill[hlforbidden] " : "\\fill[hlmissing] ") + cell;
                if (forbidden)
                    tex_ += "\\fill[pattern=north east lines,pattern color=hlhatch] " + cell;
            }
    }

    /// Between cells that are large enough for it, as the painter has it.
    void add_grid() {
        constexpr double grid_from = 9;
        const QSizeF cell = area_of_cells(panel_, place_.cells, 0, 0).size();
        if (std::min(cell.width(), cell.height()) < grid_from * layout_units)
            return;
        const QByteArray draw = "\\draw[hlgrid,line width=" + bp(style_.grid_line) + "] ";
        const auto rows = static_cast<double>(drawn_rows(panel_)),
                   columns = static_cast<double>(panel_.columns);
        const auto line = [&](double x, double y, double to_x, double to_y) {
            tex_ += draw + "(axis cs:" + QByteArray::number(x) + ',' + QByteArray::number(y) +
                    ") -- (axis cs:" + QByteArray::number(to_x) + ',' + QByteArray::number(to_y) + ");\n";
        };
        for (Index column = 1; column < panel_.columns; ++column) {
            const double x = static_cast<double>(column) - 0.5;
            line(x, -0.5, x, rows - 0.5);
        }
        for (Index row = 1; row < drawn_rows(panel_); ++row) {
            const double y = static_cast<double>(row) - 0.5;
            line(-0.5, y, columns - 0.5, y);
        }
    }

    void add_values() {
        const CellCodes cells = cell_codes(panel_, panel_.rows, panel_.columns);
        const CellPalette palette = cell_palette(panel_, style_);
        NumberInks inks(palette, style_);
        const QByteArray node =
            "\\node[inner sep=0pt,font=" + type_of(place_.value_size / layout_units) + ",text=";
        for (Index row = 0; row < cells.rows; ++row)
            for (Index column = 0; column < cells.columns; ++column) {
                const std::uint16_t code = cells.at(row, column);
                if (code == CellCodes::forbidden || code == CellCodes::missing)
                    continue;
                const double value = panel_.values[static_cast<std::size_t>(row * panel_.columns + column)];
                const std::string written = cell_text(value, place_.value_decimals);
                tex_ += node + xcolor_of(inks.of(code, written)) +
                        "] at (axis cs:" + QByteArray::number(column) + ',' + QByteArray::number(row) +
                        ") {" + latex_of(written) + "};\n";
            }
    }

    /// The small signs of cells whose colour does not say all (signed_cells()).
    void add_signs() {
        const std::vector<SignedCell> signs = signed_cells(panel_);
        if (signs.empty())
            return;
        const CellCodes cells = cell_codes(panel_, panel_.rows, panel_.columns);
        const CellPalette palette = cell_palette(panel_, style_);
        for (const SignedCell& each : signs) {
            const bool is_beside_number = place_.values && each.sign != CellSign::no_number;
            const double away = is_beside_number ? 0.38 : 0;  // of a cell, from its middle
            const double x = static_cast<double>(each.column) + away,
                         y = static_cast<double>(each.row) + away;
            const double half = is_beside_number ? 0.08 : 0.2;
            const auto at = [&](double right, double down) {
                return "(axis cs:" + QByteArray::number(x + right * half) + ',' +
                       QByteArray::number(y + down * half) + ')';
            };
            const QByteArray ink =
                ink_on(QColor(palette[cells.at(each.row, each.column)])) == Qt::black ? "[black]" : "[white]";
            switch (each.sign) {
            case CellSign::above:
                tex_ += "\\fill" + ink + ' ' + at(-1, 1) + " -- " + at(1, 1) + " -- " + at(0, -1) + ";\n";
                break;
            case CellSign::below:
                tex_ += "\\fill" + ink + ' ' + at(-1, -1) + " -- " + at(1, -1) + " -- " + at(0, 1) + ";\n";
                break;
            case CellSign::infinite:
                tex_ += "\\draw" + ink + ' ' + at(0, -1) + " -- " + at(1, 0) + " -- " + at(0, 1) + " -- " +
                        at(-1, 0) + " -- cycle;\n";
                break;
            case CellSign::no_number:
                tex_ += "\\draw" + ink + ' ' + at(-1, -1) + " -- " + at(1, 1) + ' ' + at(-1, 1) + " -- " +
                        at(1, -1) + ";\n";
                break;
            }
        }
    }

    /// On a halo: dark beside light is seen on every colour.
    void add_frame(Index row, Index rows, Index column, Index columns, double width) {
        const auto x = static_cast<double>(column), y = static_cast<double>(row);
        const double beside = std::max(least_beside_frame, 0.5 * width);
        for (const auto& [line, colour] :
             {std::pair(width + 2 * beside, "hlbackground"), std::pair(width, "hlmark")})
            tex_ += "\\draw[" + QByteArray(colour) + ",line width=" + bp(line) + "] " +
                    rectangle(x, y, x + static_cast<double>(columns), y + static_cast<double>(rows));
    }

    /// The newest row, the selection, and what a person points out.
    void add_marks() {
        const Index rows = drawn_rows(panel_);
        if (frames_newest_row(panel_))
            add_frame(rows - 1, 1, 0, panel_.columns, style_.mark_line);
        const bool row = panel_.selected_row && *panel_.selected_row < rows;
        const bool column = panel_.selected_column && *panel_.selected_column < panel_.columns;
        if (row)
            add_frame(*panel_.selected_row, 1, 0, panel_.columns, style_.frame_line);
        if (column)
            add_frame(0, rows, *panel_.selected_column, 1, style_.frame_line);
        if (row && column)
            add_frame(*panel_.selected_row, 1, *panel_.selected_column, 1, style_.mark_line);
        for (const MarkedCells& each : panel_.outlined) {
            const Index end = std::min(each.rows.first + each.rows.count, rows);
            if (end > each.rows.first)
                add_frame(each.rows.first, end - each.rows.first, each.columns.first, each.columns.count,
                          1.3 * style_.mark_line);
        }
    }

    const Panel& panel_;
    const PanelLayout& place_;
    const FigureStyle& style_;
    QByteArray tex_;
};

}  // namespace

QByteArray plotted_cells(const Panel& panel, const PanelLayout& place, const FigureStyle& style) {
    return CellsWriter(panel, place, style).written();
}

}  // namespace headlight
