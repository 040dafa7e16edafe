#include "ui/render/cell_image.h"
#include "ui/render/hatching.h"
#include "ui/render/paint_context.h"

#include "core/figure/cell_signs.h"
#include "core/figure/panel_numbers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {

namespace {

constexpr double by_hand_side = 5;                      // points, of the corner of a cell that a person set
constexpr double sign_side = 4, least_signed_cell = 4;  // points
constexpr double cell_grid_from = 9;  // points: cells from this size on are separated by thin lines

/// The matrix's drawn part, and where its edges lie: on whole pixels where there are pixels.
class Edges {
public:
    Edges(const QPainter& painter, const Panel& panel, const QRectF& cells)
        : painter_(painter), panel_(panel), cells_(cells),
          drawn_(on_pixels(painter, strip(0, drawn_rows(panel)))) {}

    const QRectF& drawn() const { return drawn_; }
    double x(Index column) const {
        return drawn_.left() +
               drawn_.width() * static_cast<double>(column) / static_cast<double>(panel_.columns);
    }
    double y(Index row) const {
        return drawn_.top() +
               drawn_.height() * static_cast<double>(row) / static_cast<double>(drawn_rows(panel_));
    }
    QRectF rows(Index first, Index count) const {
        return on_pixels(painter_,
                         QRectF(QPointF(drawn_.left(), y(first)), QPointF(drawn_.right(), y(first + count))));
    }
    QRectF columns(Index first, Index count) const {
        return on_pixels(painter_,
                         QRectF(QPointF(x(first), drawn_.top()), QPointF(x(first + count), drawn_.bottom())));
    }
    QRectF cell(Index row, Index column) const {
        return QRectF(QPointF(x(column), y(row)), QPointF(x(column + 1), y(row + 1)));
    }

private:
    QRectF strip(Index first, Index count) const {
        const double height = cells_.height() / static_cast<double>(std::max<Index>(1, panel_.rows));
        return QRectF(cells_.left(), cells_.top() + height * static_cast<double>(first), cells_.width(),
                      height * static_cast<double>(count));
    }

