#include "ui/render/label_plan.h"
#include "ui/render/paint_context.h"

#include "core/figure/ticks.h"

#include <cmath>

namespace headlight {

namespace {

bool is_marked(const AxisLabels& axis, Index at) {
    const auto i = static_cast<std::size_t>(at);
    return i < axis.marked.size() && axis.marked[i];
}

/// A label where the painter's origin is its baseline; unknown words in italics over dots.
void draw_label(const PaintContext& context, const AxisLabels& axis, Index at, const QString& text,
                double size, double width, Face face, const QColor& colour) {
    const bool marked = is_marked(axis, at);
    context.set_type(size, marked ? Face::italic : face, colour);
    context.painter.drawText(QPointF(0, 0), text);
    if (!marked)
        return;
    QPen dots(colour, 0.09 * size, Qt::CustomDashLine, Qt::RoundCap);
    dots.setDashPattern({0.01, 2});
    context.painter.setPen(dots);
    context.painter.drawLine(QPointF(0, 0.22 * size), QPointF(width, 0.22 * size));
}

/// Runs `draw` with the origin at `origin` and the x axis turned upwards by `angle` degrees.
template <class Draw>
void turned(QPainter& painter, QPointF origin, double angle, const Draw& draw) {
    const QTransform before = painter.worldTransform();
    painter.translate(origin);
    if (angle != 0)
        painter.rotate(-angle);
    draw();
    painter.setWorldTransform(before);
}

Face label_face(const Panel& panel, Index row) {
    const bool strong = panel.newest_row == row || panel.selected_row == row;
    return strong ? Face::bold : Face::regular;
}

QColor label_colour(const PaintContext& context, const Panel& panel, Index row) {
    if (panel.newest_row && row > *panel.newest_row)
        return context.style.hatch;
    if (panel.newest_row && row < *panel.newest_row)
        return context.style.quiet_text;
    return context.style.text;
}

void paint_row_labels(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const double cell = place.cells.height() / static_cast<double>(panel.rows);
    const TextMeasure text(place.label_size, Face::regular), bold(place.label_size, Face::bold);
    for (Index row = 0; row < panel.rows; ++row) {
        if (!label_shows(panel.row_axis, row, place.row_stride) && panel.newest_row != row)
            continue;
        const Face face = label_face(panel, row);
        const TextMeasure& measure = face == Face::bold ? bold : text;
        const QString label =
            measure.elided(label_text(panel.row_axis, row), place.row_label_area.width() * 1.001);
        const double width = measure.width(label);
        const QPointF origin(place.row_label_area.right() - width,
                             place.cells.top() + (static_cast<double>(row) + 0.5) * cell +
                                 text.middle_to_baseline());
        turned(context.painter, origin, 0, [&] {
            draw_label(context, panel.row_axis, row, label, place.label_size, width, face,
                       label_colour(context, panel, row));
        });
    }
}

void paint_column_labels(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const double cell = place.cells.width() / static_cast<double>(panel.columns);
    const TextMeasure text(place.label_size, Face::regular);
    const QRectF& area = place.column_label_area;
    const double most = place.column_angle == 45   ? area.height() / std::sqrt(0.5) - place.label_size
                        : place.column_angle == 90 ? area.height()
                                                   : cell * place.column_stride;
    for (Index column = 0; column < panel.columns; ++column) {
        if (!label_shows(panel.column_axis, column, place.column_stride))
            continue;
        const QString label = text.elided(label_text(panel.column_axis, column), most * 1.001);
        const double width = text.width(label),
                     x = place.cells.left() + (static_cast<double>(column) + 0.5) * cell;
        QPointF origin(x - 0.5 * width, area.bottom() - text.descent() * 0.5);
        if (place.column_angle == 90)
            origin = QPointF(x + text.middle_to_baseline(), area.bottom());
        else if (place.column_angle == 45)
            origin = QPointF(x + 0.5 * text.middle_to_baseline(), area.bottom());
        const Face face = panel.selected_column == column ? Face::bold : Face::regular;
        turned(context.painter, origin, place.column_angle, [&] {
            draw_label(context, panel.column_axis, column, label, place.label_size, width, face,
                       context.style.text);
        });
    }
}

void paint_row_sums(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const double size = std::min(context.scaled(context.style.value), place.label_size);
    const double cell = place.cells.height() / static_cast<double>(panel.rows);
    const TextMeasure text(size, Face::regular);
    context.set_type(size, Face::regular, context.style.quiet_text);
    const auto right_aligned = [&](const QString& label, double baseline) {
        context.painter.drawText(QPointF(place.row_sums.right() - text.width(label), baseline), label);
    };
    right_aligned(QStringLiteral("Σ"), place.row_sums.top() - 0.45 * place.label_size - 0.5 * text.descent());
    for (Index row = 0; row < panel.rows; ++row) {
        if (!label_shows(panel.row_axis, row, place.row_stride) ||
            (panel.newest_row && row > *panel.newest_row))
            continue;
        const auto i = static_cast<std::size_t>(row);
        const bool flagged = i < panel.flagged_rows.size() && panel.flagged_rows[i];
        right_aligned(
            flagged ? QStringLiteral("∅") : QString::fromStdString(format_fixed(panel.row_sums[i], 2)),
            place.cells.top() + (static_cast<double>(row) + 0.5) * cell + text.middle_to_baseline());
    }
}

}  // namespace

void paint_panel_title(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const FigureStyle& style = context.style;
    const double size = context.scaled(style.panel_title);
    const TextMeasure bold(size, Face::bold);
    const bool emphasised =
        panel.in_focus && context.figure.panels.size() > 1 && context.figure.theme != FigureTheme::paper;
    double baseline = place.title.top() + bold.ascent();
    context.set_type(size, Face::bold, emphasised ? style.accent : style.text);
    context.painter.drawText(QPointF(place.title.left(), baseline),
                             bold.elided(QString::fromStdString(panel.title), place.title.width() * 1.001));
    if (panel.subtitle.empty())
        return;
    const double small = context.scaled(style.subtitle);
    const TextMeasure regular(small, Face::regular);
    baseline += 1.3 * small;
    context.set_type(small, Face::regular, style.quiet_text);
    context.painter.drawText(
        QPointF(place.title.left(), baseline),
        regular.elided(QString::fromStdString(panel.subtitle), place.title.width() * 1.001));
}

void paint_labels(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    if (panel.rows == 0 || panel.columns == 0)
        return;
    if (place.row_labels)
        paint_row_labels(context, panel, place);
    if (place.column_labels)
        paint_column_labels(context, panel, place);
    if (!place.row_sums.isEmpty())
        paint_row_sums(context, panel, place);
}

}  // namespace headlight
