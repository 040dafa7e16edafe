#pragma once

#include <QPolygonF>
#include <QWidget>

#include <vector>

namespace headlight {

/// Over the window that a class looks at: nothing, a ring around the pointer, strokes of a pen, or black.
/// Without pen and black every click goes to what is below.
class ClassOverlay : public QWidget {
    Q_OBJECT
public:
    explicit ClassOverlay(QWidget* window);

    bool is_black() const { return is_black_; }
    bool has_ring() const { return has_ring_; }
    bool has_pen() const { return has_pen_; }
    const std::vector<QPolygonF>& strokes() const { return strokes_; }

public slots:
    void set_black(bool on);
    void set_ring(bool on);
    /// Off: what was drawn vanishes too.
    void set_pen(bool on);
    void wipe();

signals:
    /// Black was ended with a click.
    void black_ended();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void settle();
    QRect ring_area() const;
    double width_of_line() const;

    bool is_black_ = false, has_ring_ = false, has_pen_ = false;
    QPoint pointer_;
    std::vector<QPolygonF> strokes_;
};

}  // namespace headlight
