// Pictures of all heads: a grid of small maps, and points.

#include "core/figure/head_places.h"
#include "core/figure/ticks.h"
#include "ui/render/label_plan.h"
#include "ui/render/paint_context.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

/// The maps without what stands around them, as one matrix.
void paint_maps(const PaintContext& context, const Panel& panel, const QRectF& area) {
    const HeadMarks& marks = *panel.marks;
    const Index rows = panel.rows * marks.map_rows, columns = panel.columns * marks.map_columns;
    const auto row_of_maps = [&](Index row, std::span<float> numbers) {
        write_map_row(marks, panel.columns, row, numbers);
    };
    context.painter.setRenderHint(QPainter::Antialiasing, false);
    paint_codes(context, on_pixels(context.painter, area), cell_palette(panel, context.style), rows, columns,
                [&](Index most_rows, Index most_columns, CellCodes& cells) {
                    write_cell_codes(row_of_maps, rows, columns, panel.scale, most_rows, most_columns, cells);
                });
    context.painter.setRenderHint(QPainter::Antialiasing);
}

/// Parts the maps, and covers places where no head is.
void paint_gaps(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const QRectF& cells = place.cells;
    const QRectF one = mosaic_cell(panel, cells, 0);
    const double gap = std::min(context.scaled(2.0), 0.12 * std::min(one.width(), one.height()));
    const auto upright = [&](double x) { return QRectF(x - 0.5 * gap, cells.top(), gap, cells.height()); };
    const auto level = [&](double y) { return QRectF(cells.left(), y - 0.5 * gap, cells.width(), gap); };
    for (Index column = 1; column < panel.columns; ++column)
        context.painter.fillRect(
            on_pixels(context.painter,
                      upright(mosaic_cell(panel, cells, static_cast<std::size_t>(column)).left())),
            context.style.background);
    for (Index row = 1; row < panel.rows; ++row)
        context.painter.fillRect(
            on_pixels(context.painter,
                      level(mosaic_cell(panel, cells, static_cast<std::size_t>(row * panel.columns)).top())),
            context.style.background);
    for (std::size_t mark = 0; mark < panel.marks->heads.size(); ++mark)
        if (panel.marks->heads[mark].name.empty())
            context.painter.fillRect(mosaic_cell(panel, cells, mark).adjusted(0.5 * gap, 0.5 * gap, gap, gap),
                                     context.style.background);
    // A frame around all of them would be cut by the gaps.
    context.set_line(3 * context.scaled(context.style.frame_line), context.style.background);
    context.painter.drawRect(cells);
}

/// A frame in each cell and a bar at its lower edge, both the stronger the larger the head's number.
void paint_frames(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const HeadMarks& marks = *panel.marks;
    if (marks.framed.empty())
        return;
    const QColor &ground = context.style.background, &full = context.style.accent;
    const QRectF one = mosaic_cell(panel, place.cells, 0);
    const double side = std::min(one.width(), one.height());
    const double gap = std::min(context.scaled(2.0), 0.12 * side);
    const double line = std::min(context.scaled(2.0), 0.08 * side);
    const double height = std::min(context.scaled(4.0), 0.15 * side);
    constexpr double palest = 0.15;  // a frame that is there, on any ground
    for (std::size_t mark = 0; mark < marks.framed.size(); ++mark) {
        const double share = marks.framed[mark];
        if (std::isnan(share))
            continue;
        const QRectF inside = mosaic_cell(panel, place.cells, mark).adjusted(gap, gap, -gap, -gap);
        const QRectF track(inside.left(), inside.bottom() - height, inside.width(), height);
        context.painter.fillRect(on_pixels(context.painter, track), ground);
        context.painter.fillRect(
            on_pixels(context.painter, QRectF(track.topLeft(), QSizeF(share * track.width(), height))), full);
        context.set_line(line, mixed(ground, full, palest + (1 - palest) * share));
        context.painter.drawRect(inside.adjusted(-0.5 * line, -0.5 * line, 0.5 * line, 0.5 * line));
    }
}

