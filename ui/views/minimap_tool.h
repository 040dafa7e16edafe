#pragma once

#include "ui/views/canvas_tool.h"

namespace headlight {

class Document;
class Minimap;

/// Moves the part that is on screen by the small picture of the whole.
class MinimapTool : public CanvasTool {
public:
    MinimapTool(Document& document, const Minimap& minimap) : document_(document), minimap_(minimap) {}

    Takes press(const QMouseEvent& event) override;
    void drag(QPointF to) override;

private:
    Document& document_;
    const Minimap& minimap_;
};

}  // namespace headlight
