#pragma once

#include "ui/views/canvas_tool.h"

namespace headlight {

class Looking;
class Minimap;

/// Moves the part that is on screen by the small picture of the whole.
class MinimapTool : public CanvasTool {
public:
    MinimapTool(Looking& looking, const Minimap& minimap) : looking_(looking), minimap_(minimap) {}

    Takes press(const QMouseEvent& event) override;
    void drag(QPointF to) override;

private:
    Looking& looking_;
    const Minimap& minimap_;
};

}  // namespace headlight
