#include "ui/render/pgfplots_figure.h"

#include "core/figure/cell_codes.h"
#include "core/figure/cell_signs.h"
#include "core/figure/panel_numbers.h"
#include "core/figure/ticks.h"
#include "ui/render/axis_titles.h"
#include "ui/render/cell_image.h"
#include "ui/render/export_formats.h"
#include "ui/render/label_plan.h"
#include "ui/render/latex_text.h"
#include "ui/render/paint_context.h"
#include "ui/render/panel_shape.h"
#include "ui/render/pgf_drawing.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headlight {
namespace {

/// pdfTeX has 5 million words of memory, of which a cell takes about 500.
constexpr Index most_plotted_cells = 5'000;

QByteArray latex_of(const std::string& text) { return latex_text(QString::fromStdString(text)); }

/// Units of the layout to the point: type is measured in whole units.
constexpr double layout_units = svg_unit;

QByteArray bp(double points) { return short_number(points) + "bp"; }
/// Writes a length of the layout.
QByteArray laid_out(double units) { return bp(units / layout_units); }

QByteArray colour_in_html(const QColor& colour) {
    return "{HTML}{" + colour.name().mid(1).toUpper().toLatin1() + '}';
}

/// An expression of xcolor, for a colour without a name.
QByteArray xcolor_of(const QColor& colour) {
    if (colour == Qt::black || colour == Qt::white)
        return colour == Qt::black ? "black" : "white";
    return "{rgb,255:red," + QByteArray::number(colour.red()) + ";green," +
           QByteArray::number(colour.green()) + ";blue," + QByteArray::number(colour.blue()) + '}';
}

QByteArray type_of(double size) { return "\\fontsize{" + bp(size) + "}{" + bp(1.2 * size) + "}\\selectfont"; }

/// What pgfplots colours by, from a number of the scale: itself, or its logarithm.
struct PlotMeta {
    explicit PlotMeta(const ColourScale& scale)
        : is_logarithmic(scale.kind == ScaleKind::logarithmic && scale.low > 0) {
        const double reach = std::max(std::abs(scale.low), std::abs(scale.high));
        const bool is_diverging = !is_logarithmic && colour_map(scale.map).diverging;
        low = is_logarithmic ? std::log10(scale.low) : is_diverging ? -reach : scale.low;
        high = is_logarithmic ? std::log10(scale.high) : is_diverging ? reach : scale.high;
        if (!(high > low))
            high = low + 1;
    }
    double of(double value) const {
        const double meta = is_logarithmic ? value > 0 ? std::log10(value) : low : value;
        return std::isfinite(meta) ? meta : low;
    }

    bool is_logarithmic;
    double low, high;
};

/// The figure's style with lengths as they are drawn.
FigureStyle drawn_style(const Figure& figure) {
    FigureStyle style = figure_style(figure);
    for (double* length :
         {&style.title, &style.panel_title, &style.subtitle, &style.axis_title, &style.value, &style.tick,
          &style.operation, &style.caption, &style.frame_line, &style.grid_line, &style.mark_line})
        *length *= figure.length_scale;
    return style;
}

class PgfplotsWriter {
public:
    PgfplotsWriter(const Figure& figure, QSizeF points)
        : figure_(figure), style_(drawn_style(figure)), height_(points.height() * layout_units),
          layout_(layout_figure(figure, QRectF(QPointF(), points * layout_units), layout_units)) {
        tex_ = "\\begin{tikzpicture}\n\\useasboundingbox (0bp,0bp) rectangle (" + bp(points.width()) + ',' +
               bp(points.height()) + ");\n";
        define_colours();
        if (figure.theme != FigureTheme::paper && !figure.transparent)
            tex_ += "\\fill[hlbackground] (0bp,0bp) rectangle (" + bp(points.width()) + ',' +
                    bp(points.height()) + ");\n";
    }

    QByteArray written() {
        add_sentence(layout_.title, figure_.title, style_.title, "hltext", "\\bfseries");
        add_sentence(layout_.subtitle, figure_.subtitle, style_.subtitle, "hlquiet");
        for (std::size_t i = 0; i < figure_.panels.size(); ++i)
            if (!figure_.panels[i].blank)
                add_panel(figure_.panels[i], layout_.panels[i]);
        add_sentence(layout_.caption, drawn_caption(figure_, layout_), style_.caption, "hlquiet");
        return tex_ + "\\end{tikzpicture}%\n";
    }

private:
    QByteArray at(QPointF point) const {
        return '(' + laid_out(point.x()) + ',' + laid_out(height_ - point.y()) + ')';
    }

