#include "ui/render/cell_image.h"
#include "ui/render/flow_plan.h"
#include "ui/render/motion_room.h"
#include "ui/render/paint_context.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// The cells of a mark as far as they are drawn; empty where none is.
QRectF marked_area(const Panel& panel, const QRectF& cells, const MotionMark& mark) {
    const Index top = std::clamp<Index>(mark.first_row - panel.row_axis.first, 0, panel.rows),
                left = std::clamp<Index>(mark.first_column - panel.column_axis.first, 0, panel.columns),
                bottom = std::clamp<Index>(mark.first_row - panel.row_axis.first + mark.rows, 0, panel.rows),
                right = std::clamp<Index>(mark.first_column - panel.column_axis.first + mark.columns, 0,
                                          panel.columns);
    if (top >= bottom || left >= right)
        return {};
    const double width = cells.width() / static_cast<double>(panel.columns),
                 height = cells.height() / static_cast<double>(panel.rows);
    return {cells.left() + width * static_cast<double>(left), cells.top() + height * static_cast<double>(top),
            width * static_cast<double>(right - left), height * static_cast<double>(bottom - top)};
}

/// A frame around cells, on a halo that is seen on every colour.
void frame_cells(const PaintContext& context, const QRectF& area, double width, const QColor& colour) {
    const QRectF edge = on_pixels(context.painter, area);
    context.set_line(context.scaled(width) + context.scaled(1.6), context.style.background);
    context.painter.drawRect(edge);
    context.set_line(context.scaled(width), colour);
    context.painter.drawRect(edge);
}

void empty_cells(const PaintContext& context, const QRectF& area, const QRectF& cells) {
    context.painter.fillRect(on_pixels(context.painter, area), context.style.background);
    context.set_line(context.scaled(context.style.frame_line), context.style.frame);
    context.painter.drawRect(on_pixels(context.painter, cells));
}

void paint_mark(const PaintContext& context, const Panel& panel, const PanelLayout& place,
                const MotionMark& mark) {
    const QRectF area = marked_area(panel, place.cells, mark);
    if (area.isEmpty())
        return;
    const double line = context.style.mark_line;
    switch (mark.kind) {
    case MotionMark::Kind::unwritten:
        return empty_cells(context, area, place.cells);
    case MotionMark::Kind::read:
        return frame_cells(context, area, line, context.style.accent);
    case MotionMark::Kind::taken:
        return frame_cells(context, area, 2 * line, context.style.accent);
    case MotionMark::Kind::written:
        return frame_cells(context, area, 1.5 * line, context.style.text);
    }
}

/// A row of its panel in the colours and with the numbers of what it is summed up to.
void paint_partial(const PaintContext& context, const Panel& panel, const PanelLayout& place,
                   const PartialRow& partial) {
    const QRectF area = marked_area(
        panel, place.cells,
        {MotionMark::Kind::written, partial.panel, partial.row, panel.column_axis.first, 1, panel.columns});
    const auto first = static_cast<std::size_t>(panel.column_axis.first);
    if (area.isEmpty() || first + static_cast<std::size_t>(panel.columns) > partial.values.size())
        return;
    Panel row;
    row.rows = 1;
    row.columns = panel.columns;
    row.scale = panel.scale;
    row.values_in_cells = panel.values_in_cells;
    row.digits = panel.digits;
    const auto from = partial.values.begin() + panel.column_axis.first;
    row.values = std::vector<double>(from, from + panel.columns);
    PanelLayout at = place;
    at.cells = area;
    paint_cells(context, row, at);
}

/// The middle of a cell, of one that is not drawn that of the nearest one.
QPointF middle_of_cell(const Panel& panel, const QRectF& cells, const MotionCell& cell) {
    const auto share = [](Index at, Index first, Index count) {
        return (static_cast<double>(std::clamp<Index>(at - first, 0, std::max<Index>(count - 1, 0))) + 0.5) /
               static_cast<double>(std::max<Index>(count, 1));
    };
    return {cells.left() + cells.width() * share(cell.column, panel.column_axis.first, panel.columns),
            cells.top() + cells.height() * share(cell.row, panel.row_axis.first, panel.rows)};
}

