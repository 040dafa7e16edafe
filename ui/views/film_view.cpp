#include "ui/views/film_view.h"

#include "ui/views/canvas_marks.h"
#include "ui/views/cell_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace headlight {

FilmView::FilmView(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FilmView::show_figure(Figure figure) {
    figure_ = std::move(figure);
    setAccessibleDescription(QString::fromStdString(figure_->description));
    forget_layout();
}

void FilmView::show_notice(const QString& notice) {
    if (!figure_ && notice == notice_)
        return;
    figure_.reset();
    notice_ = notice;
    setAccessibleDescription(notice);
    forget_layout();
}

void FilmView::forget_layout() {
    layout_.reset();
    pixels_ = QPixmap();
    update();
}

double FilmView::unit() const {
    // Under the curves there is little room. For the last row of a class type comes first even so, and gives
    // way only to matrices that would be lost beside it.
    constexpr double enough_for_projector = 0.06;
    const bool is_projector = figure_->theme == FigureTheme::projector;
    return fitting_unit(*figure_, QRectF(rect()), logicalDpiY() / 72.0,
                        is_projector ? enough_for_projector : enough_of_area);
}

const FigureLayout& FilmView::layout_now() const {
    if (!layout_)
        layout_ = layout_figure(*figure_, QRectF(rect()), unit());
    return *layout_;
}

QRectF FilmView::cell_rect(Index panel, Index row, Index column) const {
    if (!figure_ || panel >= std::ssize(figure_->panels))
        return {};
    const Panel& shown = figure_->panels[static_cast<std::size_t>(panel)];
    const QRectF cells = layout_now().panels[static_cast<std::size_t>(panel)].cells;
    const double width = cells.width() / static_cast<double>(shown.columns);
    const double height = cells.height() / static_cast<double>(shown.rows);
    return {cells.left() + width * static_cast<double>(column),
            cells.top() + height * static_cast<double>(row), width, height};
}

QString FilmView::sentence_at(QPointF point) const {
    const auto hit = figure_ ? hit_test(*figure_, layout_now(), point) : std::nullopt;
    if (!hit || !hit->row || !hit->column)
        return {};
    const Panel& panel = figure_->panels[static_cast<std::size_t>(hit->panel)];
    const auto word = [](const AxisLabels& axis, Index at) {
        return axis.labels.empty() ? QStringLiteral("“%1”").arg(at + 1)
                                   : quoted_token(axis.labels[static_cast<std::size_t>(at)]);
    };
    return tr("%1 looks at %2: weight %3")
        .arg(word(panel.row_axis, *hit->row), word(panel.column_axis, *hit->column))
        .arg(panel.values[static_cast<std::size_t>(*hit->row * panel.columns + *hit->column)], 0, 'f', 3);
}

bool FilmView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString sentence = sentence_at(help->pos());
    if (sentence.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), sentence, this);
    return true;
}

void FilmView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!figure_) {
        painter.fillRect(rect(), palette().color(QPalette::Base));
        paint_notice(painter, rect(), palette(), notice_);
        return;
    }
    paint_kept(painter, pixels_, *this,
               [&](QPainter& onto) { paint_figure(onto, *figure_, layout_now(), unit()); });
}

void FilmView::resizeEvent(QResizeEvent*) { forget_layout(); }

void FilmView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        forget_layout();
}

QSize FilmView::sizeHint() const { return {640, 360}; }

QSize FilmView::minimumSizeHint() const { return {240, 160}; }

}  // namespace headlight
