#pragma once

#include "core/figure/figure.h"
#include "ui/render/painter.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/kept_picture.h"

#include <QWidget>

#include <optional>

namespace headlight {

/// One picture of a film at the widget's size. Hovering a cell says its words and its weight, and so does
/// walking to it with the arrow keys; N leads to the next of several maps.
class FilmView : public QWidget, public AccessibleFigure {
    Q_OBJECT
public:
    explicit FilmView(QWidget* parent = nullptr);

    void show_figure(Figure figure);
    /// Why there is none, in its place.
    void show_notice(const QString& notice);
    const Figure* figure() const override { return figure_ ? &*figure_ : nullptr; }
    QString notice() const override { return notice_; }
    /// Returns the size of one typographic point on screen, for a figure that is shown: less where type gives
    /// way to the matrices.
    double unit() const { return fitted().unit; }
    /// Returns the place of a cell on screen; empty outside the figure.
    QRectF cell_rect(Index panel, Index row, Index column) const;

    std::optional<double> current_number() const override;
    ColourScale current_scale() const override;
    std::optional<Cell> current_cell() const override;
    QString sentence_of(const Cell& cell) const override;
    QRectF area_of(const Cell& cell) const override { return cell_rect(cell.panel, cell.row, cell.column); }
    QRectF panel_area(Index panel) const override;
    void choose_cell(const Cell& cell) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    const FittedLayout& fitted() const;
    void forget_layout();
    QString sentence_at(QPointF point) const;
    /// The map after this one that has cells.
    Index next_panel(Index panel) const;

    std::optional<Figure> figure_;
    Cell cursor_;  ///< where the keys are
    QString notice_;
    mutable std::optional<FittedLayout> fitted_;
    KeptPicture picture_;  ///< the painted figure, under the marks
};

}  // namespace headlight