/// "5.12" on every map that has room for it.
void paint_names(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const QRectF one = mosaic_cell(panel, place.cells, 0);
    const double size = context.type(context.style.least_label);
    const TextMeasure text(size, Face::regular, context.style.family);
    if (!panel.marks->are_named || one.height() < 2.6 * size)
        return;
    for (std::size_t mark = 0; mark < panel.marks->heads.size(); ++mark) {
        const QString name = QString::fromStdString(panel.marks->heads[mark].short_name);
        const QRectF cell = mosaic_cell(panel, place.cells, mark);
        const QRectF plate(cell.right() - text.width(name) - 0.8 * size, cell.top(),
                           text.width(name) + 0.8 * size, 1.35 * size);
        if (name.isEmpty() || plate.width() > 0.9 * cell.width())
            continue;
        QColor ground = context.style.background;
        ground.setAlphaF(0.85f);
        context.painter.fillRect(plate, ground);
        context.set_type(size, Face::regular, context.style.text);
        context.draw_plain(QPointF(plate.left() + 0.4 * size, plate.center().y() + text.middle_to_baseline()),
                           name);
    }
}

}  // namespace

QRectF mosaic_cell(const Panel& panel, const QRectF& cells, std::size_t mark) {
    const Index at = static_cast<Index>(mark);
    return area_of_cells(panel, cells, at / panel.columns, at % panel.columns);
}

void paint_mosaic(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    if (panel.rows == 0 || panel.columns == 0)
        return;
    paint_maps(context, panel, place.cells);
    paint_gaps(context, panel, place);
    paint_frames(context, panel, place);
    paint_names(context, panel, place);
}

namespace {

constexpr int most_scatter_ticks = 6;  // of an axis of a scatter

/// As many round numbers as stand clear of each other below a plot: two at least, of which the lower one is
/// left out where even they have no room.
std::vector<Tick> ticks_across(const PointsPlot& plot, const QRectF& area, const TextMeasure& text) {
    const double apart = text.width(QStringLiteral("0"));
    std::vector<Tick> ticks;
    for (int limit = most_scatter_ticks; limit >= 2; --limit) {
        ticks = nice_ticks({.low = plot.x_low, .high = plot.x_high}, limit);
        double end = area.left() - area.width();
        const bool touch = std::ranges::any_of(ticks, [&](const Tick& tick) {
            const double width = text.width(QString::fromStdString(tick.label));
            const double left = plot.x(tick.value) - 0.5 * width;
            return left < std::exchange(end, left + width + apart);
        });
        if (!touch)
            return ticks;
    }
    return {ticks.back()};
}

/// The title of an axis of a scatter, and where along the axis it begins.
struct PlacedTitle {
    QString text;
    double from = 0;
};

PlacedTitle title_of_points(const AxisLabels& axis, double middle, double low, double high,
                            const TextMeasure& text) {
    const QString whole = QString::fromStdString(axis.title);
    const QString shown =
        text.elided(text.width(whole) <= high - low ? whole : short_axis_title(axis), high - low);
    const double width = text.width(shown);
    return {shown, std::clamp(middle - 0.5 * width, low, std::max(low, high - width))};
}

}  // namespace

