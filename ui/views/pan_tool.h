#pragma once

#include "ui/views/canvas_tool.h"

namespace headlight {

class FigureCanvas;

/// Brings a part of a large matrix nearer and moves it: the wheel, two fingers, a drag; +, - and 0.
class PanTool : public CanvasTool {
public:
    explicit PanTool(FigureCanvas& canvas) : canvas_(canvas) {}

    Takes press(const QMouseEvent& event) override;
    void drag(QPointF to) override;
    bool release(QPointF at) override;
    bool key(const QKeyEvent& event) override;

    /// False when there is nothing to zoom there.
    bool zoom_by(double factor, QPointF around);
    /// Around the cell that the keyboard is at; where there is nothing to zoom, to the next stop of WayIn.
    void zoom_here(double factor);
    void reset();

private:
    FigureCanvas& canvas_;
    QPointF start_, last_;
};

}  // namespace headlight
