#pragma once

#include "ui/views/canvas_tool.h"

namespace headlight {

class HeadsCanvas;

/// Selects a head among all: a click, the arrow keys; Enter shows its map.
class HeadTool : public CanvasTool {
public:
    explicit HeadTool(HeadsCanvas& canvas) : canvas_(canvas) {}

    bool click(const QMouseEvent& event) override;
    bool key(const QKeyEvent& event) override;

private:
    void go(QPointF direction);

    HeadsCanvas& canvas_;
};

}  // namespace headlight
