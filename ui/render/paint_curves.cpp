#include "core/figure/ticks.h"
#include "ui/render/chart.h"
#include "ui/render/paint_context.h"
#include "ui/render/panel_shape.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {
namespace {

/// "1.5 k", "20 ms": three digits at most, with the prefix of the unit.
QString with_prefix(double value, const QString& unit) {
    static const std::array<const char*, 9> prefixes{"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    constexpr Index one = 4;  // the place of no prefix
    if (value == 0)
        return QStringLiteral("0");
    const Index power =
        std::clamp(static_cast<Index>(std::floor(std::log10(std::abs(value)) / 3 + 1e-9)), -one, one);
    const QString number = QString::number(value / std::pow(1000.0, static_cast<double>(power)), 'g', 3);
    const QString end = QString::fromUtf8(prefixes[static_cast<std::size_t>(power + one)]) + unit;
    return end.isEmpty() ? number : number + QChar(0x00a0) + end;
}

QString tokens_text(double value) { return QString::number(value, 'f', 0); }

std::vector<ChartLine> chart_lines(const Panel& panel) {
    std::vector<ChartLine> lines;
    for (Index column = 0; column < panel.columns; ++column) {
        const auto at = static_cast<std::size_t>(column);
        ChartLine line;
        line.name = QString::fromStdString(panel.column_axis.labels[at]);
        if (at < panel.curves->notes.size())
            line.note = QString::fromStdString(panel.curves->notes[at]);
        if (at < panel.curves->styles.size())
            line.style = panel.curves->styles[at];
        for (Index row = 0; row < panel.rows; ++row) {
            const double y = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
            if (std::isfinite(y))
                line.points.emplace_back(panel.curves->x[static_cast<std::size_t>(row)], y);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

Chart chart_of_panel(const Panel& panel) {
    const Curves& curves = *panel.curves;
    Chart chart;
    chart.lines = chart_lines(panel);
    const QString unit = QString::fromStdString(curves.unit);
    const QString across = QString::fromStdString(curves.x_title),
                  up = QString::fromStdString(curves.y_title);
    if (curves.doubles) {
        chart.x = doubling_axis(across, curves.x.front(), curves.x.back(), tokens_text);
        constexpr int decades = 10;
        chart.y =
            power_axis(up, chart.lines, decades, [unit](double value) { return with_prefix(value, unit); });
        return chart;
    }
    chart.x = linear_axis(across, curves.x.back(), tokens_text);
    if (curves.unit == "%") {
        constexpr double all = 100;
        chart.y = linear_axis(up, all, [](double value) { return QString::number(value, 'f', 0) + " %"; });
    } else {
        chart.y = linear_axis(up, 1.05 * curves.y_end);
    }
    return chart;
}

QFont font_of_curves(const FigureStyle& style, double unit) {
    return figure_font(type_size(style.tick, unit), Face::regular, {}, style.family);
}

}  // namespace

QRectF plot_of_curves(const Panel& panel, const QRectF& area, const FigureStyle& style, double unit) {
    return plot_area(area, chart_of_panel(panel), font_of_curves(style, unit));
}

double height_of_names(const Panel& panel, double width, const FigureStyle& style, double unit) {
    return height_of_names_below(width, chart_of_panel(panel), QFontMetricsF(font_of_curves(style, unit)));
}

void paint_curves(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const FigureStyle& style = context.style;
    QColor grid = style.hatch;
    grid.setAlphaF(0.6f);
    ChartLook look{QColor(Qt::transparent),
                   style.text,
                   style.quiet_text,
                   grid,
                   style.accent,
                   line_colours(style.background),
                   font_of_curves(style, context.unit)};
    look.line = context.scaled(1.1 * style.mark_line);
    look.thin_line = context.scaled(style.frame_line);
    look.marker = context.scaled(2.2 * style.mark_line);
    look.write = [&context](QPainter&, QPointF baseline, const QString& text, double share) {
        context.draw_sentence(baseline, text, share);
    };
    paint_chart(context.painter, place.plot, chart_of_panel(panel), look);
}

}  // namespace headlight
