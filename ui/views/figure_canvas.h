#pragma once

#include "core/workbench/view_history.h"
#include "ui/jobs/latest_job.h"
#include "ui/models/tile_loader.h"
#include "ui/render/motion_painter.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/canvas_shell.h"
#include "ui/views/kept_picture.h"
#include "ui/views/minimap.h"
#include "ui/views/shown_figure.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace headlight {

class Document;
class HoverState;
class LassoTool;
class MotionClock;
class PanTool;
class PatchTool;
class WeightTool;

/// Shows one view of the document's figure at the widget's size. Paints through the figure painter alone;
/// what it adds is where the pointer, the selection and the focus are, and what its tools draw. Hovering
/// names a cell everywhere; what a press, a drag, a click and a key do is up to the tools, which it asks in
/// turn.
class FigureCanvas : public CanvasShell, public AccessibleFigure {
    Q_OBJECT
public:
    enum class ClickAction {
        select,   ///< the cell
        enlarge,  ///< its head, in the heatmap view
    };

    FigureCanvas(Document& document, ViewKind view, QWidget* parent = nullptr);
    ~FigureCanvas() override;

    void set_click_action(ClickAction action) { click_action_ = action; }
    ClickAction click_action() const { return click_action_; }
    /// What a click on the title of a panel does, in words, by its site; empty where it does nothing.
    void set_title_action(std::function<QString(const std::string& site)> action);
    /// Applied to the document's figure before it is shown: a view that shows less than all of it.
    void set_filter(std::function<Figure(const Figure&)> filter);
    /// The figure is out of date; it is made again when it is next needed.
    void refresh();

    Document& document() const { return document_; }
    ViewKind view_kind() const { return view_; }
    /// The session's, as this view shows it.
    Selection selection() const;
    /// What is on screen, zoom applied; null before the first run.
    const ShownFigure* shown() const;
    const Figure* figure() const override;
    /// As no zoom has cut it.
    Panel whole_panel(Index index) const;
    /// The document's, where a panel has that size.
    const Zoom& zoom() const;
    /// The cell of the whole matrix under a point of the widget.
    std::optional<CellPlace> place_at(QPointF point) const;
    /// The rectangle of a cell of the whole matrix; empty when it is not on screen.
    QRectF cell_rect(Index panel, Index row, Index column) const;
    /// Where a matrix of which a part is on screen is drawn whole; empty where none is.
    QRectF overview() const { return shown() ? minimap_.place() : QRectF(); }
    /// The notes under the picture; empty where there are none.
    QRectF notes() const;
    /// The place that the keyboard is at: the selected cell in the panel that shows its stage.
    std::optional<CellPlace> current_place() const;
    /// In the first panel that shows the place's stage and head; empty where none does.
    QRectF rect_of(const CellPlace& place) const;
    /// The panel whose title is under the point and has an action.
    std::optional<Index> title_at(QPointF point) const;
    /// The part of a map that is there, or that is in view; its number is the row.
    std::optional<Cell> part_at(QPointF point) const;
    std::optional<Cell> lit_part() const;
    /// The current place's rectangle, empty when it is not on screen; its number, nothing where it has none;
    /// and the scale that colours it.
    QRectF current_rect() const override;
    std::optional<double> current_number() const override;
    ColourScale current_scale() const override;
    QString current_sentence() const override;
    std::optional<Cell> current_cell() const override;
    /// What stands in place of the figure; empty while there is one.
    QString notice() const override;
    /// "“river” looks at “bank”: weight 0.31", for tooltips and screen readers.
    QString sentence(const CellPlace& place) const;
    QString sentence_of(const Cell& cell) const override;
    QRectF area_of(const Cell& cell) const override;
    QRectF panel_area(Index panel) const override;
    void choose_cell(const Cell& cell) override;
    void choose(const CellPlace& place, ViewHistory::Move move = ViewHistory::Move::jump);
    bool walk_parts(const QKeyEvent& event, const Cell& from);

