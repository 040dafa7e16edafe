#include "core/figure/line_selection.h"
#include "ui/render/token_painter.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

/// Middle of an entry's line of text on its side.
double height_of(const QRectF& cells, Index at, Index count) {
    return cells.top() + cells.height() * (static_cast<double>(at) + 0.5) / static_cast<double>(count);
}

/// The sign of a score has the colours of the diverging map; weights have none.
QColor line_colour(const PaintContext& context, const Panel& panel, const DrawnLine& line) {
    const ColourMap& map = colour_map(panel.scale.map);
    if (!map.diverging)
        return context.style.accent;
    const Rgb colour = map.table[line.value < 0 ? 40 : 215];
    return {colour.red, colour.green, colour.blue};
}

/// The tokens of one side; the queries stand left of the lines and end there.
void paint_side(const PaintContext& context, const AxisLabels& axis, Index count,
                std::optional<Index> selected, const PanelLayout& place, bool queries) {
    TokenPainter tokens(context, place.label_size);
    const QRectF& area = queries ? place.row_label_area : place.column_label_area;
    const double pitch = place.cells.height() / static_cast<double>(count);
    const auto stride = std::max(1, static_cast<int>(std::ceil(1.1 * place.label_size / pitch)));
    for (Index at = 0; at < count; ++at) {
        if (!label_shows(axis, at, stride) && selected != at)
            continue;
        const QPointF point(queries ? area.right() : area.left(), height_of(place.cells, at, count));
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
        std::min(context.scaled(4),
                 0.6 * place.cells.height() / static_cast<double>(std::max(panel.rows, panel.columns)));
    for (const DrawnLine& line : select_lines(panel).lines) {
        const bool faded = panel.selected_row && *panel.selected_row != line.row;
        QColor colour = line_colour(context, panel, line);
        colour.setAlphaF(static_cast<float>((faded ? 0.15 : 1.0) * (0.08 + 0.92 * line.strength)));
        const QPointF from(place.cells.left(), height_of(place.cells, line.row, panel.rows));
        const QPointF to(place.cells.right(), height_of(place.cells, line.column, panel.columns));
        QPainterPath path(from);
        const double bend = 0.4 * place.cells.width();
        path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
        painter.setPen(
            QPen(colour, std::max(context.scaled(0.4), widest * line.strength), Qt::SolidLine, Qt::FlatCap));
        painter.drawPath(path);
    }
    paint_side(context, panel.row_axis, panel.rows, panel.selected_row, place, true);
    paint_side(context, panel.column_axis, panel.columns, panel.selected_column, place, false);
}

}  // namespace headlight