    const QPainter& painter_;
    const Panel& panel_;
    QRectF cells_, drawn_;
};

void paint_rectangles(const PaintContext& context, const Panel& panel, const Edges& edges) {
    const CellCodes cells = cell_codes(panel, panel.rows, panel.columns);
    const CellPalette palette = cell_palette(panel, context.style);
    context.painter.setPen(Qt::NoPen);
    // Each rectangle reaches a little under its right and lower neighbours, which then cover it: viewers that
    // smooth edges would show the paper between rectangles that only touch.
    const double bleed = 0.1 * std::min(edges.cell(0, 0).width(), edges.cell(0, 0).height());
    for (Index row = 0; row < cells.rows; ++row) {
        for (Index column = 0; column < cells.columns;) {
            Index end = column + 1;
            while (end < cells.columns && cells.at(row, end) == cells.at(row, column))
                ++end;
            const QPointF corner(edges.x(end) + (end < cells.columns ? bleed : 0),
                                 edges.y(row + 1) + (row + 1 < cells.rows ? bleed : 0));
            context.painter.fillRect(QRectF(QPointF(edges.x(column), edges.y(row)), corner),
                                     QColor(palette[cells.at(row, column)]));
            column = end;
        }
    }
}

/// Upright and level lines that all have the same whole number of device pixels: a pen of 1.67 pixels would
/// be drawn as one or two, depending on where each line falls.
void fill_pixel_lines(QPainter& painter, const QList<QLineF>& lines, double width, const QColor& colour) {
    const QTransform to_device = painter.deviceTransform(), from_device = to_device.inverted();
    const double pixels = std::max(1.0, std::round(width * to_device.m11()));
    for (const QLineF& line : lines) {
        const QRectF along = to_device.mapRect(QRectF(line.p1(), line.p2()));
        const QRectF on_device =
            line.dx() == 0
                ? QRectF(std::round(along.left() - 0.5 * pixels), along.top(), pixels, along.height())
                : QRectF(along.left(), std::round(along.top() - 0.5 * pixels), along.width(), pixels);
        painter.fillRect(from_device.mapRect(on_device), colour);
    }
}

void paint_grid(const PaintContext& context, const Panel& panel, const Edges& edges) {
    const QSizeF cell = edges.cell(0, 0).size();
    if (std::min(cell.width(), cell.height()) < context.scaled(cell_grid_from) || panel.thumbnail)
        return;
    QList<QLineF> lines;
    for (Index column = 1; column < panel.columns; ++column)
        lines.append(QLineF(edges.x(column), edges.drawn().top(), edges.x(column), edges.drawn().bottom()));
    for (Index row = 1; row < drawn_rows(panel); ++row)
        lines.append(QLineF(edges.drawn().left(), edges.y(row), edges.drawn().right(), edges.y(row)));
    const double width = context.scaled(context.style.grid_line);
    if (draws_pixels(context.painter))
        return fill_pixel_lines(context.painter, lines, width, context.style.grid);
    context.set_line(width, context.style.grid);
    context.painter.drawLines(lines);
}

double hatch_width(const PaintContext& context) { return context.scaled(0.6 * context.style.frame_line); }

void paint_hatching(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const QList<QLineF> lines = hatch_lines(panel, place.cells, context.scaled(context.style.hatch_spacing));
    if (lines.isEmpty())
        return;
    // Lines over a large map are long, and drawn with each step of a zoom: smooth ones take up to eight times
    // as long.
    context.painter.setRenderHint(QPainter::Antialiasing, !(panel.large && draws_pixels(context.painter)));
    context.set_line(hatch_width(context), context.style.hatch);
    context.painter.drawLines(lines);
}

/// The cells of a panel as one image; true where it is hatched already.
bool paint_image(const PaintContext& context, const Panel& panel, const QRectF& area) {
    const bool may_hatch = panel.large && !panel.thumbnail && draws_pixels(context.painter) &&
                           context.options.cells == CellDrawing::device_pixels;
    const double pixels = context.painter.deviceTransform().m11(), width = pixels * hatch_width(context);
    bool is_hatched = false;
    CellPalette palette = cell_palette(panel, context.style);
    // As a line is that is thinner than a pixel.
    palette[CellCodes::hatched] =
        mixed(context.style.forbidden, context.style.hatch, std::min(1.0, width)).rgb();
    paint_codes(context, area, palette, panel.rows, panel.columns,
                [&](Index rows, Index columns, CellCodes& cells) {
                    write_cell_codes(panel, rows, columns, cells);
                    is_hatched = may_hatch && cells.rows == rows && cells.columns == columns;
                    if (is_hatched)
                        hatch_pixels(cells, pixels * context.scaled(context.style.hatch_spacing),
                                     std::max<Index>(1, std::lround(std::numbers::sqrt2 * width)));
                });
    return is_hatched;
}

/// The small signs of cells whose colour does not say all, in the ink that reads on it: in the middle, or in
/// a corner beside a number.
void paint_signs(const PaintContext& context, const Panel& panel, const PanelLayout& place,
                 const Edges& edges) {
    const QSizeF size = edges.cell(0, 0).size();
    const double narrow = std::min(size.width(), size.height());
    if (narrow < context.scaled(least_signed_cell))
        return;
    const std::vector<SignedCell> signs = signed_cells(panel);
    if (signs.empty())
        return;
    const CellCodes cells = cell_codes(panel, panel.rows, panel.columns);
    const CellPalette palette = cell_palette(panel, context.style);
    const double half = 0.5 * std::min(context.scaled(sign_side), 0.6 * narrow);
    context.painter.setRenderHint(QPainter::Antialiasing);
    for (const SignedCell& each : signs) {
        const QRectF cell = edges.cell(each.row, each.column);
        const bool is_beside_number = place.values && each.sign != CellSign::no_number && narrow > 4 * half;
        const QPointF middle =
            is_beside_number ? cell.bottomRight() - QPointF(1.5 * half, 1.5 * half) : cell.center();
        const QColor ink = ink_on(QColor(palette[cells.at(each.row, each.column)]));
        const QRectF box(middle - QPointF(half, half), QSizeF(2 * half, 2 * half));
        if (each.sign == CellSign::above || each.sign == CellSign::below) {
            const bool up = each.sign == CellSign::above;
            const QPointF triangle[] = {up ? box.bottomLeft() : box.topLeft(),
                                        up ? box.bottomRight() : box.topRight(),
                                        {middle.x(), up ? box.top() : box.bottom()}};
            context.painter.setPen(Qt::NoPen);
            context.painter.setBrush(ink);
            context.painter.drawPolygon(triangle, 3);
            context.painter.setBrush(Qt::NoBrush);
            continue;
        }
        context.set_line(std::max(0.2 * half, context.scaled(0.6 * context.style.frame_line)), ink);
        if (each.sign == CellSign::infinite) {
            context.painter.drawEllipse(box);
        } else {
            context.painter.drawLine(box.topLeft(), box.bottomRight());
            context.painter.drawLine(box.bottomLeft(), box.topRight());
        }
    }
}

void paint_values(const PaintContext& context, const Panel& panel, const PanelLayout& place,
                  const Edges& edges) {
    const CellCodes cells = cell_codes(panel, panel.rows, panel.columns);
    const CellPalette palette = cell_palette(panel, context.style);
    const TextMeasure text(place.value_size, Face::regular, context.style.family);
    NumberInks inks(palette, context.style);
    context.set_type(place.value_size, Face::regular, Qt::black);
    for (Index row = 0; row < cells.rows; ++row) {
        for (Index column = 0; column < cells.columns; ++column) {
            const double value = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
            const std::uint16_t code = cells.at(row, column);
            if (code == CellCodes::forbidden || code == CellCodes::missing)
                continue;
            const std::string written = cell_text(value, place.value_decimals);
            context.painter.setPen(inks.of(code, written));
            const QString number = QString::fromStdString(written);
            const QPointF middle = edges.cell(row, column).center();
            context.draw_plain(
                QPointF(middle.x() - 0.5 * text.width(number), middle.y() + text.middle_to_baseline()),
                number, 0.5);
        }
    }
}

void outline(const PaintContext& context, const QRectF& rectangle, double width, const QColor& colour) {
    context.set_line(context.scaled(width), colour);
    context.painter.drawRect(rectangle);
}

/// A corner of each cell that a person set, in the ink that reads on its colour.
void paint_set_by_hand(const PaintContext& context, const Panel& panel, const Edges& edges) {
    if (panel.by_hand.empty())
        return;
    const CellCodes cells = cell_codes(panel, panel.rows, panel.columns);
    const CellPalette palette = cell_palette(panel, context.style);
    context.painter.setRenderHint(QPainter::Antialiasing);
    context.painter.setPen(Qt::NoPen);
    for (Index row = 0; row < drawn_rows(panel); ++row)
        for (Index column = 0; column < panel.columns; ++column) {
            if (!panel.by_hand[static_cast<std::size_t>(row * panel.columns + column)])
                continue;
            const QRectF cell = edges.cell(row, column);
            const double side =
                std::min(context.scaled(by_hand_side), 0.5 * std::min(cell.width(), cell.height()));
            const QPointF corner = cell.topRight();
            const QPointF triangle[] = {corner, corner - QPointF(side, 0), corner + QPointF(0, side)};
            context.painter.setBrush(ink_on(QColor(palette[cells.at(row, column)])));
            context.painter.drawPolygon(triangle, 3);
        }
    context.painter.setBrush(Qt::NoBrush);
}

constexpr double least_beside_mark = 0.75;  // points

double beside_mark(const FigureStyle& style) { return std::max(least_beside_mark, style.frame_line); }

/// A frame of the selection.
void frame_selected(const PaintContext& context, const QRectF& cells, double line) {
    const FigureStyle& style = context.style;
    frame_on_any_colour(context, cells,
                        {context.scaled(line), context.scaled(beside_mark(style)), style.mark});
}

/// A frame around the cell would hide it, and its neighbours: it is one of very many columns, or rows.
struct ThinCell {
    bool is_column = false, is_row = false;