    /// False when there is nothing to zoom there.
    bool zoom_by(double factor, QPointF around);
    void zoom_in();
    void zoom_out();
    void reset_zoom();
    /// By how many rows Page Down goes on.
    Index rows_of_a_page() const;
    /// Brings a cell of the whole matrix on screen, where the picture shows a part of it.
    void reveal(Index row, Index column);
    /// What there is to say of the rectangle that is selected, line by line; empty where none is, or none
    /// that the keyboard's panel has.
    QStringList block_words() const;
    /// The cell's head large, in the heatmap view.
    void enlarge(const CellPlace& place);
    /// Adds to `menu` that the numbers of a block are copied, off this thread where they are many.
    void add_table_copy(ContextMenu& menu, const char* id, const Panel& panel, const MapBlock& block);
    std::unique_ptr<ContextMenu> menu_here() override;

signals:
    /// The title of a panel that has an action was clicked.
    void title_clicked(const std::string& site);
    /// The left button was pressed and released there: nothing where no panel is.
    void place_clicked(const std::optional<headlight::CellPlace>& place);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void hover(QPointF point) override;
    void click(QPointF from, const QMouseEvent& event) override;
    void restyle() override { refresh(); }
    void resizeEvent(QResizeEvent*) override { refresh(); }
    /// What can be changed, copied, hidden and compared there.
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    /// Where the figure does not show it: in many small matrices; on an image, what is looked at.
    bool draws_selection() const;
    QString why_nothing_is_shown() const;
    /// Where the document looks, in this view.
    ViewState seen() const;
    /// The document's motion is one of this view.
    bool shows_motion() const;
    /// Another moment is to be seen: only what it changes is painted again.
    void show_moment();
    /// Returns the place of a cell that is one of a stage.
    std::optional<CellPlace> place_of(const Cell& cell) const;
    double unit() const;
    QString tip_at(QPointF point) const;
    void reveal_selection();
    void choose_part(const Cell& part, ViewHistory::Move move = ViewHistory::Move::jump);
    /// Tiles of large maps that the picture lacks.
    std::vector<TileLoader::Wanted> lacking_tiles() const;
    /// sentence(), of a picture of one head.
    QString sentence_of_place(const CellPlace& place) const;
    /// Something can be done there.
    bool has_menu(const std::optional<CellPlace>& place) const;
    /// On the screen; of the widget where the place is not in sight.
    QPoint middle_of(const CellPlace& place) const;
    /// `panel` is the one that shows the place; what opens from the menu opens at `at`.
    std::unique_ptr<ContextMenu> menu_of(const CellPlace& place, Index panel, QPoint at);
    /// Opens a menu of the largest cells of a panel of `here`, what was on screen, each of which it leads to.
    void show_largest_cells(const ShownFigure& here, Index panel, QPoint at);
    /// Another moment of the motion is shown, or it stands still.
    void say_moment();
    /// Another rectangle of cells is selected.
    void show_block();

    Document& document_;
    HoverState& hover_;
    MotionClock& motion_;
    bool says_motion_ = false;  ///< the last that happened is that another moment was shown
    ViewKind view_;
    ClickAction click_action_ = ClickAction::select;
    std::function<Figure(const Figure&)> filter_;
    std::function<QString(const std::string&)> title_action_;
    // The tools that others than the pointer and the keys ask for something.
    WeightTool* weight_tool_;
    LassoTool* lasso_tool_;
    PatchTool* patch_tool_;
    PanTool* pan_tool_;
    bool shows_focus_ = false;

    // Made when first needed after refresh(), so that views that nobody looks at cost nothing.
    mutable Zoom zoom_;
    mutable std::optional<ShownFigure> shown_;
    mutable QString notice_;                       ///< why there is no figure
    KeptPicture picture_;                          ///< the painted figure, under the marks
    std::optional<MotionPainter> motion_painter_;  ///< of shown_, once its motion has been painted
    MotionMoment drawn_moment_;                    ///< by it
    mutable Minimap minimap_;
    QTimer with_more_tiles_;  ///< until they are drawn, unless a person moves about and sees them anyway
    LatestJob search_;        ///< for the largest cells
    LatestJob copying_;
};

}  // namespace headlight
