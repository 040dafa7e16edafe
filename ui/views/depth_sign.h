#pragma once

#include "core/workbench/depth.h"

#include <QSlider>

namespace headlight {

class Document;
class WayIn;

/// Where one is among the seven depths of WayIn: a stop each, those that are not there mere specks, which say
/// why when they are pointed at or clicked, and beside them the name of the one where one is, where there is
/// room; in a view that is none, that it is none. A click goes to a stop, dragging holds any place between
/// two, Shift and an arrow key go from stop to stop. Beside a level of F6 that is none of the seven the name
/// is that level's, which is what is read.
class DepthSign : public QSlider {
    Q_OBJECT
public:
    explicit DepthSign(Document& document, QWidget* parent = nullptr);

    /// Without the name only the stops are drawn; tips and screen readers have it.
    void show_name(bool shown);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// The middle of a stop, by its number among the seven.
    QPointF place_of(int stop) const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void follow();
    QString why_none() const;
    QString name() const;
    /// What the name means.
    QString words_of_name() const;
    bool is_there(DepthStop stop) const;
    /// What is to be seen there, or why it is not there.
    QString words_of(DepthStop stop) const;
    /// Pixels that the longest name takes.
    int width_of_name() const;
    /// On the scale of all seven, from 0 to 6.
    double scale_at(QPointF point) const;
    int stop_at(QPointF point) const;
    /// Where the name of the depth is written: nothing to press.
    bool is_on_name(QPointF point) const;
    double left_of_name() const;

    WayIn& way_;
    QPointF pressed_;
    bool is_dragged_ = false;
    bool shows_name_ = true;
};

}  // namespace headlight
