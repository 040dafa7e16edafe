#pragma once

#include "ui/views/canvas_tool.h"

#include <memory>

namespace headlight {

class FigureCanvas;
class WeightDrag;

/// Changes a weight of a model: Shift and a drag up or down, Alt with the arrow keys, W to type it.
class WeightTool : public CanvasTool {
public:
    explicit WeightTool(FigureCanvas& canvas);
    ~WeightTool() override;

    Takes press(const QMouseEvent& event) override;
    void drag(QPointF to) override;
    bool release(QPointF at) override;
    bool key(const QKeyEvent& event) override;
    void paint(QPainter& painter) const override;
    QString hint(const CellPlace& place) const override;

    /// Asks for the weight there in a small window beside its cell; false where none can be set.
    bool ask(const CellPlace& place);

private:
    bool nudge(const CellPlace& place, bool up);

    FigureCanvas& canvas_;
    std::unique_ptr<WeightDrag> drag_;
};

}  // namespace headlight
