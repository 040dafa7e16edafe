#pragma once

#include "core/figure/figure.h"
#include "ui/jobs/latest_job.h"
#include "ui/render/painter.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/canvas_shell.h"
#include "ui/views/head_brush.h"
#include "ui/views/kept_picture.h"
#include "ui/views/walks_heads.h"

#include <memory>
#include <optional>
#include <string>

namespace headlight {

class Document;
class HeadOverviews;

/// A picture of all heads: a grid of small maps, or points. Its tools select a head, show its map and, by a
/// drag around points, pick out their heads in every view.
class HeadsCanvas : public CanvasShell, public AccessibleFigure, public WalksHeads {
    Q_OBJECT
public:
    HeadsCanvas(Document& document, ViewKind kind, QWidget* parent = nullptr);

    /// What is on screen; null where there is nothing yet.
    const Figure* figure() const override { return figure_ ? &*figure_ : nullptr; }
    /// What stands in its place.
    QString notice() const override;
    /// The marks of the selected head and of the one under the pointer.
    std::optional<std::size_t> selected_mark() const;
    std::optional<std::size_t> hovered_mark() const { return hovered_; }
    /// Around a mark, in the widget.
    QRectF mark_rect(std::size_t mark) const;

    QRectF current_rect() const override;
    std::optional<double> current_number() const override;
    ColourScale current_scale() const override;
    std::optional<Cell> current_cell() const override;
    QString sentence_of(const Cell& cell) const override;
    QRectF area_of(const Cell& cell) const override { return mark_rect(mark_of(cell)); }
    QRectF panel_area(Index panel) const override;
    void choose_cell(const Cell& cell) override;

    bool shows_points() const { return figure_ && panel().kind == Panel::Kind::points; }
    std::optional<std::size_t> mark_under(QPointF point) const;
    void select(std::size_t mark);
    void show_map(std::size_t mark);
    /// The mark next to the selected one in a direction of the screen.
    std::optional<std::size_t> neighbour(QPointF direction) const;
    std::unique_ptr<ContextMenu> menu_here() override;
    /// Picks out the heads of the points there.
    void brush(const QRectF& area);

signals:
    /// selected_mark() or hovered_mark() is another one.
    void mark_changed();

protected:
    void hover(QPointF point) override;
    void restyle() override { lay_out(); }
    void resizeEvent(QResizeEvent*) override { lay_out(); }
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    /// What can be copied of a head, and compared.
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// The figure is out of date.
    void build();
    void lay_out();
    const Panel& panel() const { return figure_->panels.front(); }
    const HeadMarks& marks() const { return *panel().marks; }
    Index marks_in_a_row() const { return panel().kind == Panel::Kind::points ? 1 : panel().columns; }
    std::size_t mark_of(const Cell& cell) const {
        return static_cast<std::size_t>(cell.row * marks_in_a_row() + cell.column);
    }
    /// The heads are those of a HeadVis tree, by its metrics: the maps of one alone are there.
    bool are_of_tree() const;
    /// Returns the file of a head of the tree; empty where it has none.
    std::string file_of(std::size_t mark) const;
    std::unique_ptr<ContextMenu> menu_of(std::size_t mark);
    void copy_map(const HeadMarks::Head& head);
    void paint_over(QPainter& painter) const;

    Document& document_;
    HeadOverviews& overviews_;
    HeadBrush& brush_;
    ViewKind kind_;
    std::optional<Figure> figure_;
    FittedLayout fitted_;
    QString refusal_;
    KeptPicture picture_;  ///< the painted figure, under the marks
    std::optional<std::size_t> hovered_;
    LatestJob copying_;
};

}  // namespace headlight
