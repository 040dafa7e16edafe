#pragma once

#include <QPolygonF>
#include <QWidget>

#include <functional>
#include <vector>

namespace headlight {

/// How wide a stroke is in a window of that width: seen from the last row.
double stroke_width(int window_width);
/// Calls `shape`, which draws with the painter's pen, so that it is seen on light, dark and coloured pictures
/// alike.
void paint_stroke(QPainter& painter, double width, const std::function<void()>& shape);

/// Strokes over the picture that it is laid on, whose mouse it takes. All around it reacts as before.
class ClassPen : public QWidget {
    Q_OBJECT
public:
    explicit ClassPen(QWidget* picture);

    const std::vector<QPolygonF>& strokes() const { return strokes_; }

public slots:
    void wipe();

protected:
    /// It is as large as the picture.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    std::vector<QPolygonF> strokes_;
};

}  // namespace headlight