    ThinCell(const PaintContext& context, const QRectF& cell) {
        constexpr double much_longer = 2.5;
        const double frame = 1.5 * context.scaled(context.style.mark_line + 2 * beside_mark(context.style));
        is_column = cell.width() < frame && cell.height() > much_longer * cell.width();
        is_row = cell.height() < frame && cell.width() > much_longer * cell.height();
    }
    bool is_thin() const { return is_column || is_row; }
};

/// A pointer whose tip stands at `tip`; it comes from where `from` leads.
void point_at(const PaintContext& context, QPointF tip, QPointF from) {
    constexpr double length = 4, half_width = 3;  // points
    const QPointF back = tip + context.scaled(length) * from,
                  aside = context.scaled(half_width) * QPointF(from.y(), from.x());
    const QPointF corners[] = {tip, back + aside, back - aside};
    context.painter.save();
    context.painter.setRenderHint(QPainter::Antialiasing);
    context.set_line(context.scaled(2 * beside_mark(context.style)), context.style.background);
    context.painter.drawPolygon(corners, 3);
    context.painter.setPen(Qt::NoPen);
    context.painter.setBrush(context.style.mark);
    context.painter.drawPolygon(corners, 3);
    context.painter.restore();
}

/// Pointers at both ends of the column or row that a thin cell stands in, and where `is_one` at those of the
/// cell.
void point_at_thin(const PaintContext& context, const ThinCell& thin, const QRectF& all, const QRectF& cell,
                   bool is_one) {
    const QPointF middle = cell.center();
    for (const QRectF& ends : {all, is_one ? cell : all}) {
        if (thin.is_column) {
            point_at(context, QPointF(middle.x(), ends.top()), QPointF(0, -1));
            point_at(context, QPointF(middle.x(), ends.bottom()), QPointF(0, 1));
        } else {
            point_at(context, QPointF(ends.left(), middle.y()), QPointF(-1, 0));
            point_at(context, QPointF(ends.right(), middle.y()), QPointF(1, 0));
        }
    }
}

void paint_marks(const PaintContext& context, const Panel& panel, const Edges& edges) {
    const FigureStyle& style = context.style;
    const bool row = panel.selected_row && *panel.selected_row < drawn_rows(panel);
    // In the colour of what is selected only where no other row is.
    if (frames_newest_row(panel)) {
        const Index newest = drawn_rows(panel) - 1;
        constexpr double thickest = 0.25;  // in the height of the row, of which as much is seen
        const QRectF framed = edges.rows(newest, 1);
        const double thick = thickest * framed.height();
        const bool is_quiet = row && *panel.selected_row != newest;
        frame_on_any_colour(context, framed,
                            {std::min(context.scaled(style.mark_line), thick),
                             std::min(context.scaled(beside_mark(style)), 0.5 * thick),
                             is_quiet ? style.text : style.mark});
    }
    const bool column = panel.selected_column && *panel.selected_column < panel.columns;
    const QRectF cell = edges.cell(row ? *panel.selected_row : 0, column ? *panel.selected_column : 0);
    const ThinCell thin(context, cell);
    if (row && !thin.is_row)
        frame_selected(context, edges.rows(*panel.selected_row, 1), style.frame_line);
    if (column && !thin.is_column)
        frame_selected(context, edges.columns(*panel.selected_column, 1), style.frame_line);
    if (thin.is_thin() && (thin.is_column ? column : row))
        point_at_thin(context, thin, edges.drawn(), cell, row && column);
    if (row && column && !thin.is_thin())
        frame_selected(context, cell, style.mark_line);
}

/// Frames around the cells that a person points out, large enough to be found among very small ones.
void paint_outlined(const PaintContext& context, const Panel& panel, const Edges& edges) {
    constexpr double least = 4;  // points
    const FigureStyle& style = context.style;
    for (const MarkedCells& each : panel.outlined) {
        const Index end = std::min(each.rows.first + each.rows.count, drawn_rows(panel));
        if (end <= each.rows.first)
            continue;
        QRectF around(QPointF(edges.x(each.columns.first), edges.y(each.rows.first)),
                      QPointF(edges.x(each.columns.first + each.columns.count), edges.y(end)));
        const double wider = std::max(0.0, 0.5 * (context.scaled(least) - around.width())),
                     higher = std::max(0.0, 0.5 * (context.scaled(least) - around.height()));
        around.adjust(-wider, -higher, wider, higher);
        frame_on_any_colour(
            context, around,
            {context.scaled(1.3 * style.mark_line), context.scaled(0.65 * style.mark_line), style.mark});
    }
}

}  // namespace

