#pragma once

#include "core/figure/figure.h"
#include "ui/jobs/latest_job.h"
#include "ui/render/painter.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/head_brush.h"
#include "ui/views/kept_picture.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>

namespace headlight {

class Document;
class HeadOverviews;

/// A picture of all heads: a grid of small maps, or points. A click or the arrow keys select a head, a double
/// click or Enter shows its map, and dragging around points picks out their heads in every view.
class HeadsCanvas : public QWidget, public AccessibleFigure {
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

    QSize sizeHint() const override { return {720, 520}; }
    QSize minimumSizeHint() const override { return {240, 180}; }

signals:
    /// selected_mark() or hovered_mark() is another one.
    void mark_changed();
    /// What was to be copied could not be read.
    void copy_refused(const QString& why);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    /// What can be copied of a head, and compared.
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// The figure is out of date.
    void build();
    void lay_out();
    const Panel& panel() const { return figure_->panels.front(); }
    const HeadMarks& marks() const { return *panel().marks; }
    std::optional<std::size_t> mark_under(QPointF point) const;
    Index marks_in_a_row() const { return panel().kind == Panel::Kind::points ? 1 : panel().columns; }
    std::size_t mark_of(const Cell& cell) const {
        return static_cast<std::size_t>(cell.row * marks_in_a_row() + cell.column);
    }
    /// The heads are those of a HeadVis tree, by its metrics: the maps of one alone are there.
    bool are_of_tree() const;
    /// Returns the file of a head of the tree; empty where it has none.
    std::string file_of(std::size_t mark) const;
    void select(std::size_t mark);
    void show_map(std::size_t mark);
    /// The mark next to the selected one in a direction of the screen.
    std::optional<std::size_t> neighbour(QPointF direction) const;
    void brush(const QRectF& area);
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
    std::optional<QPointF> pressed_;
    QRectF dragged_;
    LatestJob copying_;
};

}  // namespace headlight
