#include "ui/render/chart.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr int marker_kinds = 6;

QPainterPath marker(std::size_t kind, QPointF at, qreal radius) {
    QPainterPath path;
    const auto polygon = [&](std::initializer_list<QPointF> corners) {
        QPolygonF shape;
        for (const QPointF& corner : corners)
            shape << at + corner * radius;
        path.addPolygon(shape);
        path.closeSubpath();
    };
    switch (kind % marker_kinds) {
    case 0:
        path.addEllipse(at, radius, radius);
        break;
    case 1:
        polygon({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
        break;
    case 2:
        polygon({{0, -1.15}, {1.1, 0.85}, {-1.1, 0.85}});
        break;
    case 3:
        polygon({{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}});
        break;
    case 4:
        polygon({{0, 1.15}, {1.1, -0.85}, {-1.1, -0.85}});
        break;
    default:
        polygon({{-0.4, -1.2},
                 {0.4, -1.2},
                 {0.4, -0.4},
                 {1.2, -0.4},
                 {1.2, 0.4},
                 {0.4, 0.4},
                 {0.4, 1.2},
                 {-0.4, 1.2},
                 {-0.4, 0.4},
                 {-1.2, 0.4},
                 {-1.2, -0.4},
                 {-0.4, -0.4}});
        break;
    }
    return path;
}

/// A name and its note, as they stand at the end of a line.
QString end_text(const ChartLine& line) {
    return line.note.isEmpty() ? line.name : QStringLiteral("%1  %2").arg(line.name, line.note);
}

/// Smaller, down to what is read with ease, where a text of that width does not fit.
QFont fitting(QFont font, double width, double room) {
    constexpr double least = 0.65;
    if (width <= room)
        return font;
    const double share = std::max(least, 0.99 * room / width);
    if (font.pixelSize() > 0)
        font.setPixelSize(std::max(1, static_cast<int>(share * font.pixelSize())));
    else
        font.setPointSizeF(font.pointSizeF() * share);
    return font;
}

double width_of_names(const QRectF& area, const Chart& chart, const QFontMetricsF& metrics) {
    constexpr double most = 0.4;
    double names = 0;
    for (const ChartLine& line : chart.lines)
        names = std::max(names, metrics.horizontalAdvance(end_text(line)));
    return std::min(names, most * area.width());
}

double room_left_of_plot(const Chart& chart, const QFontMetricsF& metrics) {
    double labels = 0;
    for (const ChartAxis::Tick& tick : chart.y.ticks)
        labels = std::max(labels, metrics.horizontalAdvance(tick.label));
    return labels + 2.3 * metrics.height();
}

constexpr double room_right_of_plot = 1.5;                           // beside the names, in lines
constexpr double room_over_plot = 0.6, room_over_titled_plot = 2.2;  // in lines
constexpr double room_below_plot = 3;  // of the numbers and the title of x, in lines
constexpr double name_pitch = 1.15;    // of names below a plot, in lines

/// The height of the names where they stand below the axes: where beside the ends of their lines they would
/// leave the plot too little, and below it they leave it enough. Else 0.
double height_of_names(const QRectF& area, const Chart& chart, const QFontMetricsF& metrics) {
    constexpr double lowest = 5;  // plot, in lines
    const double over = chart.title.isEmpty() ? room_over_plot : room_over_titled_plot;
    const double names = height_of_names_below(area.width(), chart, metrics);
    return area.height() - names >= (lowest + over + room_below_plot) * metrics.height() ? names : 0;
}

class ChartDrawing {
public:
    ChartDrawing(QPainter& painter, const QRectF& area, const Chart& chart, const ChartLook& look)
        : painter_(painter), whole_(area), plot_(plot_area(area, chart, look.font)), chart_(chart),
          look_(look), metrics_(look.font), name_width_(width_of_names(area, chart, metrics_)),
          names_below_(height_of_names(area, chart, metrics_)), area_(area.adjusted(0, 0, 0, -names_below_)) {
    }

    void paint() {
        painter_.fillRect(whole_, look_.background);
        painter_.setFont(look_.font);
        paint_title();
        if (chart_.lines.empty())
            return paint_notice();
        paint_axis_titles();
        paint_axes();
        for (std::size_t i = 0; i < chart_.lines.size(); ++i)
            paint_line(i);
        paint_cursor();
        names_below_ > 0 ? paint_names_below() : paint_names();
    }

private:
    /// In the painter's font and pen; of `horizontally` left, middle or right, in the middle of the height.
    void write(const QRectF& area, Qt::AlignmentFlag horizontally, const QString& text) {
        const QFontMetricsF metrics(painter_.font());
        const double share = horizontally == Qt::AlignLeft ? 0 : horizontally == Qt::AlignRight ? 1 : 0.5;
        const double left = area.left() + share * (area.width() - metrics.horizontalAdvance(text));
        write_at({left, area.center().y() + (metrics.ascent() - metrics.descent()) / 2}, text, share);
    }
    void write_at(QPointF baseline, const QString& text, double share) {
        look_.write ? look_.write(painter_, baseline, text, share) : painter_.drawText(baseline, text);
    }
    QPen thin(const QColor& colour) const { return {colour, look_.thin_line}; }

    std::size_t style(std::size_t line) const { return chart_.lines[line].style.value_or(line); }
    QColor colour(std::size_t line) const { return look_.lines[style(line) % look_.lines.size()]; }
    double x(double value) const { return plot_.left() + plot_.width() * chart_.x.share(value); }
    double y(double value) const { return plot_.bottom() - plot_.height() * chart_.y.share(value); }
    QPointF at(const QPointF& point) const { return place_in_plot(plot_, chart_, point); }

    /// In place of the axes, whose numbers would be of nothing.
    void paint_notice() {
        painter_.setPen(look_.quiet);
        painter_.drawText(QRectF(QPointF(area_.left(), title_area().bottom()), area_.bottomRight())
                              .adjusted(12, 0, -12, -12),
                          Qt::AlignCenter | Qt::TextWordWrap, chart_.notice);
    }

    QRectF title_area() const {
        const double height = metrics_.height();
        return {area_.left() + 0.6 * height, area_.top() + 0.4 * height, area_.width() - height,
                chart_.title.isEmpty() ? 0 : 1.3 * height};
    }

    void paint_title() {
        if (chart_.title.isEmpty())
            return;
        QFont bold = look_.font;
        bold.setBold(true);
        const QRectF top = title_area();
        painter_.setFont(fitting(bold, QFontMetricsF(bold).horizontalAdvance(chart_.title), top.width()));
        painter_.setPen(look_.text);
        write(top, Qt::AlignLeft, chart_.title);
        painter_.setFont(look_.font);
    }

    void paint_axis_titles() {
        const double height = metrics_.height(), top = title_area().bottom();
        painter_.setPen(look_.quiet);
        write(QRectF(plot_.left(), area_.bottom() - 1.5 * height, plot_.width(), 1.3 * height),
              Qt::AlignHCenter, chart_.x.title);
        // Beside the middle of its axis; a longer one in the middle of what is under the chart's title,
        // smaller if need be.
        const double wanted = metrics_.horizontalAdvance(chart_.y.title);
        const double beside = plot_.center().y(), length = area_.bottom() - top;
        const bool fits = wanted <= 2 * std::min(beside - top, area_.bottom() - beside);
        const double middle = fits ? beside : area_.bottom() - length / 2;
        painter_.setFont(fitting(look_.font, wanted, length));
        painter_.save();
        painter_.translate(area_.left() + 0.4 * height, middle);
        painter_.rotate(-90);
        write(QRectF(-length / 2, 0, length, 1.3 * height), Qt::AlignHCenter, chart_.y.title);
        painter_.restore();
        painter_.setFont(look_.font);
    }

    void paint_axes() {
        const double height = metrics_.height();
        // Every so many-th number where all have no room, the largest one always.
        const auto every = numbers_every(chart_.y, [&](const ChartAxis::Tick& tick) {
            return std::pair(y(tick.value) - 0.45 * height, y(tick.value) + 0.45 * height);
        });
        for (std::size_t i = 0; i < chart_.y.ticks.size(); ++i) {
            const ChartAxis::Tick& tick = chart_.y.ticks[i];
            const double level = y(tick.value);
            painter_.setPen(thin(look_.grid));
            painter_.drawLine(QPointF(plot_.left(), level), QPointF(plot_.right(), level));
            if ((chart_.y.ticks.size() - 1 - i) % every != 0)
                continue;
            painter_.setPen(look_.text);
            write(
                QRectF(area_.left(), level - height / 2, plot_.left() - area_.left() - 0.4 * height, height),
                Qt::AlignRight, tick.label);
        }
        const auto width_of = [&](const ChartAxis::Tick& tick) {
            return metrics_.horizontalAdvance(tick.label);
        };
        const auto across = numbers_every(chart_.x, [&](const ChartAxis::Tick& tick) {
            const double half = 0.5 * width_of(tick) + 0.15 * height;
            return std::pair(x(tick.value) - half, x(tick.value) + half);
        });
        for (std::size_t i = 0; i < chart_.x.ticks.size(); ++i) {
            const ChartAxis::Tick& tick = chart_.x.ticks[i];
            const double place = x(tick.value), width = width_of(tick);
            painter_.setPen(thin(look_.grid));
            painter_.drawLine(QPointF(place, plot_.top()), QPointF(place, plot_.bottom()));
            if ((chart_.x.ticks.size() - 1 - i) % across != 0)
                continue;
            painter_.setPen(look_.text);
            write(QRectF(place - width, plot_.bottom() + 0.25 * height, 2 * width, height), Qt::AlignHCenter,
                  tick.label);
        }
        painter_.setPen(thin(look_.quiet));
        painter_.drawLine(plot_.bottomLeft(), plot_.bottomRight());
        painter_.drawLine(plot_.topLeft(), plot_.bottomLeft());
    }

    /// The least step, from the last number backwards, at which their extents stand clear of each other.
    template <class Extent>
    static std::size_t numbers_every(const ChartAxis& axis, const Extent& extent) {
        for (std::size_t every = 1; every < axis.ticks.size(); ++every) {
            bool are_clear = true;
            for (std::size_t i = axis.ticks.size() - 1; i >= every; i -= every) {
                const auto [low, high] = extent(axis.ticks[i]);
                const auto [low_before, high_before] = extent(axis.ticks[i - every]);
                are_clear &= axis.ticks[i].label.isEmpty() || axis.ticks[i - every].label.isEmpty() ||
                             low > high_before || high < low_before;
            }
            if (are_clear)
                return every;
        }
        return std::max<std::size_t>(axis.ticks.size(), 1);
    }

    void paint_line(std::size_t index) {
        const ChartLine& line = chart_.lines[index];
        QPolygonF way;
        for (const QPointF& point : line.points)
            way << at(point);
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(colour(index), look_.line, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter_.drawPolyline(way);
        if (static_cast<double>(way.size()) * 3 * look_.marker > plot_.width())
            return;  // they would hide the line
        painter_.setPen(thin(look_.background));
        painter_.setBrush(colour(index));
        for (const QPointF& point : way)
            painter_.drawPath(marker(style(index), point, look_.marker));
    }

    void paint_cursor() {
        if (!chart_.cursor)
            return;
        const double place = x(*chart_.cursor);
        painter_.setPen(QPen(look_.cursor, 1.5));
        painter_.drawLine(QPointF(place, plot_.top()), QPointF(place, plot_.bottom()));
        for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
            const auto value = value_at(chart_.lines[i], *chart_.cursor);
            if (!value)
                continue;
            painter_.setPen(QPen(colour(i), 2));
            painter_.setBrush(look_.background);
            painter_.drawEllipse(QPointF(place, y(*value)), 4, 4);
        }
    }

    /// Names at the ends of their lines, moved apart where those meet.
    void paint_names() {
        const double height = metrics_.height();
        struct Name {
            std::size_t line;
            double y;
        };
        std::vector<Name> names;
        for (std::size_t i = 0; i < chart_.lines.size(); ++i)
            if (!chart_.lines[i].points.empty() && !chart_.lines[i].name.isEmpty())
                names.push_back({i, y(chart_.lines[i].points.back().y())});
        std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
        for (std::size_t i = 1; i < names.size(); ++i)
            names[i].y = std::max(names[i].y, names[i - 1].y + 1.05 * height);
        double lowest = plot_.bottom();
        for (auto name = names.rbegin(); name != names.rend(); ++name) {
            name->y = std::min(name->y, lowest);
            lowest = name->y - 1.05 * height;
        }
        const double left = plot_.right() + 0.9 * height;
        double widest = 0;  // all in the type of the one that needs the smallest
        for (const Name& name : names)
            widest = std::max(widest, metrics_.horizontalAdvance(end_text(chart_.lines[name.line])));
        const QFont font = fitting(look_.font, widest, name_width_);
        const QFontMetricsF shown(font);
        painter_.setFont(font);
        for (const Name& name : names) {
            const ChartLine& line = chart_.lines[name.line];
            const QPointF end = at(line.points.back());
            // In the margin alone: between the axes every line would look like data.
            painter_.setPen(thin(look_.quiet));
            painter_.drawLine(QPointF(plot_.right() + 0.2 * height, end.y()),
                              QPointF(left - 0.2 * height, name.y));
            painter_.setPen(colour(name.line));
            const double note =
                line.note.isEmpty() ? 0 : shown.horizontalAdvance(QStringLiteral("  ") + line.note);
            QString text = shown.elidedText(line.name, Qt::ElideRight, name_width_ - note + 1);
            if (!line.note.isEmpty())
                text += QStringLiteral("  ") + line.note;
            write_at({left, name.y + (metrics_.ascent() - metrics_.descent()) / 2}, text, 0);
        }
        painter_.setFont(look_.font);
    }

    /// Each behind a piece of its line.
    void paint_names_below() {
        const double pitch = name_pitch * metrics_.height(), piece = 1.6 * metrics_.height();
        double widest = 0;  // all in the type of the one that needs the smallest
        for (const ChartLine& line : chart_.lines)
            widest = std::max(widest, metrics_.horizontalAdvance(end_text(line)));
        const double left = whole_.left() + 0.4 * metrics_.height(),
                     words = left + piece + 0.5 * metrics_.height();
        const QFont font = fitting(look_.font, widest, whole_.right() - words);
        const QFontMetricsF shown(font);
        painter_.setFont(font);
        double y = area_.bottom() + 0.5 * pitch;
        for (std::size_t index = 0; index < chart_.lines.size(); ++index) {
            const ChartLine& line = chart_.lines[index];
            if (line.name.isEmpty())
                continue;
            painter_.setBrush(Qt::NoBrush);
            painter_.setPen(QPen(colour(index), look_.line, Qt::SolidLine, Qt::RoundCap));
            painter_.drawLine(QPointF(left, y), QPointF(left + piece, y));
            painter_.setPen(thin(look_.background));
            painter_.setBrush(colour(index));
            painter_.drawPath(marker(index, {left + 0.5 * piece, y}, look_.marker));
            painter_.setPen(colour(index));
            const QString note = line.note.isEmpty() ? QString() : QStringLiteral("  ") + line.note;
            const double room = whole_.right() - words - shown.horizontalAdvance(note) + 1;
            write_at({words, y + (shown.ascent() - shown.descent()) / 2},
                     shown.elidedText(line.name, Qt::ElideRight, room) + note, 0);
            y += pitch;
        }
        painter_.setFont(look_.font);
    }

    QPainter& painter_;
    QRectF whole_, plot_;
    const Chart& chart_;
    const ChartLook& look_;
    QFontMetricsF metrics_;
    double name_width_, names_below_;
    QRectF area_;  ///< without the names below it
};

}  // namespace

QRectF plot_area(const QRectF& area, const Chart& chart, const QFont& font) {
    const QFontMetricsF metrics(font);
    const double height = metrics.height(), below = height_of_names(area, chart, metrics);
    const double names = below > 0 ? 0 : width_of_names(area, chart, metrics);
    return area.adjusted(room_left_of_plot(chart, metrics),
                         (chart.title.isEmpty() ? room_over_plot : room_over_titled_plot) * height,
                         -names - room_right_of_plot * height, -room_below_plot * height - below);
}

double height_of_names_below(double width, const Chart& chart, const QFontMetricsF& metrics) {
    constexpr double narrow = 9;  // plot, in lines
    const QRectF area(0, 0, width, width);
    const double names = width_of_names(area, chart, metrics), height = metrics.height();
    const double plot = width - room_left_of_plot(chart, metrics) - names - room_right_of_plot * height;
    const auto count =
        std::ranges::count_if(chart.lines, [](const ChartLine& line) { return !line.name.isEmpty(); });
    return names > 0 && plot < narrow * height ? name_pitch * height * static_cast<double>(count) : 0;
}

QPointF place_in_plot(const QRectF& plot, const Chart& chart, const QPointF& point) {
    return {plot.left() + plot.width() * chart.x.share(point.x()),
            plot.bottom() - plot.height() * chart.y.share(point.y())};
}

void paint_chart(QPainter& painter, const QRectF& area, const Chart& chart, const ChartLook& look) {
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    ChartDrawing(painter, area, chart, look).paint();
    painter.restore();
}

}  // namespace headlight
