#include "ui/views/canvas_marks.h"

#include "core/figure/words.h"
#include "ui/views/flow_walk.h"
#include "ui/views/pens_on_colours.h"
#include "ui/views/token_search.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <utility>

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
        for (const QPen& pen : pens_on_any_colour(colour, 1.5)) {
            painter.setPen(pen);
            painter.drawRoundedRect(outline, 1.5, 1.5);
        }
    }
}

namespace {

bool is_of_tokens(Axis axis) { return axis == Axis::query || axis == Axis::key; }

/// What the rows and the columns of a panel, as it lies on screen, count; nothing where that is no token.
struct CountedTokens {
    std::optional<Axis> rows, columns;
};

/// Returns the axis that a title counts, for cells that are no stage's: products, and axes that are dealt
/// another way.
std::optional<Axis> counted_by_title(const AxisLabels& axis) {
    for (const Axis kind : {Axis::query, Axis::key})
        for (const bool with_hint : {false, true})
            if (own_title(axis) == axis_title(kind, with_hint))
                return kind;
    return std::nullopt;
}

CountedTokens counted_tokens(const Panel& panel, const Trace& trace) {
    const Stage* stage = panel.stage.empty() ? nullptr : trace.find(panel.stage, panel.site);
    if (!stage)
        return {counted_by_title(panel.row_axis), counted_by_title(panel.column_axis)};
    const MatrixAxes axes = matrix_axes(*stage, stands_for_keys(panel));
    CountedTokens counted;
    if (is_of_tokens(axes.rows))
        counted.rows = axes.rows;
    if (is_of_tokens(axes.columns))
        counted.columns = axes.columns;
    if (panel.transposed)
        std::swap(counted.rows, counted.columns);
    return counted;
}

/// The same words, also at another site: that of a mechanism beside which this one is compared.
bool has_tokens_of(const Panel& panel, const Trace& trace, const std::string& site) {
    if (panel.site == site)
        return true;
    const TokenLabels &here = trace.tokens_at(panel.site), &there = trace.tokens_at(site);
    return &here == &there || (!there.query.empty() && here.query == there.query && here.key == there.key);
}

/// Marks of one panel: bars beside rows and above columns, rings around the tokens of a text and patches.
class FoundMarks {
public:
    FoundMarks(QPainter& painter, const ShownFigure& shown, Index panel, const QColor& colour)
        : painter_(painter), shown_(shown), index_(panel), panel_(shown.panel(panel)),
          place_(shown.panel_layout(panel)), colour_(colour) {}

    void row(Index token) const {
        const QRectF line = row_rect(token);
        if (line.isEmpty())
            return;
        const double missing = std::max(least_length - line.height(), 0.0) / 2;
        painter_.fillRect(QRectF(line.left() - gap - thickness, line.top() - missing, thickness,
                                 line.height() + 2 * missing),
                          colour_);
    }
    void column(Index token) const {
        if (panel_.kind == Panel::Kind::lines)
            return column_of_lines(token);
        const QRectF line = column_rect(token);
        if (line.isEmpty())
            return;
        const double missing = std::max(least_length - line.width(), 0.0) / 2;
        painter_.fillRect(QRectF(line.left() - missing, line.top() - gap - thickness,
                                 line.width() + 2 * missing, thickness),
                          colour_);
    }
    void token_of_text(Index token) const {
        if (token < std::ssize(place_.tokens))
            ring(place_.tokens[static_cast<std::size_t>(token)]);
    }
    void token_of_flow(Axis axis, Index token) const {
        for (const Index node : nodes_of_token(*panel_.flow, panel_.site, axis == Axis::query, token))
            ring(place_.parts[static_cast<std::size_t>(node)]);
    }
    void patch(Index token) const {
        if (token >= panel_.rows * panel_.columns)
            return;
        ring(shown_.block_rect(index_, {token / panel_.columns, 1, token % panel_.columns, 1}));
    }

private:
    static constexpr double thickness = 3, least_length = 3, gap = 1;

