#include "ui/views/weight_drag.h"

#include "core/figure/view.h"
#include "core/workbench/intervention_edits.h"
#include "ui/models/document.h"
#include "ui/render/fixed_text.h"

#include <QPainter>
#include <QPalette>

#include <cmath>

namespace headlight {

std::optional<Intervention> changeable_weight(const Document& document, const CellPlace& place) {
    const std::shared_ptr<const Run> run = document.run();
    if (!run || !run->transcript || !place.is_cell())
        return std::nullopt;
    const Stage* stage = run->trace->find(place.stage, place.site);
    const WeightLens lens = drawn_lens(document.view().view, document.session().figure);
    const bool pools_heads = lens.pooled && stage && stage->heads() > 1;
    if (pools_heads || lens.pooled == PooledHeads::rollout || lens.pooled_layers)
        return std::nullopt;  // what is drawn there is no head's
    return weight_at(*run->transcript, select_place(*run->trace, {}, place));
}

WeightDrag::WeightDrag(Document& document, const CellPlace& place, const Intervention& at, QPointF start)
    : place_(place), movement_(document, at), first_(at.weight), start_(start) {}

void WeightDrag::move(QPointF to) {
    constexpr double whole = 160;  // pixels from 0 to 1: half a turn of the wrist
    // In hundredths, so that a chip says what was set.
    const double weight = first_ + (start_.y() - to.y()) / whole;
    movement_.move_to(std::round(100 * weight) / 100);
}

void paint_weight(QPainter& painter, const QRectF& cell, const QPalette& palette, double weight) {
    const QString text = fixed_text(weight, 2);
    const QSizeF words = painter.fontMetrics().size(Qt::TextSingleLine, QStringLiteral("0.00"));
    QRectF bubble(QPointF(), words + QSizeF(24, 18));
    bubble.moveCenter(cell.center());
    bubble.moveBottom(cell.top() - 6);
    if (bubble.top() < 0)
        bubble.moveTop(cell.bottom() + 6);
    painter.setPen(QPen(palette.color(QPalette::Highlight), 1.5));
    painter.setBrush(palette.color(QPalette::ToolTipBase));
    painter.drawRoundedRect(bubble, 4, 4);
    painter.setPen(palette.color(QPalette::ToolTipText));
    painter.drawText(bubble.adjusted(0, 0, 0, -8), Qt::AlignCenter, text);
    QRectF bar(bubble.left() + 8, bubble.bottom() - 9, bubble.width() - 16, 4);
    painter.fillRect(bar, palette.color(QPalette::Mid));
    bar.setWidth(bar.width() * weight);
    painter.fillRect(bar, palette.color(QPalette::Highlight));
}

}  // namespace headlight