    void define_colours() {
        for (const auto& [name, colour] :
             {std::pair("hltext", style_.text), std::pair("hlquiet", style_.quiet_text),
              std::pair("hlframe", style_.frame), std::pair("hlgrid", style_.grid),
              std::pair("hlaccent", style_.accent), std::pair("hlforbidden", style_.forbidden),
              std::pair("hlhatch", style_.hatch), std::pair("hlmissing", style_.missing),
              std::pair("hlbackground", style_.background)})
            tex_ += "\\definecolor{" + QByteArray(name) + '}' + colour_in_html(colour) + '\n';
        QByteArrayList defined;
        for (const Panel& panel : figure_.panels) {
            const QByteArray name = QByteArray::fromStdString(panel.scale.map);
            if (defined.contains(name))
                continue;
            defined += name;
            tex_ += "\\pgfplotsset{colormap={headlight-" + name + "}{";
            for (const Rgb colour : colour_map(panel.scale.map).table)
                tex_ += "rgb255=(" + QByteArray::number(colour.red) + ',' + QByteArray::number(colour.green) +
                        ',' + QByteArray::number(colour.blue) + ") ";
            tex_ += "}}\n";
        }
    }

    /// Words that are wrapped as wide as their area.
    void add_sentence(const QRectF& area, const std::string& text, double size, const char* colour,
                      const char* face = "") {
        if (area.isEmpty() || text.empty())
            return;
        tex_ += "\\node[anchor=north west,inner sep=0pt,align=left,text width=" + laid_out(area.width()) +
                ",text=" + colour + ",font=" + type_of(size) + face + "] at " + at(area.topLeft()) + " {" +
                latex_of(text) + "};\n";
    }

    void add_words(QPointF middle, const std::string& text, double size, const char* colour, bool upwards) {
        if (text.empty())
            return;
        tex_ += "\\node[inner sep=0pt,text=" + QByteArray(colour) + ",font=" + type_of(size) +
                (upwards ? ",rotate=90" : "") + "] at " + at(middle) + " {" + latex_of(text) + "};\n";
    }

    void add_panel(const Panel& panel, const PanelLayout& place) {
        add_words(place.operation.center(),
                  place.operation_on_one_line ? on_one_line(panel.operator_before) : panel.operator_before,
                  style_.operation, "hltext", false);
        add_sentence(place.title, panel.title, style_.panel_title, "hltext", "\\bfseries");
        const QRectF below = place.title.adjusted(0, 1.2 * style_.panel_title * layout_units, 0, 0);
        if (!leaves_out_subtitle(panel, place))
            add_sentence(below, panel.subtitle, style_.subtitle, "hlquiet");
        const bool is_first = &panel == figure_.panels.data();
        const AxisTitleRoom own =
            room_of_panel_titles(figure_, layout_, place, style_.gap * figure_.length_scale * layout_units);
        add_title(place.row_title, panel.row_axis, own.rows, true);
        add_title(place.column_title, panel.column_axis, own.columns, false);
        if (is_first) {
            const QRectF shared = room_of_axis_titles(layout_);
            add_title(layout_.row_title, panel.row_axis, shared, true);
            add_title(layout_.column_title, panel.column_axis, shared, false);
        }
        add_axis(panel, place, is_first && !layout_.colour_bar.isEmpty());
        add_row_sums(panel, place);
    }

    void add_title(const QRectF& area, const AxisLabels& axis, const QRectF& room, bool upwards) {
        if (area.isEmpty())
            return;
        const TextMeasure text(type_size(style_.axis_title, layout_units), Face::regular, style_.family);
        const QString shown = title_in_room(axis, area, room, upwards, text);
        add_words(area.center(), shown.toStdString(), style_.axis_title, "hlquiet", upwards);
    }

    /// Places and words of the labels that are drawn, as lists of pgfplots.
    QByteArray ticks_of(const AxisLabels& axis, char letter, Index extent, int stride, int apart, double size,
                        double most_width, std::optional<Index> newest, std::optional<Index> selected) const {
        const TextMeasure text(size, Face::regular, style_.family);
        QByteArrayList places, words;
        for (Index at = 0; at < (newest ? std::min(extent, *newest + 1) : extent); ++at) {
            if (is_hidden(axis, at) || !label_shows(axis, at, extent, stride, {newest, selected}, apart))
                continue;
            QByteArray look = newest == at || selected == at ? "\\bfseries "
                              : is_marked(axis, at)          ? "\\itshape "
                                                             : "";
            if (newest && newest != at)
                look += "\\color{hlquiet}";
            places += QByteArray::number(at);
            const QString shown = text.elided(label_text(axis, at), most_width * 1.001);
            words += "{\\headlightfit{" + laid_out(most_width) + "}{" + look + latex_text(shown) + "}}";
        }
        return letter + QByteArray("tick={") + places.join(',') + "}," + letter + "ticklabels={" +
               words.join(',') + "},\n";
    }

