#include "ui/views/canvas_marks.h"

#include "ui/views/token_search.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPalette>

#include <algorithm>

namespace headlight {
namespace {

struct CanvasMarksWords {
    Q_DECLARE_TR_FUNCTIONS(CanvasMarksWords)
};

constexpr qreal smallest_ring = 7;

}  // namespace

void paint_place(QPainter& painter, const ShownFigure& shown, const Trace& trace, const CellPlace& place,
                 const QColor& colour) {
    painter.setBrush(Qt::NoBrush);
    for (Index index = 0; index < shown.panel_count(); ++index) {
        const Panel& panel = shown.panel(index);
        if (panel.kind != Panel::Kind::heatmap || panel.thumbnail || panel.blank)
            continue;
        // The weights of compared mechanisms are linked cell by cell; their other stages are not.
        if (panel.site != place.site && (panel.stage != "weights" || place.stage != "weights"))
            continue;
        QRectF outline = shown.place_rect(
            index, linked_place(trace, place, panel.stage, panel.head, stands_for_keys(panel)));
        if (outline.isEmpty())
            continue;
        const qreal missing = std::max(smallest_ring - std::min(outline.width(), outline.height()), 0.0) / 2;
        outline.adjust(-missing, -missing, missing, missing);
        // Dark inside light is seen on every colour of every map.
        painter.setPen(QPen(Qt::white, 3.5));
        painter.drawRoundedRect(outline, 1.5, 1.5);
        painter.setPen(QPen(colour, 1.5));
        painter.drawRoundedRect(outline, 1.5, 1.5);
    }
}

void paint_found(QPainter& painter, const ShownFigure& shown, const Trace& trace, const std::string& site,
                 const TokenSearch& found, const QColor& colour) {
    constexpr qreal thickness = 3, least_length = 3, gap = 1;
    const auto mark = [&](Index index, std::optional<Index> query, std::optional<Index> key) {
        const Panel& panel = shown.panel(index);
        const CellPlace place{site, "weights", panel.head, query, key, false};
        const CellPlace linked = linked_place(trace, place, panel.stage, panel.head, stands_for_keys(panel));
        QRectF line = shown.place_rect(index, linked);
        if (line.isEmpty())
            return;
        const bool is_row = linked.row.has_value() != panel.transposed;
        const qreal missing = std::max(least_length - (is_row ? line.height() : line.width()), 0.0) / 2;
        if (is_row)
            line = QRectF(line.left() - gap - thickness, line.top() - missing, thickness,
                          line.height() + 2 * missing);
        else
            line = QRectF(line.left() - missing, line.top() - gap - thickness, line.width() + 2 * missing,
                          thickness);
        painter.fillRect(line, colour);
    };
    for (Index index = 0; index < shown.panel_count(); ++index) {
        const Panel& panel = shown.panel(index);
        if (panel.kind != Panel::Kind::heatmap || panel.thumbnail || panel.blank || panel.overlay ||
            panel.site != site)
            continue;
        for (const TokenRange& range : found.queries())
            for (Index token = range.first; token <= range.last; ++token) {
                mark(index, token, {});
                if (found.are_one_text())
                    mark(index, {}, token);
            }
        for (const TokenRange& range : found.keys())
            for (Index token = range.first; token <= range.last; ++token)
                mark(index, {}, token);
    }
}

void paint_block(QPainter& painter, const QRectF& block, const QPalette& palette) {
    if (block.isEmpty())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::white, 4));
    painter.drawRect(block);
    painter.setPen(QPen(palette.color(QPalette::Highlight), 2, Qt::DashLine));
    painter.drawRect(block);
}

void paint_block_words(QPainter& painter, const QRectF& area, const QRectF& block, const QPalette& palette,
                       const QStringList& words) {
    constexpr qreal border = 8, gap = 6;
    const qreal widest = area.width() - 2 * (border + gap);
    const QFontMetrics metrics = painter.fontMetrics();
    QStringList lines;
    qreal width = 0;
    for (const QString& line : words) {
        lines += metrics.elidedText(line, Qt::ElideMiddle, static_cast<int>(widest));
        width = std::max<qreal>(width, metrics.horizontalAdvance(lines.back()));
    }
    QRectF chip(0, 0, width + 2 * border, metrics.lineSpacing() * static_cast<qreal>(lines.size()) + border);
    const QRectF room = area.adjusted(gap, gap, -gap, -gap);
    chip.moveTopLeft(block.isEmpty() ? room.topLeft() : block.bottomLeft() + QPointF(0, gap));
    if (chip.bottom() > room.bottom())
        chip.moveBottom(block.top() - gap >= room.top() + chip.height() ? block.top() - gap : room.bottom());
    chip.moveLeft(std::clamp(chip.left(), room.left(), std::max(room.right() - chip.width(), room.left())));
    painter.setPen(palette.color(QPalette::Mid));
    painter.setBrush(palette.color(QPalette::ToolTipBase));
    painter.drawRoundedRect(chip, 4, 4);
    painter.setPen(palette.color(QPalette::ToolTipText));
    painter.drawText(chip.adjusted(border, border / 2, -border, -border / 2),
                     Qt::AlignLeft | Qt::AlignVCenter, lines.join(QChar('\n')));
}

void paint_stale(QPainter& painter, const QRectF& area, const QPalette& palette) {
    QColor veil = palette.color(QPalette::Base);
    veil.setAlphaF(0.6F);
    painter.fillRect(area, veil);
}

namespace {

void paint_chip(QPainter& painter, const QRectF& area, const QPalette& palette, const QString& text,
                Qt::Edge side) {
    const QSizeF words = painter.fontMetrics().size(Qt::TextSingleLine, text);
    QRectF chip(QPointF(), words + QSizeF(16, 8));
    if (side == Qt::RightEdge)
        chip.moveTopRight(area.topRight() + QPointF(-8, 8));
    else
        chip.moveTopLeft(area.topLeft() + QPointF(8, 8));
    painter.setPen(palette.color(QPalette::Mid));
    painter.setBrush(palette.color(QPalette::ToolTipBase));
    painter.drawRoundedRect(chip, 4, 4);
    painter.setPen(palette.color(QPalette::ToolTipText));
    painter.drawText(chip, Qt::AlignCenter, text);
}

}  // namespace

void paint_remark(QPainter& painter, const QRectF& area, const QPalette& palette, const QString& remark) {
    paint_chip(painter, area, palette, remark, Qt::LeftEdge);
}

void paint_zoom(QPainter& painter, const QRectF& area, const QPalette& palette, const Zoom& zoom) {
    const auto part = [](const AxisWindow& window) {
        return CanvasMarksWords::tr("%1 to %2 of %3")
            .arg(window.first() + 1)
            .arg(window.first() + window.count())
            .arg(window.extent());
    };
    const QString text = CanvasMarksWords::tr("Rows %1, columns %2. Ctrl+0 shows all.")
                             .arg(part(zoom.rows), part(zoom.columns));
    paint_chip(painter, area, palette, text, Qt::RightEdge);
}

void paint_notice(QPainter& painter, const QRect& area, const QPalette& palette, const QString& notice) {
    painter.fillRect(area, palette.base());
    painter.setPen(palette.color(QPalette::PlaceholderText));
    painter.drawText(area.adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, notice);
}

}  // namespace headlight
