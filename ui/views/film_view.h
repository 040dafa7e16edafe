#pragma once

#include "core/figure/figure.h"
#include "ui/render/painter.h"
#include "ui/views/kept_picture.h"

#include <QWidget>

#include <optional>

namespace headlight {

/// One picture of a film at the widget's size. Hovering a cell says its words and its weight.
class FilmView : public QWidget {
    Q_OBJECT
public:
    explicit FilmView(QWidget* parent = nullptr);

    void show_figure(Figure figure);
    /// Why there is none, in its place.
    void show_notice(const QString& notice);
    const Figure* figure() const { return figure_ ? &*figure_ : nullptr; }
    const QString& notice() const { return notice_; }
    /// Of one typographic point on screen, for a figure that is shown: less where type gives way to the
    /// matrices.
    double unit() const;
    /// Of a cell on screen; empty outside the figure.
    QRectF cell_rect(Index panel, Index row, Index column) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    const FigureLayout& layout_now() const;
    void forget_layout();
    QString sentence_at(QPointF point) const;

    std::optional<Figure> figure_;
    QString notice_;
    mutable std::optional<FigureLayout> layout_;
    KeptPicture picture_;  ///< the painted figure, under the marks
};

}  // namespace headlight
