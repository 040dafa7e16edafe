#pragma once

#include "ui/models/view_history.h"
#include "ui/views/canvas_tool.h"

namespace headlight {

class FigureCanvas;

/// Selects patches of an image: a click the one that looks, with Ctrl the one that is looked at; the arrow
/// keys walk over it.
class PatchTool : public CanvasTool {
public:
    explicit PatchTool(FigureCanvas& canvas) : canvas_(canvas) {}

    bool click(const QMouseEvent& event) override;
    bool key(const QKeyEvent& event) override;
    /// In a panel over an image.
    void choose(Index panel, Index patch, bool looked_at = false,
                ViewHistory::Move move = ViewHistory::Move::jump);

private:
    FigureCanvas& canvas_;
};

}  // namespace headlight