void paint_cells(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const FigureStyle& style = context.style;
    if (panel.rows == 0 || panel.columns == 0)
        return;
    const Edges edges(context.painter, panel, place.cells);
    context.painter.setRenderHint(QPainter::Antialiasing, false);
    if (panel.overlay) {
        paint_overlay(context, panel, edges.drawn());
        paint_hatching(context, panel, place);
    } else if (drawn_rows(panel) > 0) {
        bool needs_hatching = !panel.thumbnail;
        if (context.options.cells == CellDrawing::rectangles && !panel.thumbnail && !panel.large)
            paint_rectangles(context, panel, edges);
        else
            needs_hatching = !paint_image(context, panel, edges.drawn()) && needs_hatching;
        paint_grid(context, panel, edges);
        if (needs_hatching)
            paint_hatching(context, panel, place);
        if (place.values)
            paint_values(context, panel, place, edges);
        if (!panel.thumbnail) {
            paint_set_by_hand(context, panel, edges);
            paint_signs(context, panel, place, edges);
        }
    }
    context.painter.setRenderHint(QPainter::Antialiasing);
    const QRectF all = on_pixels(context.painter, place.cells);
    const bool marked = panel.thumbnail && panel.in_focus;
    outline(context, all, marked ? style.mark_line : style.frame_line, marked ? style.accent : style.frame);
    if (panel.overlay)
        outline_patch(context, panel, edges.drawn());
    else
        paint_marks(context, panel, edges);
    paint_outlined(context, panel, edges);
}

}  // namespace headlight
