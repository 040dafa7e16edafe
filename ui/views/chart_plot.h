#pragma once

#include "ui/views/chart.h"

#include <QWidget>

namespace headlight {

/// A chart on screen, in the colours of the window.
class ChartPlot : public QWidget {
    Q_OBJECT
public:
    explicit ChartPlot(QWidget* parent = nullptr);

    void set_chart(Chart chart);
    const Chart& chart() const { return chart_; }

    /// As a picture on white, in the format that the name's ending says, written atomically. Throws Error.
    void save(const QString& path) const;
    /// Of such names, for a file dialog: "*.png *.svg".
    static QString name_patterns();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A chart with a cursor was clicked, or dragged along.
    void cursor_asked(double x);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void ask_cursor(const QMouseEvent& event);

    Chart chart_;
};

}  // namespace headlight