    QByteArray labels_of(const Panel& panel, const PanelLayout& place) const {
        const double cell = place.cells.width() / static_cast<double>(panel.columns);
        const bool upright = place.column_angle == 90, slanted = place.column_angle == 45;
        const double room = upright   ? place.column_label_area.height()
                            : slanted ? place.column_label_area.height() / std::sqrt(0.5) - place.label_size
                                      : cell * place.column_stride;
        QByteArray keys;
        if (place.row_labels)
            keys += ticks_of(drawn_axis(panel.row_axis, place.rows_by_place), 'y', panel.rows,
                             place.row_stride, place.row_apart, place.label_size,
                             place.row_label_area.width(), panel.newest_row, panel.selected_row);
        if (place.column_labels)
            keys += ticks_of(drawn_axis(panel.column_axis, place.columns_by_place), 'x', panel.columns,
                             place.column_stride, place.column_apart, place.label_size, room, std::nullopt,
                             panel.selected_column);
        keys += place.row_labels ? "" : "ytick=\\empty,\n";
        keys += place.column_labels ? "" : "xtick=\\empty,\n";
        const double size = place.label_size / layout_units;
        // As high as any word of the font, so that words with a "p" stand on the line of the others.
        const QByteArray font = "inner sep=0pt,text height=" + bp(0.7 * size) +
                                ",text depth=" + bp(0.22 * size) + ",text=hltext,font=" + type_of(size);
        const QByteArray turned = upright   ? ",rotate=90,anchor=west"
                                  : slanted ? ",rotate=45,anchor=south west"
                                            : "";
        return keys + "yticklabel style={" + font + "},xticklabel style={" + font + turned +
               "},yticklabel shift=" +
               laid_out(std::max(0.0, place.cells.left() - place.row_label_area.right())) +
               ",xticklabel shift=" +
               laid_out(std::max(0.0, place.cells.top() - place.column_label_area.bottom())) + ",\n";
    }

    /// A bar of pgfplots in that place: without the distance that it keeps from its axis by itself.
    QByteArray bar_of(const ColourScale& scale, const QRectF& area, bool is_upright) const {
        const PlotMeta meta(scale);
        const double along = (is_upright ? area.height() / 2.2 : area.width() / 3.2) / layout_units;
        const char letter = is_upright ? 'y' : 'x';
        QByteArrayList places, words;
        for (const Tick& tick :
             bar_ticks(scale, std::clamp(static_cast<int>(along / style_.tick), 2, is_upright ? 6 : 5))) {
            places += QByteArray::number(meta.of(tick.value), 'g', 6);
            words += '{' + latex_of(tick.label) + '}';
        }
        QByteArray bar = is_upright ? "colorbar" : "colorbar horizontal";
        bar += ",colorbar style={at={" + at(area.bottomLeft()) + "},anchor=south west," +
               (is_upright ? "xshift=-0.3cm" : "yshift=0.3cm") + ",width=" + laid_out(area.width()) +
               ",height=" + laid_out(area.height()) + ",major tick length=" + bp(0.25 * style_.tick) + ',' +
               letter + "tick={" + places.join(',') + "}," + letter + "ticklabels={" + words.join(',') +
               "}," + letter + "ticklabel style={inner sep=1pt,text=hltext,font=" + type_of(style_.tick) +
               '}';
        if (const QString title = is_upright ? bar_title(figure_) : QString(); !title.isEmpty())
            bar += ",ylabel={" + latex_text(title) +
                   "},ylabel style={text=hlquiet,font=" + type_of(style_.tick) + '}';
        return bar + "},\n";
    }

