#pragma once

#include "ui/render/painter.h"
#include "ui/views/cell_place.h"
#include "ui/views/zoom.h"

#include <QPixmap>
#include <QWidget>

#include <functional>
#include <memory>

namespace headlight {

class Document;
class HoverState;
struct Run;

/// Shows one view of the document's figure at the widget's size: hovering names a cell everywhere, clicking
/// and the arrow keys select it, the wheel zooms around the pointer, dragging pans. Paints through the figure
/// painter alone; what it adds is where the pointer, the selection and the focus are.
class FigureCanvas : public QWidget {
    Q_OBJECT
public:
    enum class ClickAction {
        select,   ///< the cell
        enlarge,  ///< its head, in the heatmap view
    };

    FigureCanvas(Document& document, ViewKind view, QWidget* parent = nullptr);
    ~FigureCanvas() override;

    ViewKind view() const { return view_; }
    void set_click_action(ClickAction action);
    /// Applied to the document's figure before it is shown: a view that shows less than all of it.
    void set_filter(std::function<Figure(const Figure&)> filter);
    /// The figure is out of date; it is made again when it is next needed.
    void refresh();

    /// What is on screen, zoom applied; null before the first run.
    const Figure* figure() const;
    const Zoom& zoom() const { return zoom_; }
    /// The cell of the whole matrix under a point of the widget.
    std::optional<CellPlace> place_at(QPointF point) const;
    /// The rectangle of a cell of the whole matrix; empty when it is not on screen.
    QRectF cell_rect(Index panel, Index row, Index column) const;
    /// The place that the keyboard is at: the selected cell in the panel that shows its stage.
    std::optional<CellPlace> current_place() const;
    /// "“river” looks at “bank”: weight 0.31", for tooltips and screen readers.
    QString sentence(const CellPlace& place) const;

    void zoom_by(double factor, QPointF around);
    void zoom_in();
    void zoom_out();
    void reset_zoom();
    /// The cell's head large, in the heatmap view.
    void enlarge(const CellPlace& place);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Figure, zoom or layout changed.
    void shown_changed();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// Everything that is worked out once per figure, size and zoom.
    struct Shown;

    const Shown* shown() const;
    void invalidate_pixels();
    double unit() const;
    void paint_marks(QPainter& painter, const Shown& shown) const;
    void mark(QPainter& painter, const Shown& shown, const CellPlace& place, bool selected) const;
    void paint_notice(QPainter& painter) const;
    void choose(const CellPlace& place);
    bool move_cell(QKeyEvent* event);
    bool choose_head(Index head);
    void zoom_for_key(double factor);
    void announce();

    Document& document_;
    HoverState& hover_;
    ViewKind view_;
    ClickAction click_action_ = ClickAction::select;
    std::function<Figure(const Figure&)> filter_;
    mutable std::unique_ptr<Shown> shown_;
    mutable Zoom zoom_;
    mutable QString notice_;  ///< why there is no figure

    struct Drag {
        QPointF start, last;
        bool moved = false;
    };
    std::optional<Drag> drag_;
};

/// Lets screen readers hear the selected cell of every FigureCanvas; called once by the program and by tests.
void install_canvas_accessibility();

}  // namespace headlight
