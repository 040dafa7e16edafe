#include "ui/render/pgfplots_figure.h"

#include "core/figure/cell_codes.h"
#include "core/figure/panel_numbers.h"
#include "core/figure/theme_table.h"
#include "core/figure/ticks.h"
#include "ui/render/axis_titles.h"
#include "ui/render/label_plan.h"
#include "ui/render/latex_text.h"
#include "ui/render/paint_context.h"
#include "ui/render/panel_shape.h"
#include "ui/render/pgfplots_cells.h"
#include "ui/render/pgfplots_terms.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headlight {
namespace {

/// pdfTeX has 5 million words of memory, of which a cell takes about 500.
constexpr Index most_plotted_cells = 5'000;

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
        if (!is_for_paper(figure.theme) && !figure.transparent)
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
              std::pair("hlmark", style_.mark), std::pair("hlforbidden", style_.forbidden),
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
            for (const Rgb colour : shown_colours(panel.scale.map, style_))
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
                        double most_width, std::optional<Index> newest, bool is_newest_framed,
                        std::optional<Index> selected) const {
        const TextMeasure text(size, Face::regular, style_.family);
        QByteArrayList places, words;
        for (Index at = 0; at < (newest ? std::min(extent, *newest + 1) : extent); ++at) {
            if (is_hidden(axis, at) || !label_shows(axis, at, extent, stride, {newest, selected}, apart))
                continue;
            const bool is_strong = selected == at || (is_newest_framed && newest == at);
            QByteArray look = is_strong ? "\\bfseries " : is_marked(axis, at) ? "\\itshape " : "";
            if (is_newest_framed && newest != at)
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
            keys +=
                ticks_of(drawn_axis(panel.row_axis, place.rows_by_place), 'y', panel.rows, place.row_stride,
                         place.row_apart, place.label_size, place.row_label_area.width(), panel.newest_row,
                         frames_newest_row(panel), panel.selected_row);
        if (place.column_labels)
            keys += ticks_of(drawn_axis(panel.column_axis, place.columns_by_place), 'x', panel.columns,
                             place.column_stride, place.column_apart, place.label_size, room, std::nullopt,
                             false, panel.selected_column);
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
        tex_ += plotted_cells(panel, place, style_);
        tex_ += "\\end{axis}\n";
    }

    void add_row_sums(const Panel& panel, const PanelLayout& place) {
        if (place.row_sums.isEmpty())
            return;
        const double size = std::min(style_.value, place.label_size / layout_units);
        const double cell = place.cells.height() / static_cast<double>(panel.rows);
        const QByteArray node =
            "\\node[inner sep=0pt,anchor=east,text=hlquiet,font=" + type_of(size) + "] at ";
        const double right = place.row_sums.right();
        const int decimals = decimals_of_sums(panel.row_sums);
        tex_ += node + at({right, place.row_sums.top() - 0.9 * size * layout_units}) + " {" + latex_of("Σ") +
                "};\n";
        for (Index row = 0; row < drawn_rows(panel); ++row) {
            if (!label_shows(drawn_axis(panel.row_axis, place.rows_by_place), row, panel.rows,
                             place.row_stride, {panel.newest_row, panel.selected_row}, place.row_apart))
                continue;
            const auto i = static_cast<std::size_t>(row);
            const bool flagged = i < panel.flagged_rows.size() && panel.flagged_rows[i];
            tex_ += node + at({right, place.cells.top() + (static_cast<double>(row) + 0.5) * cell}) + " {" +
                    latex_of(flagged ? "∅" : format_fixed(panel.row_sums[i], decimals)) + "};\n";
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
