#include "ui/views/film_view.h"

#include "core/figure/cell_codes.h"
#include "core/figure/panel_numbers.h"
#include "core/figure/theme_table.h"
#include "ui/render/fixed_text.h"
#include "ui/views/canvas_marks.h"
#include "ui/views/cell_text.h"
#include "ui/views/cell_walk.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace headlight {

FilmView::FilmView(QWidget* parent) : QWidget(parent) {
    make_canvases_accessible();
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FilmView::show_figure(Figure figure) {
    figure_ = std::move(figure);
    forget_layout();
    announce_figure(*this);
}

void FilmView::show_notice(const QString& notice) {
    if (!figure_ && notice == notice_)
        return;
    figure_.reset();
    notice_ = notice;
    forget_layout();
    announce_figure(*this);
}

void FilmView::forget_layout() {
    fitted_.reset();
    picture_.forget(*this);
    update();
}

const FittedLayout& FilmView::fitted() const {
    if (fitted_)
        return *fitted_;
    // Under the curves there is little room. For the last row of a class type comes first even so, and gives
    // way only to matrices that would be lost beside it.
    constexpr double enough_for_projector = 0.06;
    const bool is_projector = is_for_class(figure_->theme);
    fitted_ = fit_layout(*figure_, QRectF(rect()), logicalDpiY() / 72.0,
                         is_projector ? enough_for_projector : enough_of_area);
    return *fitted_;
}

QRectF FilmView::cell_rect(Index panel, Index row, Index column) const {
    if (!figure_ || panel >= std::ssize(figure_->panels))
        return {};
    const Panel& shown = figure_->panels[static_cast<std::size_t>(panel)];
    return area_of_cells(shown, fitted().layout.panels[static_cast<std::size_t>(panel)].cells, row, column);
}

QString FilmView::sentence_at(QPointF point) const {
    const auto hit = figure_ ? hit_test(*figure_, fitted().layout, point) : std::nullopt;
    if (!hit || !hit->row || !hit->column)
        return {};
    return sentence_of({hit->panel, *hit->row, *hit->column});
}

QString FilmView::sentence_of(const Cell& cell) const {
    const Panel& panel = figure_->panels[static_cast<std::size_t>(cell.panel)];
    const auto word = [](const AxisLabels& axis, Index at) { return quoted_token(axis_label(axis, at)); };
    const QString row = word(panel.row_axis, cell.row), column = word(panel.column_axis, cell.column);
    if (is_forbidden(panel, cell.row, cell.column))
        return tr("%1 may not look at %2").arg(row, column);
    return tr("%1 looks at %2: weight %3")
        .arg(row, column)
        .arg(fixed_text(panel.values[static_cast<std::size_t>(cell.row * panel.columns + cell.column)], 3));
}

// What the keys and a screen reader do

std::optional<AccessibleFigure::Cell> FilmView::current_cell() const {
    if (!figure_ || figure_->panels.empty())
        return std::nullopt;
    // The next picture may have fewer maps, or maps of fewer tokens.
    Cell cell = cursor_;
    cell.panel = std::min(cell.panel, std::ssize(figure_->panels) - 1);
    if (figure_->panels[static_cast<std::size_t>(cell.panel)].columns == 0)
        cell.panel = next_panel(cell.panel);
    const Panel& panel = figure_->panels[static_cast<std::size_t>(cell.panel)];
    cell.row = std::min(cell.row, panel.rows - 1);
    cell.column = std::min(cell.column, panel.columns - 1);
    return cell.row >= 0 && cell.column >= 0 ? std::optional(cell) : std::nullopt;
}

Index FilmView::next_panel(Index panel) const {
    const Index count = std::ssize(figure_->panels);
    for (Index by = 1; by < count; ++by) {
        const Panel& next = figure_->panels[static_cast<std::size_t>((panel + by) % count)];
        if (!next.blank && next.columns > 0)
            return (panel + by) % count;
    }
    return panel;
}

std::optional<double> FilmView::current_number() const {
    const auto cell = current_cell();
    if (!cell)
        return std::nullopt;
    const Panel& panel = figure_->panels[static_cast<std::size_t>(cell->panel)];
    return panel.values[static_cast<std::size_t>(cell->row * panel.columns + cell->column)];
}

ColourScale FilmView::current_scale() const {
    const auto cell = current_cell();
    return cell ? figure_->panels[static_cast<std::size_t>(cell->panel)].scale : ColourScale();
}

QRectF FilmView::panel_area(Index panel) const {
    return fitted().layout.panels[static_cast<std::size_t>(panel)].frame;
}

void FilmView::choose_cell(const Cell& cell) {
    cursor_ = cell;
    update();
    announce_cell(*this);
}

void FilmView::keyPressEvent(QKeyEvent* event) {
    const auto cell = current_cell();
    if (!cell || (event->modifiers() & Qt::AltModifier))
        return QWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_N)
        return choose_cell({next_panel(cell->panel), cell->row, cell->column});
    const Panel& panel = figure_->panels[static_cast<std::size_t>(cell->panel)];
    const auto next =
        walked({{}, {}, 0, cell->row, cell->column}, *event, panel.rows - 1, panel.columns - 1, panel.rows);
    if (!next)
        return QWidget::keyPressEvent(event);
    choose_cell({cell->panel, *next->row, *next->column});
}

void FilmView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
    announce_cell(*this);
}

void FilmView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
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
    picture_.draw(painter, *this, *figure_, fitted());
    if (!hasFocus())
        return;
    for (const bool is_halo : {true, false}) {
        painter.setPen(
            QPen(palette().color(is_halo ? QPalette::Base : QPalette::Highlight), is_halo ? 5 : 3));
        painter.drawRect(current_rect());
    }
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
