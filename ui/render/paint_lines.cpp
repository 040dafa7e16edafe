#include "ui/render/head_lines.h"
#include "ui/render/token_painter.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

/// The sign of a score has the colours of the diverging map; weights have none.
HeadLook look_of_one(const PaintContext& context, const Panel& panel, const DrawnLine& line) {
    if (!colour_map(panel.scale.map).diverging)
        return {context.style.accent};
    const Rgb colour = shown_colours(panel.scale.map, context.style)[line.value < 0 ? 40 : 215];
    return {QColor(colour.red, colour.green, colour.blue)};
}

/// Beside others a head has a look of its own, and dots below zero where numbers have signs.
HeadLook look_among(HeadLook look, const Panel& panel, const DrawnLine& line) {
    look.is_below_zero = colour_map(panel.scale.map).diverging && line.value < 0;
    return look;
}

/// Whether the line belongs to another token than the selected one, or to another pair.
bool steps_back(const Panel& panel, const DrawnLine& line) {
    return panel.selected_row && (*panel.selected_row != line.row ||
                                  (panel.selected_column && *panel.selected_column != line.column));
}

void paint_legend(const PaintContext& context, std::span<const Panel> heads,
                  const std::vector<HeadLook>& looks, const QRectF& area) {
    const HeadLegend legend(heads, area.width(), context.style, context.unit);
    for (std::size_t head = 0; head < legend.entries().size(); ++head) {
        const auto& [swatch, baseline, name] = legend.entries()[head];
        const QRectF bar = swatch.translated(area.topLeft());
        context.painter.setPen(line_pen(looks[head], bar.height()));
        context.painter.drawLine(QPointF(bar.left(), bar.center().y()),
                                 QPointF(bar.right(), bar.center().y()));
        context.set_type(legend.type(), Face::regular, context.style.text, name);
        context.draw_plain(area.topLeft() + baseline, name);
    }
}

/// The tokens of one side; the queries stand left of the lines and end there.
void paint_side(const PaintContext& context, const AxisLabels& axis, Index count,
                std::optional<Index> selected, const PanelLayout& place, bool queries) {
    TokenPainter tokens(context, place.label_size);
    const QRectF& area = queries ? place.row_label_area : place.column_label_area;
    const int stride = queries ? place.row_stride : place.column_stride,
              apart = queries ? place.row_apart : place.column_apart;
    // A reader counts from both ends: the last one is named too, and the one before it gives way.
    const std::optional<Index> last = count - 1;
    for (Index at = 0; at < count; ++at) {
        if (!label_shows(axis, at, count, stride, {selected, last}, apart))
            continue;
        const QPointF point(queries ? area.right() : area.left(), token_height(place.cells, at, count));
        tokens.draw(
            axis, at,
            {point, queries ? TokenPainter::Anchor::end : TokenPainter::Anchor::start, 0, area.width()},
            selected == at, selected == at ? context.style.accent : context.style.text);
    }
}

}  // namespace

void paint_lines(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    if (panel.rows == 0 || panel.columns == 0)
        return;
    QPainter& painter = context.painter;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const double widest =
        std::min(context.scaled(4 * context.style.line_share),
                 0.6 * place.cells.height() / static_cast<double>(std::max(panel.rows, panel.columns)));
    const std::span<const Panel> heads = panels_in_place(context.figure, panel);
    const std::vector<HeadLook> looks = head_looks(heads.size(), context.style.background);
    const LinePlaces places(heads, place);
    for (const HeadLine& line : lines_in_place(heads)) {
        const Panel& own = heads[line.head];
        HeadLook look = heads.size() > 1 ? look_among(looks[line.head], own, line.cell)
                                         : look_of_one(context, own, line.cell);
        const double strength = line.cell.strength;
        look.colour.setAlphaF(
            static_cast<float>((steps_back(own, line.cell) ? 0.15 : 1.0) * (0.08 + 0.92 * strength)));
        painter.setPen(line_pen(look,
                                std::max(context.scaled(0.4 * context.style.line_share), widest * strength),
                                context.scaled(1.2)));
        painter.drawPath(places.path(line));
    }
    paint_legend(context, heads, looks, place.legend);
    paint_side(context, panel.row_axis, panel.rows, panel.selected_row, place, true);
    paint_side(context, panel.column_axis, panel.columns, panel.selected_column, place, false);
}

}  // namespace headlight
