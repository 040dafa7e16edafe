#pragma once

#include "core/workbench/view_history.h"
#include "ui/jobs/latest_job.h"
#include "ui/models/tile_loader.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/cell_lasso.h"
#include "ui/views/kept_picture.h"
#include "ui/views/minimap.h"
#include "ui/views/shown_figure.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>

class QMenu;

namespace headlight {

class Document;
class HoverState;
class WeightDrag;

/// Shows one view of the document's figure at the widget's size: hovering names a cell everywhere, clicking
/// and the arrow keys select it (over an image, the patch that looks; with Ctrl, the one that is looked at),
/// the wheel zooms around the pointer, dragging pans, and with Shift it changes a model's weight; with Ctrl,
/// and with Shift where there is no such weight, it selects a rectangle of cells, whose sums are said. Paints
/// through the figure painter alone; what it adds is where the pointer, the selection and the focus are.
class FigureCanvas : public QWidget, public AccessibleFigure {
    Q_OBJECT
public:
    enum class ClickAction {
        select,   ///< the cell
        enlarge,  ///< its head, in the heatmap view
    };

    FigureCanvas(Document& document, ViewKind view, QWidget* parent = nullptr);
    ~FigureCanvas() override;

    void set_click_action(ClickAction action);
    /// What a click on the title of a panel does, in words, by its site; empty where it does nothing.
    void set_title_action(std::function<QString(const std::string& site)> action);
    /// Applied to the document's figure before it is shown: a view that shows less than all of it.
    void set_filter(std::function<Figure(const Figure&)> filter);
    /// The figure is out of date; it is made again when it is next needed.
    void refresh();

    /// What is on screen, zoom applied; null before the first run.
    const Figure* figure() const override;
    /// The document's, where a panel has that size.
    const Zoom& zoom() const;
    /// The cell of the whole matrix under a point of the widget.
    std::optional<CellPlace> place_at(QPointF point) const;
    /// The rectangle of a cell of the whole matrix; empty when it is not on screen.
    QRectF cell_rect(Index panel, Index row, Index column) const;
    /// The place that the keyboard is at: the selected cell in the panel that shows its stage.
    std::optional<CellPlace> current_place() const;
    /// Its rectangle, empty when it is not on screen; its number, nothing where it has none; and the scale
    /// that colours it.
    QRectF current_rect() const override;
    std::optional<double> current_number() const override;
    ColourScale current_scale() const override;
    QString current_sentence() const override;
    std::optional<Cell> current_cell() const override;
    /// What stands in place of the figure; empty while there is one.
    QString notice() const override { return notice_; }
    /// "“river” looks at “bank”: weight 0.31", for tooltips and screen readers.
    QString sentence(const CellPlace& place) const;
    QString sentence_of(const Cell& cell) const override;
    QRectF area_of(const Cell& cell) const override;
    QRectF panel_area(Index panel) const override;
    void choose_cell(const Cell& cell) override;

    /// False when there is nothing to zoom there.
    bool zoom_by(double factor, QPointF around);
    void zoom_in();
    void zoom_out();
    void reset_zoom();
    /// What there is to say of the rectangle that is selected, line by line; empty where none is, or none
    /// that the keyboard's panel has.
    QStringList block_words() const;
    /// The cell's head large, in the heatmap view.
    void enlarge(const CellPlace& place);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// The title of a panel that has an action was clicked.
    void title_clicked(const std::string& site);
    /// The left button was pressed and released there: nothing where no panel is.
    void place_clicked(const std::optional<headlight::CellPlace>& place);
    /// What was to be copied could not be read.
    void copy_refused(const QString& why);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    /// What can be changed in a model there.
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Drag {
        QPointF start, last;
        bool moved = false;
        bool in_minimap = false;
        std::optional<CellPlace> corner{};  ///< of a rectangle that is being selected
    };

