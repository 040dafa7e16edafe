#include "ui/render/names_plan.h"
#include "ui/render/paint_context.h"

#include <algorithm>

namespace headlight {

void write_name(const PaintContext& context, double size, const std::string& text, const QRectF& area,
                Face face, const QColor& colour) {
    const QString words = QString::fromStdString(text);
    const TextMeasure measure(size, face, context.style.family);
    context.set_type(size, face, colour, words);
    context.draw_sentence(QPointF(area.left(), area.center().y() + measure.middle_to_baseline()), words);
}

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

}  // namespace headlight
