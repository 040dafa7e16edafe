#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QPainter;
class QPalette;

namespace headlight {

/// One line of a chart: points above zero, and what is written at its end.
struct ChartLine {
    QString name;
    QString note;  ///< behind the name: "n^1.98"
    std::vector<QPointF> points;
};

/// Lines on two logarithmic axes. A plain value: what the window shows and what is exported are painted from
/// it alike.
struct CostChart {
    QString title;
    QString x_title, y_title;
    double x_low = 16, x_high = 2048;
    int y_base = 10;  ///< ticks are powers of it
    std::function<QString(double)> y_label;
    std::vector<ChartLine> lines;
    QString notice;  ///< in place of lines while there are none
};

/// Colours and type of a chart.
struct ChartLook {
    QColor background, text, quiet, grid;
    std::vector<QColor> lines;  ///< told apart by everybody; markers differ too
    QFont font;
};
/// In the colours of the window.
ChartLook chart_look(const QPalette& palette, const QFont& font);
/// Black on white.
ChartLook chart_look_for_paper(const QFont& font);

void paint_cost_chart(QPainter& painter, const QRectF& area, const CostChart& chart, const ChartLook& look);

/// What it shows, in words.
QString description_of(const CostChart& chart);

}  // namespace headlight