void paint_number(const PaintContext& context, const FigureLayout& layout, const MotionNumber& number) {
    const auto place = [&](const MotionCell& cell) {
        const auto at = static_cast<std::size_t>(cell.panel);
        return middle_of_cell(context.figure.panels[at], layout.panels[at].cells, cell);
    };
    // Slow where it leaves and where it arrives.
    const double way = number.way * number.way * (3 - 2 * number.way);
    const QPointF from = place(number.from), middle = from + way * (place(number.to) - from);
    const double size = context.type(context.style.label);
    const QString text = QString::fromStdString(number.text);
    const TextMeasure measure(size, Face::bold, context.style.family);
    QRectF plate(0, 0, measure.width(text) + 0.8 * size, 1.5 * size);
    plate.moveCenter(middle);
    plate.moveLeft(std::clamp(plate.left(), layout.area.left(),
                              std::max(layout.area.left(), layout.area.right() - plate.width())));
    context.painter.setPen(QPen(context.style.background, context.scaled(1)));
    context.painter.setBrush(context.style.accent);
    context.painter.drawRoundedRect(plate, 0.3 * size, 0.3 * size);
    context.painter.setBrush(Qt::NoBrush);
    context.set_type(size, Face::bold, ink_on(context.style.accent), text);
    context.draw_plain(QPointF(plate.left() + 0.4 * size, plate.center().y() + measure.middle_to_baseline()),
                       text);
}

/// What arrows carry: in proportion to what is carried, on a halo that is seen on every arrow.
void paint_dots_on_arrows(const PaintContext& context, const FigureLayout& layout,
                          const std::vector<MotionDot>& dots) {
    const auto at = static_cast<std::size_t>(dots.front().panel);
    const Panel& panel = context.figure.panels[at];
    const QRectF& area = layout.panels[at].cells;
    if (!panel.flow)
        return;
    const FlowPlan plan = flow_in_room(*panel.flow, area.size(), context.style, context.unit);
    constexpr double least = 0.18, most = 0.5;  // in the size of the type
    for (const MotionDot& dot : dots) {
        const auto arrow = static_cast<std::size_t>(dot.arrow);
        if (dot.panel != dots.front().panel || arrow >= panel.flow->edges.size())
            continue;
        const QPainterPath way = plan.way(panel.flow->edges[arrow], area, 0);
        const double radius = plan.size() * std::max(least, most * std::sqrt(dot.share));
        context.painter.setPen(QPen(context.style.background, context.scaled(1.2)));
        context.painter.setBrush(context.style.accent);
        context.painter.drawEllipse(way.pointAtPercent(std::clamp(dot.way, 0.0, 1.0)), radius, radius);
    }
    context.painter.setBrush(Qt::NoBrush);
}

void paint_words(const PaintContext& context, const QRectF& area, const std::string& words) {
    if (area.isEmpty() || words.empty())
        return;
    const double size = context.type(context.style.caption);
    const TextMeasure measure(size, Face::regular, context.style.family);
    double y = area.top() + measure.ascent();
    for (const QString& line :
         measure.lines(QString::fromStdString(words), area.width(), most_motion_lines)) {
        context.set_type(size, Face::regular, context.style.text, line);
        context.draw_sentence(QPointF(area.left(), y), line);
        y += measure.line();
    }
}

}  // namespace

void paint_motion(const PaintContext& context, const FigureLayout& layout, const MotionMoment& moment) {
    const auto has_panel = [&](Index panel) {
        const auto at = static_cast<std::size_t>(panel);
        return at < context.figure.panels.size() && at < layout.panels.size();
    };
    const auto on_panel = [&](Index panel, const auto& paint) {
        const auto at = static_cast<std::size_t>(panel);
        if (has_panel(panel))
            paint(context.figure.panels[at], layout.panels[at]);
    };
    const auto paint_marks = [&](bool are_empty) {
        for (const MotionMark& mark : moment.marks)
            if ((mark.kind == MotionMark::Kind::unwritten) == are_empty)
                on_panel(mark.panel, [&](const Panel& panel, const PanelLayout& place) {
                    paint_mark(context, panel, place, mark);
                });
    };
    paint_marks(true);
    for (const PartialRow& partial : moment.partial)
        on_panel(partial.panel, [&](const Panel& panel, const PanelLayout& place) {
            paint_partial(context, panel, place, partial);
        });
    paint_marks(false);
    for (const MotionNumber& number : moment.numbers)
        if (has_panel(number.from.panel) && has_panel(number.to.panel))
            paint_number(context, layout, number);
    if (!moment.dots.empty() && has_panel(moment.dots.front().panel))
        paint_dots_on_arrows(context, layout, moment.dots);
    paint_words(context, layout.motion, moment.words);
}

}  // namespace headlight
