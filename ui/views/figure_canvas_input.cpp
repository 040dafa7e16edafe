// What comes from the pointer and the keys: what it does is the tools' matter.

#include "core/figure/view.h"
#include "core/workbench/fitting_pair.h"
#include "ui/models/document.h"
#include "ui/views/canvas_tool.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hover.h"
#include "ui/views/pan_tool.h"
#include "ui/views/way_in.h"
#include "ui/views/wrapped_tip.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headlight {

bool FigureCanvas::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tip_at(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), wrapped_tip(tip), this);
        return true;
    }
    case QEvent::NativeGesture: {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        WayIn& way = WayIn::of(document_);
        if (gesture->gestureType() == Qt::EndNativeGesture && way.is_between()) {
            way.settle();
            return true;
        }
        if (gesture->gestureType() != Qt::ZoomNativeGesture)
            break;
        if (way.is_between() || !zoom_by(1 + gesture->value(), gesture->position()))
            way.spread(1 + gesture->value());
        return true;
    }
    default:
        break;
    }
    return CanvasShell::event(event);
}

QString FigureCanvas::tip_at(QPointF point) const {
    if (const auto title = title_at(point))
        return title_action_(shown()->panel(*title).site);
    if (const auto part = part_at(point))
        return sentence_of(*part);
    const auto place = place_at(point);
    if (!place)
        return {};
    QString tip = sentence(*place);
    for (const std::unique_ptr<CanvasTool>& tool : tools())
        tip = (tip + QLatin1Char('\n') + tool->hint(*place)).trimmed();
    return tip;
}

std::optional<Index> FigureCanvas::title_at(QPointF point) const {
    const ShownFigure* now = title_action_ ? shown() : nullptr;
    const auto index = now ? now->panel_at(point) : std::nullopt;
    if (!index || !now->panel_layout(*index).title.contains(point))
        return std::nullopt;
    const Panel& panel = now->panel(*index);
    // The title of a difference, or an empty place, names nothing.
    if (panel.title != panel.site || title_action_(panel.site).isEmpty())
        return std::nullopt;
    return index;
}

void FigureCanvas::hover(QPointF point) {
    auto place = minimap_.contains(point) ? std::nullopt : place_at(point);
    if (place && !place->row && !place->column)
        place.reset();
    const bool leads_on = place || title_at(point) || part_at(point);
    setCursor(leads_on ? Qt::PointingHandCursor : Qt::ArrowCursor);
    hover_.set(place);
}

void FigureCanvas::click(QPointF from, const QMouseEvent& event) {
    if (const auto title = title_at(event.position()); title && title_at(from) == title) {
        emit title_clicked(shown()->panel(*title).site);
        return;
    }
    emit place_clicked(place_at(event.position()));
    CanvasShell::click(from, event);
}

void FigureCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto place = place_at(event->position());
    if (!place || event->button() != Qt::LeftButton)
        return;
    if (view_ != ViewKind::heatmap && view_ != ViewKind::query_key)
        return enlarge(*place);
    // The first click has chosen the cell; with a key held it did something else.
    if (place->is_cell() && !event->modifiers())
        WayIn::of(document_).go_in();
}

void FigureCanvas::leaveEvent(QEvent*) { hover_.set({}); }

void FigureCanvas::wheelEvent(QWheelEvent* event) {
    WayIn& way = WayIn::of(document_);
    const bool is_on_its_way = way.is_between();
    if (!is_on_its_way && zoom_by(wheel_factor(*event), event->position()))
        return;
    if (is_on_its_way || event->modifiers() & Qt::ControlModifier)
        way.turn_wheel(event->angleDelta().y());
    else
        event->ignore();
}

void FigureCanvas::keyPressEvent(QKeyEvent* event) {
    if (!std::exchange(shows_focus_, true))
        update();
    CanvasShell::keyPressEvent(event);
}

void FigureCanvas::focusInEvent(QFocusEvent* event) {
    // Who clicks knows where the focus is; who walks with the keys has to see it.
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason)
        shows_focus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                       event->reason() == Qt::ShortcutFocusReason;
    CanvasShell::focusInEvent(event);
}

// Where it goes

bool FigureCanvas::zoom_by(double factor, QPointF around) { return pan_tool_->zoom_by(factor, around); }

void FigureCanvas::zoom_in() { pan_tool_->zoom_here(key_zoom_factor); }

void FigureCanvas::zoom_out() { pan_tool_->zoom_here(1 / key_zoom_factor); }

void FigureCanvas::reset_zoom() { pan_tool_->reset(); }

Index FigureCanvas::rows_of_a_page() const {
    return zoom_.is_whole() ? 10 : std::max<Index>(zoom_.rows.count() - 1, 1);
}

void FigureCanvas::reveal(Index row, Index column) {
    Zoom moved = zoom_;
    moved.reveal(row, column);
    document_.looking().zoom_to(moved.part());
}

void FigureCanvas::reveal_selection() {
    const auto place = document_.view().zoom ? current_place() : std::nullopt;
    if (!place || zoom_.is_whole())
        return;
    const Stage& stage = *document_.run()->trace->find(place->stage, place->site);
    if (stage.shape[stage.shape.size() - 2] == zoom_.rows.extent() &&
        stage.shape.back() == zoom_.columns.extent())
        reveal(*place->row, *place->column);
}

void FigureCanvas::choose(const CellPlace& place, ViewHistory::Move move) {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return;
    const Selection& here = document_.view().selection;
    Selection there = select_place(*run->trace, here, place);
    if (view_ == ViewKind::map)  // another part may have other tokens, and another mask
        there = with_fitting_pair(*run->trace, here, there, {place.row, place.column});
    document_.looking().select(there, move);
}

void FigureCanvas::enlarge(const CellPlace& place) {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return;
    // Another mechanism is beside the current one in the comparison, and nowhere else.
    if (!place.site.empty() && run->is_of_mechanism())
        return choose(place);
    ViewState there = document_.view();
    there.selection = select_place(*run->trace, there.selection, place);
    document_.looking().look_at(in_view(there, ViewKind::heatmap));
}

}  // namespace headlight
