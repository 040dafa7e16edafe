#pragma once

#include "ui/views/canvas_tool.h"
#include "ui/views/cell_lasso.h"
#include "ui/views/shown_figure.h"

namespace headlight {

class FigureCanvas;

/// Selects a rectangle of cells, whose sums are said: Ctrl (or Shift) and a drag, Alt and Shift with the keys
/// that walk; Escape lets it go.
class LassoTool : public CanvasTool {
public:
    explicit LassoTool(FigureCanvas& canvas);

    Takes press(const QMouseEvent& event) override;
    void drag(QPointF to) override;
    bool release(QPointF at) override;
    bool key(const QKeyEvent& event) override;
    void paint(QPainter& painter) const override;
    void fill_menu(ContextMenu& menu) override;

    /// The canvas shows another figure or another rectangle: what was summed is out of date.
    void forget() { is_stale_ = true; }
    /// What there is to say of the rectangle, line by line; empty where none is selected, or none that the
    /// keyboard's panel has.
    QStringList words() const;

private:
    /// The selected rectangle in the rows and columns of the panel's whole matrix; nothing where it has none.
    std::optional<MapBlock> block_in(Index panel) const;
    void sum() const;
    std::optional<CellPlace> corner_at(QPointF point) const;
    /// Both in the panel that the keyboard is in.
    void select(const CellPlace& from, const CellPlace& to);
    bool extend(const QKeyEvent& event);

    FigureCanvas& canvas_;
    QPointF start_;
    CellPlace corner_;  ///< that a drag began at
    bool is_dragging_ = false;
    mutable CellLasso lasso_;
    mutable bool is_stale_ = true;
};

}  // namespace headlight
