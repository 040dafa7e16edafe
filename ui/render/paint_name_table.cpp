#include "ui/render/name_table_heads.h"
#include "ui/render/names_plan.h"
#include "ui/render/paint_context.h"

#include <algorithm>

namespace headlight {
namespace {

/// At the left of its area, in the middle of its height.
void write_name(const PaintContext& context, double size, const std::string& text, const QRectF& area,
                Face face, const QColor& colour) {
    const QString words = QString::fromStdString(text);
    const TextMeasure measure(size, face, context.style.family);
    context.set_type(size, face, colour, words);
    context.draw_sentence(QPointF(area.left(), area.center().y() + measure.middle_to_baseline()), words);
}

}  // namespace

void paint_name_table(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const FigureStyle& style = context.style;
    const NameTable& table = *panel.names;
    const NamesPlan plan = names_in_room(table, place.cells.size(), style, context.unit);
    const auto rows = std::ssize(table.row_titles), columns = std::ssize(table.column_titles);
    const double gap = 0.4 * plan.size();  // between a line and the names right of it
    context.set_line(context.scaled(style.frame_line), style.frame);
    const double bottom = plan.top_of_row(rows, place.cells);
    for (Index row = 0; row <= rows; ++row) {
        const double y = plan.top_of_row(row, place.cells);
        context.painter.drawLine(QPointF(place.cells.left(), y), QPointF(place.cells.right(), y));
    }
    context.set_line(context.scaled(style.grid_line), style.grid);
    for (Index column = 0; column < columns; ++column) {
        const double x = plan.left_of_column(column, place.cells) - gap;
        context.painter.drawLine(QPointF(x, place.cells.top()), QPointF(x, bottom));
    }
    for (Index row = 0; row < rows; ++row)
        write_name(context, plan.size(), table.row_titles[static_cast<std::size_t>(row)],
                   plan.row_title(row, place.cells), Face::bold, style.text);
    for (Index column = 0; column < columns; ++column)
        write_name(context, plan.size(), table.column_titles[static_cast<std::size_t>(column)],
                   plan.column_title(column, place.cells), Face::bold, style.text);
    for (const NameTable::Name& name : table.names)
        for (std::size_t line = 0; line < name.lines.size(); ++line)
            write_name(context, plan.size(), name.lines[line], plan.line(name, line, place.cells),
                       Face::regular, style.text);
}

NameTableHeads name_table_heads(const Figure& figure, const FigureLayout& layout, double unit) {
    const Panel& panel = figure.panels.front();
    if (!panel.names)
        return {};
    NameTableHeads heads;
    heads.unit = unit * figure.length_scale;
    const QRectF& cells = layout.panels.front().cells;
    const NamesPlan plan = names_in_room(*panel.names, cells.size(), figure_style(figure), heads.unit);
    heads.size = plan.size();
    heads.corner = QRectF(cells.topLeft(), QPointF(plan.left_of_column(0, cells), plan.top_of_row(0, cells)));
    for (Index row = 0; row < std::ssize(panel.names->row_titles); ++row) {
        heads.rows.push_back(plan.row_title(row, cells));
        heads.row_ends.push_back(plan.top_of_row(row + 1, cells));
    }
    for (Index column = 0; column < std::ssize(panel.names->column_titles); ++column)
        heads.columns.push_back(plan.column_title(column, cells));
    return heads;
}

QRectF shown_corner(const NameTableHeads& heads, QPointF origin, const QRectF& room) {
    QRectF corner = heads.corner.translated(origin);
    if (heads.rows.empty())
        return corner;
    // Behind the last row stands what is said of all of them.
    const double lowest = heads.row_ends.back() + origin.y() - corner.height();
    corner.moveLeft(std::max(corner.left(), room.left()));
    corner.moveTop(std::max(corner.top(), std::min(room.top(), lowest)));
    return corner;
}

void paint_name_table_heads(QPainter& painter, const Figure& figure, const NameTableHeads& heads,
                            QPointF origin, const QRectF& room) {
    if (heads.rows.empty())
        return;
    const FigureStyle style = figure_style(figure);
    const PaintOptions options;
    const PaintContext context{painter, figure, style, heads.unit, options};
    const NameTable& table = *figure.panels.front().names;
    const QRectF own = heads.corner.translated(origin), corner = shown_corner(heads, origin, room);
    const bool is_beside = corner.left() > own.left(), is_below = corner.top() > own.top();
    const auto cover = [&](const QRectF& area) { painter.fillRect(area.toAlignedRect(), style.background); };
    const double bottom =
        std::max(corner.bottom(), std::min(room.bottom(), heads.row_ends.back() + origin.y()));
    if (is_beside) {
        cover(QRectF(corner.topLeft(), QPointF(corner.right(), bottom)));
        context.set_line(context.scaled(style.frame_line), style.frame);
        painter.drawLine(corner.topRight(), QPointF(corner.right(), bottom));
    }
    for (std::size_t row = 0; row < heads.rows.size(); ++row) {
        QRectF title = heads.rows[row].translated(origin);
        const double top = title.top(), end = heads.row_ends[row] + origin.y() - title.height();
        title.moveLeft(corner.left());
        title.moveTop(std::max(top, std::min(corner.bottom(), end)));
        if (is_beside || title.top() > top)
            write_name(context, heads.size, table.row_titles[row], title, Face::bold, style.text);
    }
    if (is_below) {
        cover(QRectF(room.left(), corner.top(), room.width(), corner.height()));
        context.set_line(context.scaled(style.frame_line), style.frame);
        painter.drawLine(QPointF(room.left(), corner.bottom()), QPointF(room.right(), corner.bottom()));
        for (std::size_t column = 0; column < heads.columns.size(); ++column) {
            QRectF title = heads.columns[column].translated(origin);
            title.moveTop(corner.top());
            write_name(context, heads.size, table.column_titles[column], title, Face::bold, style.text);
        }
    }
    if (is_beside || is_below)
        cover(corner);  // a year may have come under the families
}

}  // namespace headlight
