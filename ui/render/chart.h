#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QFontMetricsF;
class QPainter;
class QPalette;

namespace headlight {

/// One line of a chart, and what is written at its end.
struct ChartLine {
    QString name;
    QString note;                           ///< behind the name: "n¹·⁹⁸"
    std::vector<QPointF> points;            ///< by x; above zero where an axis is logarithmic
    std::optional<std::size_t> style = {};  ///< its colour and marker; its place among the lines if absent
};

/// What a direction of a chart counts: from `low` to `high`, with a line of the grid at each tick.
struct ChartAxis {
    struct Tick {
        double value = 0;
        QString label;  ///< empty: the line alone
    };
    QString title;
    double low = 0, high = 1;
    bool is_logarithmic = false;
    std::vector<Tick> ticks = {};
    std::function<QString(double)> text = {};  ///< of any value, for what is said in words

    /// Where a value lies, 0 to 1 along the axis.
    double share(double value) const;
    double value(double share) const;
};

/// From zero, with ticks at round numbers. `text` is QString::number if absent.
ChartAxis linear_axis(const QString& title, double high, std::function<QString(double)> text = {});
/// Doublings of the lowest value.
ChartAxis doubling_axis(const QString& title, double low, double high, std::function<QString(double)> text);
/// Powers of the base around what the lines have in y.
ChartAxis power_axis(const QString& title, const std::vector<ChartLine>& lines, int base,
                     std::function<QString(double)> text);

/// Lines on two axes. A plain value: what the window shows and what is exported are painted from it alike.
struct Chart {
    QString title;
    ChartAxis x, y;
    std::vector<ChartLine> lines;
    QString notice;                ///< in place of lines while there are none
    std::optional<double> cursor;  ///< a line across at this x, with a ring on each line
};

/// Colours, type and widths of a chart, in the units of its area.
struct ChartLook {
    QColor background, text, quiet, grid, cursor;
    std::vector<QColor> lines;  ///< told apart by everybody; markers differ too
    QFont font;
    double line = 2, thin_line = 1, marker = 4;
    /// Takes words at a baseline in place of the painter; `share` of their width is left of the point that
    /// stays where it is in another font.
    std::function<void(QPainter& painter, QPointF baseline, const QString& text, double share)> write = {};
};
/// In the colours of the window.
ChartLook chart_look(const QPalette& palette, const QFont& font);
/// Black on white.
ChartLook chart_look_for_paper(const QFont& font);
/// Told apart on a background with every kind of colour vision.
std::vector<QColor> line_colours(const QColor& background);

void paint_chart(QPainter& painter, const QRectF& area, const Chart& chart, const ChartLook& look);
/// Where paint_chart() puts the lines.
QRectF plot_area(const QRectF& area, const Chart& chart, const QFont& font);
/// Returns how much higher a chart of that width wants to be, so that the names of its lines stand below its
/// axes: where beside them they would leave the lines too little of the width. Else 0.
double height_of_names_below(double width, const Chart& chart, const QFontMetricsF& metrics);

/// Where a point of a line lies in that area.
QPointF place_in_plot(const QRectF& plot, const Chart& chart, const QPointF& point);

/// The y of a line at x, between its points; nothing outside them.
std::optional<double> value_at(const ChartLine& line, double x);

/// "Linear attention, tokens 1,024: time of a run 1.2 ms": a point of a line. `chart` has both.
QString point_in_words(const Chart& chart, const ChartLine& line, const QPointF& point);

/// What it shows, in words.
QString description_of(const Chart& chart);

}  // namespace headlight