    void add_axis(const Panel& panel, const PanelLayout& place, bool has_bar) {
        const PlotMeta meta(panel.scale);
        tex_ += "\\begin{axis}[at={" + at(place.cells.bottomLeft()) +
                "},anchor=south west,scale only axis,width=" + laid_out(place.cells.width()) +
                ",height=" + laid_out(place.cells.height()) +
                ",\ny dir=reverse,enlargelimits=false,axis on top,axis line style={hlframe,line width=" +
                bp(style_.frame_line) +
                "},xmin=-0.5,xmax=" + QByteArray::number(static_cast<double>(panel.columns) - 0.5) +
                ",ymin=-0.5,ymax=" + QByteArray::number(static_cast<double>(panel.rows) - 0.5) +
                ",\nxticklabel pos=upper,major tick length=0pt,colormap name=headlight-" +
                QByteArray::fromStdString(panel.scale.map) +
                ",point meta min=" + QByteArray::number(meta.low, 'g', 9) +
                ",point meta max=" + QByteArray::number(meta.high, 'g', 9) + ",\n" + labels_of(panel, place);
        if (has_bar)
            tex_ += bar_of(panel.scale, layout_.colour_bar, true);
        else if (!place.colour_bar.isEmpty())
            tex_ += bar_of(panel.scale, place.colour_bar, false);
        tex_ += "]\n";
        add_numbers(panel, meta);
        add_other_cells(panel);
        add_grid(panel, place);
        if (place.values)
            add_values(panel, place);
        add_signs(panel, place);
        add_marks(panel);
        tex_ += "\\end{axis}\n";
    }