    const ShownFigure* shown() const;
    /// Where the figure does not show it: in many small matrices; on an image, what is looked at.
    bool draws_selection() const;
    QString why_nothing_is_shown() const;
    /// The selection is a matter of the window: exports do not carry it, so the canvas adds it to the figure.
    Figure with_selection(Figure figure) const;
    /// Returns the place of a cell that is one of a stage.
    std::optional<CellPlace> place_of(const Cell& cell) const;
    /// The session's, as this view shows it.
    Selection selection() const;
    double unit() const;
    void drag_to(QPointF point);
    void zoom_for_key(double factor);
    void reveal_selection();
    void choose(const CellPlace& place, ViewHistory::Move move = ViewHistory::Move::jump);
    /// In a panel over an image: the patch that looks, or that is looked at.
    void choose_patch(Index panel, Index patch, bool looked_at = false,
                      ViewHistory::Move move = ViewHistory::Move::jump);
    bool choose_head(Index head);
    /// The next compared mechanism or site of a model, or the one before it.
    bool choose_site(Index by);
    /// The panel whose title is under the point and has an action.
    std::optional<Index> title_at(QPointF point) const;
    bool walk(const QKeyEvent& event);
    /// The part of a map that is there, or that is in view; its number is the row.
    std::optional<Cell> part_at(QPointF point) const;
    std::optional<Cell> lit_part() const;
    void choose_part(const Cell& part, ViewHistory::Move move = ViewHistory::Move::jump);
    bool walk_parts(const QKeyEvent& event, const Cell& from);
    /// From token to token of a text, as it runs.
    bool walk_text(const QKeyEvent& event, const CellPlace& place);

    /// Tiles of large maps that the picture lacks.
    std::vector<TileLoader::Wanted> lacking_tiles() const;

    /// sentence(), of a picture of one head.
    QString sentence_of_place(const CellPlace& place) const;

    // A rectangle of cells.
    /// The selected one in the rows and columns of the panel's whole matrix; nothing where it has none.
    std::optional<MapBlock> block_in(Index panel) const;
    void sum_block() const;
    /// As no zoom has cut it.
    Panel whole_panel(Index index) const;
    /// Adds to `menu` that the numbers of a block are copied, off this thread where they are many.
    void add_table_copy(QMenu& menu, const char* id, const QString& words, const Panel& panel,
                        const MapBlock& block);
    /// Opens a menu of the largest cells of a panel of `here`, what was on screen, each of which it leads to.
    void show_largest_cells(const ShownFigure& here, Index panel, QPoint at);
    void paint_blocks(QPainter& painter) const;
    std::optional<CellPlace> block_corner_at(QPointF point) const;
    /// Both in the panel that the keyboard is in.
    void select_block(const CellPlace& from, const CellPlace& to);
    void drag_block(QPointF point);
    bool extend_block(const QKeyEvent& event);
    void add_block_actions(QMenu& menu);
    void show_block();

    bool begin_weight_drag(const QMouseEvent& event);
    void drag_weight(QPointF to);
    void end_weight_drag();
    /// How the weight there is changed, in words; empty where it cannot be.
    QString weight_hint(const CellPlace& place) const;
    bool ask_weight(const CellPlace& place);
    bool change_weight(const QKeyEvent& event);
    /// In the first panel that shows the place's stage and head.
    QRectF rect_of(const CellPlace& place) const;

    Document& document_;
    HoverState& hover_;
    ViewKind view_;
    ClickAction click_action_ = ClickAction::select;
    std::function<Figure(const Figure&)> filter_;
    std::function<QString(const std::string&)> title_action_;
    std::optional<Drag> drag_;
    std::unique_ptr<WeightDrag> weight_drag_;
    bool shows_focus_ = false;

    // Made when first needed after refresh(), so that views that nobody looks at cost nothing.
    mutable Zoom zoom_;
    mutable std::optional<ShownFigure> shown_;
    mutable QString notice_;  ///< why there is no figure
    KeptPicture picture_;     ///< the painted figure, under the marks
    mutable Minimap minimap_;
    QTimer with_more_tiles_;  ///< until they are drawn, unless a person moves about and sees them anyway
    LatestJob search_;        ///< for the largest cells
    LatestJob copying_;
    mutable CellLasso lasso_;
    mutable bool block_is_stale_ = true;
};

}  // namespace headlight
