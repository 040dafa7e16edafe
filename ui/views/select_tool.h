#pragma once

#include "ui/views/canvas_tool.h"

namespace headlight {

class FigureCanvas;

/// Selects a cell, a token of a text, a part of a map or another head: a click, the arrow keys, 1 to 9, N; a
/// double click or Enter shows the head of a cell large, and goes one depth in where that is shown (WayIn).
class SelectTool : public CanvasTool {
public:
    explicit SelectTool(FigureCanvas& canvas) : canvas_(canvas) {}

    bool click(const QMouseEvent& event) override;
    bool key(const QKeyEvent& event) override;

private:
    bool walk(const QKeyEvent& event);
    /// From token to token of a text, as it runs.
    bool walk_text(const QKeyEvent& event, const CellPlace& place);
    bool choose_head(Index head);
    /// The next compared mechanism or site of a model, or the one before it.
    bool choose_site(Index by);

    FigureCanvas& canvas_;
};

}  // namespace headlight