    void add_numbers(const Panel& panel, const PlotMeta& meta) {
        tex_ += "\\addplot[matrix plot*,mesh/cols=" + QByteArray::number(panel.columns) +
                ",point meta=explicit] table[meta=" + (meta.is_logarithmic ? "log" : "w") +
                ",row sep=\\\\] {x y w" + (meta.is_logarithmic ? " log" : "") + "\\\\\n";
        for (Index row = 0; row < drawn_rows(panel); ++row) {
            for (Index column = 0; column < panel.columns; ++column) {
                const double value = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
                const double shown = std::isfinite(value) ? value
                                     : value > 0          ? panel.scale.high
                                                          : panel.scale.low;
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
    void add_other_cells(const Panel& panel) {
        for (Index row = 0; row < drawn_rows(panel); ++row)
            for (Index column = 0; column < panel.columns; ++column) {
                const double value = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
                const bool forbidden = is_forbidden(panel, row, column);
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
    void add_grid(const Panel& panel, const PanelLayout& place) {
        constexpr double grid_from = 9;
        const double width = place.cells.width() / static_cast<double>(panel.columns),
                     height = place.cells.height() / static_cast<double>(panel.rows);
        if (std::min(width, height) < grid_from * layout_units)
            return;
        const QByteArray draw = "\\draw[hlgrid,line width=" + bp(style_.grid_line) + "] ";
        const auto rows = static_cast<double>(drawn_rows(panel)),
                   columns = static_cast<double>(panel.columns);
        const auto line = [&](double x, double y, double to_x, double to_y) {
            tex_ += draw + "(axis cs:" + QByteArray::number(x) + ',' + QByteArray::number(y) +
                    ") -- (axis cs:" + QByteArray::number(to_x) + ',' + QByteArray::number(to_y) + ");\n";
        };
        for (Index column = 1; column < panel.columns; ++column) {
            const double x = static_cast<double>(column) - 0.5;
            line(x, -0.5, x, rows - 0.5);
        }
        for (Index row = 1; row < drawn_rows(panel); ++row) {
            const double y = static_cast<double>(row) - 0.5;
            line(-0.5, y, columns - 0.5, y);
        }
    }

    void add_values(const Panel& panel, const PanelLayout& place) {
        const CellCodes cells = cell_codes(panel, panel.rows, panel.columns);
        const CellPalette palette = cell_palette(panel, style_);
        NumberInks inks(palette);
        const QByteArray node =
            "\\node[inner sep=0pt,font=" + type_of(place.value_size / layout_units) + ",text=";
        for (Index row = 0; row < cells.rows; ++row)
            for (Index column = 0; column < cells.columns; ++column) {
                const std::uint16_t code = cells.at(row, column);
                if (code == CellCodes::forbidden || code == CellCodes::missing)
                    continue;
                const double value = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
                const std::string written = cell_text(value, place.value_decimals);
                tex_ += node + xcolor_of(inks.of(code, written)) +
                        "] at (axis cs:" + QByteArray::number(column) + ',' + QByteArray::number(row) +
                        ") {" + latex_of(written) + "};\n";
            }
    }

    /// The small signs of cells whose colour does not say all (signed_cells()).
    void add_signs(const Panel& panel, const PanelLayout& place) {
        const std::vector<SignedCell> signs = signed_cells(panel);
        if (signs.empty())
            return;
        const CellCodes cells = cell_codes(panel, panel.rows, panel.columns);
        const CellPalette palette = cell_palette(panel, style_);
        for (const SignedCell& each : signs) {
            const bool is_beside_number = place.values && each.sign != CellSign::no_number;
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

    void add_frame(Index row, Index rows, Index column, Index columns, double width, const char* colour) {
        const auto x = static_cast<double>(column), y = static_cast<double>(row);
        tex_ += "\\draw[" + QByteArray(colour) + ",line width=" + bp(width) + "] " +
                rectangle(x, y, x + static_cast<double>(columns), y + static_cast<double>(rows));
    }

    /// The newest row, the selection, and what a person points out.
    void add_marks(const Panel& panel) {
        const Index rows = drawn_rows(panel);
        if (panel.newest_row)
            add_frame(rows - 1, 1, 0, panel.columns, style_.mark_line, "hlaccent");
        const bool row = panel.selected_row && *panel.selected_row < rows;
        const bool column = panel.selected_column && *panel.selected_column < panel.columns;
        if (row)
            add_frame(*panel.selected_row, 1, 0, panel.columns, style_.frame_line, "hlaccent");
        if (column)
            add_frame(0, rows, *panel.selected_column, 1, style_.frame_line, "hlaccent");
        if (row && column)
            add_frame(*panel.selected_row, 1, *panel.selected_column, 1, style_.mark_line, "hlaccent");
        for (const MarkedCells& each : panel.outlined) {
            const Index end = std::min(each.rows.first + each.rows.count, rows);
            for (const auto& [width, colour] : {std::pair(2.6 * style_.mark_line, "hlbackground"),
                                                std::pair(1.3 * style_.mark_line, "hlaccent")})
                if (end > each.rows.first)
                    add_frame(each.rows.first, end - each.rows.first, each.columns.first, each.columns.count,
                              width, colour);
        }
    }

    void add_row_sums(const Panel& panel, const PanelLayout& place) {
        if (place.row_sums.isEmpty())
            return;
        const double size = std::min(style_.value, place.label_size / layout_units);
        const double cell = place.cells.height() / static_cast<double>(panel.rows);
        const QByteArray node =
            "\\node[inner sep=0pt,anchor=east,text=hlquiet,font=" + type_of(size) + "] at ";
        const double right = place.row_sums.right();
        tex_ += node + at({right, place.row_sums.top() - 0.9 * size * layout_units}) + " {" + latex_of("Σ") +
                "};\n";
        for (Index row = 0; row < drawn_rows(panel); ++row) {
            if (!label_shows(drawn_axis(panel.row_axis, place.rows_by_place), row, panel.rows,
                             place.row_stride, {panel.newest_row, panel.selected_row}, place.row_apart))
                continue;
            const auto i = static_cast<std::size_t>(row);
            const bool flagged = i < panel.flagged_rows.size() && panel.flagged_rows[i];
            tex_ += node + at({right, place.cells.top() + (static_cast<double>(row) + 0.5) * cell}) + " {" +
                    latex_of(flagged ? "∅" : format_fixed(panel.row_sums[i], 2)) + "};\n";
        }
    }

    const Figure& figure_;
    FigureStyle style_;
    double height_;
    FigureLayout layout_;
    QByteArray tex_;
};

}  // namespace

bool is_for_pgfplots(const Figure& figure) {
    if (figure.is_composed)
        return false;
    Index cells = 0;
    for (const Panel& panel : figure.panels) {
        if (panel.blank)
            continue;
        const bool is_plain = panel.kind == Panel::Kind::heatmap && !panel.large && !panel.overlay &&
                              !panel.thumbnail && panel.by_hand.empty() && panel.notes.empty() &&
                              panel.letter.empty();
        if (!is_plain || drawn_rows(panel) < 2 || panel.columns < 2)
            return false;
        cells += panel.rows * panel.columns;
    }
    return cells > 0 && cells <= most_plotted_cells;
}

QByteArray pgfplots_preamble() {
    return "\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.16}\n\\usetikzlibrary{patterns}\n" +
           latex_sign_macro() + latex_fit_macro();
}

QByteArray pgfplots_figure(const Figure& figure, QSizeF points) {
    return PgfplotsWriter(figure, points).written();
}

}  // namespace headlight