    QRectF row_rect(Index token) const {
        const bool has_arrived = !panel_.newest_row || token <= shown_.last_row(index_);
        return has_arrived ? shown_.block_rect(index_, {token, 1, 0, shown_.whole_columns(index_)})
                           : QRectF();
    }
    QRectF column_rect(Index token) const {
        return shown_.block_rect(index_, {0, shown_.whole_rows(index_), token, 1});
    }
    /// The tokens that are looked at stand below one another, right of the lines.
    void column_of_lines(Index token) const {
        const QRectF& lines = place_.cells;
        token -= panel_.column_axis.first;
        if (token < 0 || token >= panel_.columns)
            return;
        const double height = lines.height() / static_cast<double>(panel_.columns);
        painter_.fillRect(QRectF(lines.right() + gap, lines.top() + height * static_cast<double>(token),
                                 thickness, std::max(height, least_length)),
                          colour_);
    }
    void ring(const QRectF& area) const {
        if (area.isEmpty())
            return;
        painter_.setBrush(Qt::NoBrush);
        for (const QPen& pen : pens_on_any_colour(colour_, 2)) {
            painter_.setPen(pen);
            painter_.drawRoundedRect(area.adjusted(-1, -1, 1, 1), 2, 2);
        }
    }

    QPainter& painter_;
    const ShownFigure& shown_;
    Index index_;
    const Panel& panel_;
    const PanelLayout& place_;
    const QColor& colour_;
};

/// Calls `mark` with every token of these that `axis` counts.
template <class Mark>
void for_each_found(const TokenSearch& found, Axis axis, const Mark& mark) {
    const auto& ranges = axis == Axis::query || found.are_one_text() ? found.queries() : found.keys();
    for (const TokenRange& range : ranges)
        for (Index token = range.first; token <= range.last; ++token)
            mark(token);
}

/// What short words on a canvas stand on; their pen is left in the painter.
void paint_chip_ground(QPainter& painter, const QRectF& chip, const QPalette& palette) {
    painter.setPen(palette.color(QPalette::Mid));
    painter.setBrush(palette.color(QPalette::ToolTipBase));
    painter.drawRoundedRect(chip, 4, 4);
    painter.setPen(palette.color(QPalette::ToolTipText));
}

}  // namespace

void paint_found(QPainter& painter, const ShownFigure& shown, const Trace& trace, const std::string& site,
                 const TokenSearch& found, const QColor& colour) {
    for (Index index = 0; index < shown.panel_count(); ++index) {
        const Panel& panel = shown.panel(index);
        if (panel.thumbnail || panel.blank || !has_tokens_of(panel, trace, site))
            continue;
        const FoundMarks marks(painter, shown, index, colour);
        if (panel.kind == Panel::Kind::text || panel.overlay) {
            // Both axes of one text are marked: its tokens are queries and keys.
            const bool are_queries =
                panel.overlay ? panel.overlay->patches_look : panel.selected_row.has_value();
            for_each_found(found, are_queries ? Axis::query : Axis::key, [&](Index token) {
                panel.overlay ? marks.patch(token) : marks.token_of_text(token);
            });
            continue;
        }
        if (panel.flow)
            for (const Axis axis : {Axis::query, Axis::key})
                for_each_found(found, axis, [&](Index token) { marks.token_of_flow(axis, token); });
        if (panel.kind != Panel::Kind::heatmap && panel.kind != Panel::Kind::lines)
            continue;  // heads, which are no tokens
        const CountedTokens counted = counted_tokens(panel, trace);
        if (counted.rows)
            for_each_found(found, *counted.rows, [&](Index token) { marks.row(token); });
        if (counted.columns)
            for_each_found(found, *counted.columns, [&](Index token) { marks.column(token); });
    }
}

void paint_ring(QPainter& painter, const QRectF& ring, const QPalette& palette) {
    painter.setBrush(Qt::NoBrush);
    for (const bool is_halo : {true, false}) {
        painter.setPen(QPen(palette.color(is_halo ? QPalette::Base : QPalette::Highlight), is_halo ? 5 : 3));
        painter.drawRect(ring);
    }
}

void paint_block(QPainter& painter, const QRectF& block, const QPalette& palette) {
    if (block.isEmpty())
        return;
    painter.setBrush(Qt::NoBrush);
    for (const QPen& pen : pens_on_any_colour(palette.color(QPalette::Highlight), 2, Qt::DashLine)) {
        painter.setPen(pen);
        painter.drawRect(block);
    }
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
    paint_chip_ground(painter, chip, palette);
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
    paint_chip_ground(painter, chip, palette);
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
