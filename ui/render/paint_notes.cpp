#include "ui/render/paint_context.h"

#include <QLineF>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

QPointF middle_of(const Panel& panel, const QRectF& cells, const NotedCell& cell) {
    return {cells.left() +
                cells.width() * (static_cast<double>(cell.column) + 0.5) / static_cast<double>(panel.columns),
            cells.top() +
                cells.height() * (static_cast<double>(cell.row) + 0.5) / static_cast<double>(panel.rows)};
}

/// On a ground of the figure's background, so that it is read on every colour; inside of the matrix as far as
/// it goes in. Returns where it stands.
QRectF paint_note_text(const PaintContext& context, const std::string& said, QPointF middle,
                       const QRectF& cells) {
    const FigureStyle& style = context.style;
    const double size = context.type(style.label);
    const TextMeasure measure(size, Face::bold, style.family);
    const QString text = measure.elided(QString::fromStdString(said), std::max(cells.width(), 6 * size));
    QRectF plate(0, 0, measure.width(text) + 0.6 * size, 1.35 * size);
    plate.moveCenter(middle);
    plate.moveLeft(
        std::clamp(plate.left(), cells.left(), std::max(cells.left(), cells.right() - plate.width())));
    plate.moveTop(
        std::clamp(plate.top(), cells.top(), std::max(cells.top(), cells.bottom() - plate.height())));
    QColor ground = style.background;
    ground.setAlphaF(0.88f);
    context.painter.setPen(Qt::NoPen);
    context.painter.setBrush(ground);
    context.painter.drawRoundedRect(plate, 0.25 * size, 0.25 * size);
    context.painter.setBrush(Qt::NoBrush);
    context.set_type(size, Face::bold, style.text, text);
    context.draw_sentence(
        QPointF(plate.left() + 0.3 * size, plate.center().y() + measure.middle_to_baseline()), text);
    return plate;
}

/// A line with a head, light around dark: seen on every colour.
void paint_arrow(const PaintContext& context, const QLineF& line) {
    const FigureStyle& style = context.style;
    const double head = std::min(context.scaled(5.5), 0.5 * line.length());
    const QPointF along = QPointF(line.dx(), line.dy()) / std::max(line.length(), 1e-9),
                  across(-along.y(), along.x());
    const QPointF neck = line.p2() - head * along;
    const QPointF triangle[] = {line.p2(), neck + 0.45 * head * across, neck - 0.45 * head * across};
    const auto paint = [&](double wider, const QColor& colour) {
        context.painter.setPen(QPen(colour, context.scaled(1.5 * style.mark_line + wider), Qt::SolidLine,
                                    Qt::RoundCap, Qt::MiterJoin));
        context.painter.drawLine(line.p1(), neck);
        context.painter.setPen(
            QPen(colour, std::max(context.scaled(wider), 0.1), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        context.painter.setBrush(colour);
        context.painter.drawPolygon(triangle, 3);
        context.painter.setBrush(Qt::NoBrush);
    };
    paint(1.2, style.background);
    paint(0, style.accent);
}

/// Where the way from the middle of a plate leaves it.
QPointF edge_of(const QRectF& plate, QPointF to) {
    const QPointF way = to - plate.center();
    const double share = std::min(0.5 * plate.width() / std::max(std::abs(way.x()), 1e-9),
                                  0.5 * plate.height() / std::max(std::abs(way.y()), 1e-9));
    return plate.center() + std::min(share, 1.0) * way;
}

void paint_corner_letter(const PaintContext& context, const Panel& panel, const QRectF& cells) {
    const FigureStyle& style = context.style;
    const double size = context.type(style.panel_title);
    const TextMeasure measure(size, Face::bold, style.family);
    const QString letter = QString::fromStdString(panel.letter);
    const QRectF plate(cells.left(), cells.top(), measure.width(letter) + 0.6 * size, 1.4 * size);
    QColor ground = style.background;
    ground.setAlphaF(0.9f);
    context.painter.fillRect(plate, ground);
    context.set_type(size, Face::bold, style.text, letter);
    context.draw_plain(QPointF(plate.left() + 0.3 * size, plate.center().y() + measure.middle_to_baseline()),
                       letter);
}

}  // namespace

void paint_notes(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    context.painter.setRenderHint(QPainter::Antialiasing);
    for (const CellNote& note : panel.notes) {
        if (panel.newest_row && note.cell.row > *panel.newest_row)
            continue;
        const QPointF at = middle_of(panel, place.cells, note.cell);
        if (!note.from) {
            paint_note_text(context, note.text, at, place.cells);
            continue;
        }
        QPointF start = middle_of(panel, place.cells, *note.from);
        if (!note.text.empty())
            start = edge_of(paint_note_text(context, note.text, start, place.cells), at);
        paint_arrow(context, {start, at});
    }
    if (!panel.letter.empty() && context.figure.letters_at == LetterPlace::inside)
        paint_corner_letter(context, panel, place.cells);
}

}  // namespace headlight
