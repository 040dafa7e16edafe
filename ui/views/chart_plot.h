#pragma once

#include "ui/render/chart.h"
#include "ui/views/canvas_accessibility.h"

#include <QWidget>

#include <optional>
#include <utility>

namespace headlight {

/// A chart on screen, in the colours of the window. The arrow keys walk: left and right along a line, up and
/// down from line to line; Return does what a click there does. A screen reader has each line as a list.
class ChartPlot : public QWidget, public AccessiblePicture {
    Q_OBJECT
public:
    explicit ChartPlot(QWidget* parent = nullptr);

    void set_chart(Chart chart);
    const Chart& chart() const { return chart_; }

    /// A chart as a picture on white, in the format that the name's ending says, written atomically; any
    /// thread may. Throws Error.
    static void save(const Chart& chart, const QString& path);
    /// Returns the extensions of such names: "png" and on.
    static QStringList extensions();

    QString accessible_description() const override;
    Index table_count() const override { return std::ssize(chart_.lines); }
    std::optional<AccessibleTable> table(Index panel) const override;
    QString table_name(Index panel) const override;
    QString table_description(Index panel) const override;
    /// The y of the point that the keyboard is at.
    std::optional<double> current_number() const override;
    std::pair<double, double> current_range() const override { return {chart_.y.low, chart_.y.high}; }
    std::optional<Cell> current_cell() const override;
    QString sentence_of(const Cell& cell) const override;
    QRectF area_of(const Cell& cell) const override;
    QRectF panel_area(Index panel) const override;
    void choose_cell(const Cell& cell) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A chart with a cursor was clicked, or dragged along.
    void cursor_asked(double x);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    const ChartLine& line(Index index) const { return chart_.lines[static_cast<std::size_t>(index)]; }
    const QPointF& point(const Cell& cell) const {
        return line(cell.panel).points[static_cast<std::size_t>(cell.row)];
    }
    /// The point of another line that is nearest in x; nothing where it has none.
    std::optional<Cell> nearest(Index line, double x) const;
    std::optional<Cell> walked_to(int key, const Cell& from) const;
    void ask_cursor(const QMouseEvent& event);

    Chart chart_;
    Cell at_;  ///< where the keys are: line and point
};

}  // namespace headlight