void paint_points(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const HeadMarks& marks = *panel.marks;
    const PointsPlot plot(marks, place.plot);
    QPainter& painter = context.painter;
    const FigureStyle& style = context.style;
    const double size = context.type(style.tick), stub = 0.35 * size;
    const TextMeasure text(size, Face::regular, style.family),
        title(context.type(style.axis_title), Face::regular, style.family);
    painter.setRenderHint(QPainter::Antialiasing);
    QList<QLineF> grid;
    context.set_type(size, Face::regular, style.text);
    double widest = 0;
    for (const Tick& tick : ticks_across(plot, place.plot, text)) {
        const double x = plot.x(tick.value);
        const QString label = QString::fromStdString(tick.label);
        grid.append(QLineF(x, place.plot.top(), x, place.plot.bottom()));
        context.draw_plain(QPointF(x - 0.5 * text.width(label), place.plot.bottom() + stub + text.ascent()),
                           label, 0.5);
    }
    const int most_up =
        std::clamp(static_cast<int>(place.plot.height() / (1.6 * size)), 2, most_scatter_ticks);
    for (const Tick& tick : nice_ticks({.low = plot.y_low, .high = plot.y_high}, most_up)) {
        const double y = plot.y(tick.value);
        const QString label = QString::fromStdString(tick.label);
        grid.append(QLineF(place.plot.left(), y, place.plot.right(), y));
        widest = std::max(widest, text.width(label));
        context.draw_plain(
            QPointF(place.plot.left() - stub - text.width(label), y + text.middle_to_baseline()), label, 1);
    }
    context.set_type(context.type(style.axis_title), Face::regular, style.quiet_text);
    // In the middle of their axes, or as near to it as leaves them in the panel.
    const double half_gap = 0.5 * context.scaled(style.gap);
    const PlacedTitle across =
        title_of_points(panel.column_axis, place.plot.center().x(), place.cells.left() - half_gap,
                        place.cells.right() + half_gap, title);
    context.draw_plain(QPointF(across.from, place.plot.bottom() + stub + text.line() + title.ascent()),
                       across.text, 0.5);
    const PlacedTitle up = title_of_points(panel.row_axis, -place.plot.center().y(),
                                           -place.plot.bottom() - text.line(), -place.title.bottom(), title);
    const QTransform before = painter.worldTransform();
    painter.translate(place.plot.left() - 2 * stub - widest, -up.from);
    painter.rotate(-90);
    context.draw_plain(QPointF(0, 0), up.text, 0.5);
    painter.setWorldTransform(before);

    QColor faint = style.quiet_text;
    faint.setAlphaF(0.25f);
    context.set_line(context.scaled(style.grid_line), faint);
    painter.drawLines(grid);
    context.set_line(context.scaled(style.frame_line), style.frame);
    painter.drawRect(place.plot);
    const double radius = plot.radius(context.unit);
    // An edge, as the map may have the ground's own colour at one of its ends; of small points a finer one,
    // which leaves their colour to be seen.
    constexpr double finest = 0.3;  // in the radius
    painter.setPen(QPen(style.quiet_text, std::min(context.scaled(0.75), finest * radius)));
    const CellPalette palette = cell_palette(panel, style);
    const ColourLookup lookup(panel.scale);
    for (std::size_t mark = 0; mark < marks.heads.size(); ++mark) {
        const double value = panel.values[mark];
        painter.setBrush(QColor(palette[std::isnan(value) ? CellCodes::missing : lookup.entry(value)]));
        painter.drawEllipse(plot.place(mark), radius, radius);
    }
    painter.setBrush(Qt::NoBrush);
}

PointsPlot::PointsPlot(const HeadMarks& marks, const QRectF& area) : marks_(marks), area_(area) {
    const auto fit = [](const std::vector<double>& numbers, double& low, double& high) {
        if (numbers.empty())
            return;
        const auto [least, most] = std::ranges::minmax(numbers);
        const double room = most > least ? 0.05 * (most - least) : std::max(0.5, 0.1 * std::abs(most));
        low = least - room;
        high = most + room;
        if (least >= 0 && low < 0)
            low = 0 - 0.3 * room;
    };
    fit(marks.x, x_low, x_high);
    fit(marks.y, y_low, y_high);
}

double PointsPlot::x(double value) const {
    return area_.left() + (value - x_low) / (x_high - x_low) * area_.width();
}

double PointsPlot::y(double value) const {
    return area_.bottom() - (value - y_low) / (y_high - y_low) * area_.height();
}

QPointF PointsPlot::place(std::size_t mark) const { return {x(marks_.x[mark]), y(marks_.y[mark])}; }

double PointsPlot::radius(double unit) const {
    const double crowd = std::sqrt(std::max(1.0, static_cast<double>(marks_.heads.size())) / 150);
    // A point takes no more than its part of a small plot, so that neighbours are told apart.
    constexpr double share = 0.12;
    const double count = std::max(1.0, static_cast<double>(marks_.heads.size()));
    const double own_part = share * std::sqrt(area_.width() * area_.height() / count);
    return std::min(std::clamp(3.2 / crowd, 1.4, 4.0) * unit, std::max(own_part, 0.8 * unit));
}

}  // namespace headlight
