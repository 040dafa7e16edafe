#include "ui/render/label_plan.h"
#include "ui/render/paint_context.h"
#include "ui/render/text_flow.h"
#include "ui/render/text_shade.h"
#include "ui/render/token_painter.h"

#include <algorithm>

namespace headlight {
namespace {

/// Below the text; pages are counted at its other end.
void paint_legend(const PaintContext& context, const Panel& panel, const PanelLayout& place,
                  const TextInks& inks) {
    const TextLegend legend = text_legend(panel, place.legend.width(), context.style, context.unit);
    const double size = legend.size, last = place.legend.bottom();
    const TextMeasure text(size, Face::regular, context.style.family);
    const QString page = place.text_pages > 1
                             ? QStringLiteral("page %1 of %2").arg(place.text_page).arg(place.text_pages)
                             : QString();
    // The line that the page is counted in leaves it room.
    const double page_room = page.isEmpty() ? 0 : text.width(page) + size;
    const bool are_beside = !legend.is_stacked && !legend.looks.isEmpty() && !legend.seen.isEmpty();
    double x = place.legend.left(), y = last - text.descent() - (legend.is_stacked ? 1.3 * size : 0);
    const auto entry = [&](const QColor& ink, double height, const QString& words) {
        if (words.isEmpty())
            return;
        context.painter.setPen(Qt::NoPen);
        context.painter.fillRect(QRectF(x, y - height, size, height), ink);
        const bool is_last_line = y + text.descent() > last - 0.5 * size;
        double end = place.legend.right() - (is_last_line ? page_room : 0);
        if (!page.isEmpty() && are_beside)  // each has its half of what the page leaves
            end = std::min(end, x + 0.5 * (place.legend.width() - page_room));
        const QString written = text.elided(words, std::max(0.0, end - x - 1.4 * size));
        context.set_type(size, Face::regular, context.style.quiet_text);
        context.draw_plain(QPointF(x + 1.4 * size, y), written);
        if (legend.is_stacked) {
            y += 1.3 * size;
            return;
        }
        x += text.width(written) + 2.9 * size;
        x = page.isEmpty() ? x : std::min(x, end + 0.5 * size);
    };
    entry(inks.looks, 0.7 * size, legend.looks);
    entry(inks.seen, 0.25 * size, legend.seen);
    if (!page.isEmpty()) {
        context.set_type(size, Face::regular, context.style.quiet_text);
        context.draw_plain(QPointF(place.legend.right() - text.width(page), last - text.descent()), page, 1);
    }
}

}  // namespace

void paint_text(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const TextInks inks(context.style);
    const TextMeasure text(place.label_size, Face::regular, context.style.family);
    QPainter& painter = context.painter;
    painter.setRenderHint(QPainter::Antialiasing);
    const double most_looked_at = most_of_row(panel, 0), most_seen = most_of_row(panel, 1);
    const std::optional<Index> selected = panel.selected_column ? panel.selected_column : panel.selected_row;
    for (Index column = 0; column < panel.columns; ++column) {
        const auto at = static_cast<std::size_t>(column);
        const QRectF& token = place.tokens[at];
        if (token.isEmpty())
            continue;
        const double strip = 0.16 * place.label_size;
        const QRectF body = token.adjusted(0, 0, 0, -1.6 * strip);
        const QColor fill = text_shade(inks.looks, panel.values[at], most_looked_at);
        painter.setPen(Qt::NoPen);
        painter.fillRect(body, fill);
        painter.fillRect(
            QRectF(token.left(), token.bottom() - strip, token.width(), strip),
            text_shade(inks.seen, panel.values[at + static_cast<std::size_t>(panel.columns)], most_seen));
        const QString whole = written_token(panel, column);
        const QString written = text.width(whole) > token.width() ? text.elided(whole, token.width()) : whole;
        context.set_type(place.label_size, Face::regular, context.style.text, written);
        painter.setLayoutDirection(place.token_directions[at]);
        const double width = text.width(written);
        const QPointF baseline(token.center().x() - 0.5 * width,
                               body.center().y() + text.middle_to_baseline());
        context.draw_text({baseline, written, 0.5});
        if (is_marked(panel.column_axis, column))
            draw_unknown_mark(painter, baseline, width, place.label_size, context.style.text);
        if (selected == column) {
            context.set_line(context.scaled(context.style.mark_line), context.style.accent);
            painter.drawRect(token);
        }
    }
    painter.setLayoutDirection(Qt::LayoutDirectionAuto);
    paint_legend(context, panel, place, inks);
}

}  // namespace headlight
