// What a person does with a canvas: pointer, zoom, keys.

#include "core/figure/comparison.h"
#include "core/figure/view.h"
#include "ui/models/document.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/cell_walk.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hover.h"
#include "ui/views/patch_place.h"
#include "ui/views/way_in.h"
#include "ui/views/weight_drag.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

// Pointer

bool FigureCanvas::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto place = place_at(help->pos());
        if (const auto title = title_at(help->pos()))
            QToolTip::showText(help->globalPos(), title_action_(shown()->panel(*title).site), this);
        else if (const auto part = part_at(help->pos()))
            QToolTip::showText(help->globalPos(), sentence_of(*part), this);
        else if (place)
            QToolTip::showText(help->globalPos(),
                               (sentence(*place) + QLatin1Char('\n') + weight_hint(*place)).trimmed(), this);
        else
            QToolTip::hideText();
        return true;
    }
    case QEvent::NativeGesture: {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() != Qt::ZoomNativeGesture)
            break;
        zoom_by(1 + gesture->value(), gesture->position());
        return true;
    }
    case QEvent::PaletteChange:
    case QEvent::FontChange:
        refresh();
        break;
    default:
        break;
    }
    return QWidget::event(event);
}

void FigureCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && minimap_.contains(event->position())) {
        drag_ = Drag{event->position(), event->position(), true, true};
        document_.zoom_to(minimap_.moved_to(event->position()).part());
    } else if (event->button() == Qt::LeftButton && !begin_weight_drag(*event)) {
        drag_ = Drag{event->position(), event->position()};
        if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
            drag_->corner = block_corner_at(event->position());
    }
}

void FigureCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (weight_drag_) {
        drag_weight(event->position());
        return;
    }
    if (drag_ && (event->buttons() & Qt::LeftButton)) {
        drag_to(event->position());
        return;
    }
    auto place = minimap_.contains(event->position()) ? std::nullopt : place_at(event->position());
    if (place && !place->row && !place->column)
        place.reset();
    const bool leads_on = place || title_at(event->position()) || part_at(event->position());
    setCursor(leads_on ? Qt::PointingHandCursor : Qt::ArrowCursor);
    hover_.set(place);
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

void FigureCanvas::drag_to(QPointF point) {
    if (drag_->in_minimap) {
        document_.zoom_to(minimap_.moved_to(point).part());
        return;
    }
    if (!drag_->moved && (point - drag_->start).manhattanLength() < QApplication::startDragDistance())
        return;
    drag_->moved = true;
    if (drag_->corner)
        return drag_block(point);
    const ShownFigure* now = shown();
    const auto index = now && !zoom_.is_whole() ? now->panel_at(drag_->start) : std::nullopt;
    if (!index || !now->is_windowed(*index))
        return;
    const QRectF& cells = now->panel_layout(*index).cells;
    const QPointF way = drag_->last - point;
    Zoom panned = zoom_;
    panned.columns.pan(way.x() / cells.width() * static_cast<double>(zoom_.columns.count()));
    panned.rows.pan(way.y() / cells.height() * static_cast<double>(zoom_.rows.count()));
    drag_->last = point;
    setCursor(Qt::ClosedHandCursor);
    document_.zoom_to(panned.part());
}

void FigureCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && weight_drag_)
        return end_weight_drag();
    if (event->button() != Qt::LeftButton || !drag_)
        return;
    const Drag drag = *std::exchange(drag_, std::nullopt);
    setCursor(Qt::ArrowCursor);
    if (drag.in_minimap)
        return;
    if (drag.moved && drag.corner) {
        if (hasFocus())
            announce_cell(*this);
        return;
    }
    if (const auto title = title_at(event->position()); title && title_at(drag.start) == title) {
        emit title_clicked(shown()->panel(*title).site);
        return;
    }
    const auto place = place_at(event->position());
    if (drag.moved && place_at(drag.start) != place)
        return;
    emit place_clicked(place);
    if (!place)
        return;
    const bool with_control = event->modifiers() & Qt::ControlModifier;
    const Index panel = *shown()->panel_at(event->position());
    if (const auto& overlay = shown()->panel(panel).overlay) {
        if (const auto& patch = overlay->is_row ? place->column : place->row)
            choose_patch(panel, *patch, with_control);
        return;
    }
    if (click_action_ == ClickAction::enlarge && !with_control)
        enlarge(*place);
    else
        choose(*place);
}

void FigureCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto place = place_at(event->position());
    if (place && event->button() == Qt::LeftButton)
        enlarge(*place);
}

void FigureCanvas::leaveEvent(QEvent*) { hover_.set({}); }

void FigureCanvas::wheelEvent(QWheelEvent* event) {
    if (zoom_by(wheel_factor(*event), event->position()))
        return;
    if (event->modifiers() & Qt::ControlModifier)
        WayIn::of(document_).turn_wheel(event->angleDelta().y());
    else
        event->ignore();
}

// Zoom

bool FigureCanvas::zoom_by(double factor, QPointF around) {
    const ShownFigure* now = shown();
    const auto index = now ? now->panel_at(around) : std::nullopt;
    if (!index)
        return false;
    if (now->panel(*index).overlay || now->panel(*index).flow)
        return false;
    Zoom next = zoom_;
    if (!now->is_windowed(*index))
        next.fit(now->panel(*index).rows, now->panel(*index).columns);
    const QRectF& cells = now->panel_layout(*index).cells;
    next.zoom(factor, std::clamp((around.y() - cells.top()) / cells.height(), 0.0, 1.0),
              std::clamp((around.x() - cells.left()) / cells.width(), 0.0, 1.0));
    if (next.part() == zoom_.part())
        return false;
    document_.zoom_to(next.part());
    return true;
}

void FigureCanvas::zoom_in() { zoom_for_key(key_zoom_factor); }

void FigureCanvas::zoom_out() { zoom_for_key(1 / key_zoom_factor); }

void FigureCanvas::reset_zoom() { document_.zoom_to(std::nullopt); }

void FigureCanvas::zoom_for_key(double factor) {
    const ShownFigure* now = shown();
    if (!now)
        return;
    const Index lead = now->leading_panel(selection());
    const auto place = current_place();
    const QRectF cell = place ? now->place_rect(lead, *place) : QRectF();
    if (zoom_by(factor, cell.isEmpty() ? now->panel_layout(lead).cells.center() : cell.center()))
        return;
    WayIn& way = WayIn::of(document_);
    factor > 1 ? way.go_in() : way.go_out();
}

void FigureCanvas::reveal_selection() {
    const auto place = document_.view().zoom ? current_place() : std::nullopt;
    if (!place || zoom_.is_whole())
        return;
    const Stage& stage = *document_.run()->trace->find(place->stage, place->site);
    if (stage.shape[stage.shape.size() - 2] == zoom_.rows.extent() &&
        stage.shape.back() == zoom_.columns.extent()) {
        Zoom moved = zoom_;
        moved.reveal(*place->row, *place->column);
        document_.zoom_to(moved.part());
    }
}

// Choosing

void FigureCanvas::choose(const CellPlace& place, ViewHistory::Move move) {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return;
    document_.select(select_place(*run->trace, document_.view().selection, place), move);
}

void FigureCanvas::choose_patch(Index panel, Index patch, bool looked_at, ViewHistory::Move move) {
    const std::shared_ptr<const Run> run = document_.run();
    const Selection& selection = document_.view().selection;
    document_.select(select_patch(*run->trace, selection, shown()->panel(panel), patch, looked_at), move);
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
    document_.look(in_view(there, ViewKind::heatmap));
}

void FigureCanvas::keyPressEvent(QKeyEvent* event) {
    if (!std::exchange(shows_focus_, true))
        update();
    const bool plain = !(event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier));
    if (extend_block(*event) || walk(*event) || change_weight(*event))
        return;
    if (event->matches(QKeySequence::Cancel) && document_.view().block) {
        document_.select_block(std::nullopt);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom_in();
        return;
    case Qt::Key_Minus:
        zoom_out();
        return;
    case Qt::Key_0:
        reset_zoom();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (view_ == ViewKind::map && WayIn::of(document_).go_in())
            return;
        if (const auto place = current_place(); place && view_ != ViewKind::heatmap)
            enlarge(*place);
        else
            zoom_in();
        return;
    default:
        break;
    }
    if (plain && event->key() == Qt::Key_L && view_ == ViewKind::lines)
        if (std::optional<CellPlace> token = current_place()) {
            token->column.reset();
            emit place_clicked(token);
            return;
        }
    if (plain && event->key() == Qt::Key_N && choose_site(event->modifiers() & Qt::ShiftModifier ? -1 : 1))
        return;
    if (plain && event->key() >= Qt::Key_1 && event->key() <= Qt::Key_9 &&
        choose_head(event->key() - Qt::Key_1))
        return;
    QWidget::keyPressEvent(event);
}

bool FigureCanvas::choose_head(Index head) {
    const std::shared_ptr<const Run> run = document_.run();
    const Selection& selection = document_.view().selection;
    const Stage* weights = run ? run->trace->find("weights", selection.site) : nullptr;
    if (!weights || head >= weights->extent(Axis::head))
        return false;
    Selection next = selection;
    next.head = head;
    document_.select(next);
    return true;
}

bool FigureCanvas::choose_site(Index by) {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || (!view(view_).all_sites && run->is_of_mechanism()))
        return false;
    const std::vector<std::string> sites = sites_with_weights(*run->trace);
    const auto here = std::find(sites.begin(), sites.end(), document_.view().selection.site);
    if (here == sites.end())
        return false;
    Selection next = document_.view().selection;
    const Index count = std::ssize(sites);
    next.site = sites[static_cast<std::size_t>((here - sites.begin() + by + count) % count)];
    document_.select(next);
    return true;
}

bool FigureCanvas::walk(const QKeyEvent& event) {
    const ShownFigure* now = shown();
    const auto place = current_place();
    if (!place || (event.modifiers() & Qt::AltModifier))
        return false;
    if (const auto part = lit_part())
        return walk_parts(event, *part);
    const Index lead = now->leading_panel(selection());
    if (const Panel& panel = now->panel(lead); panel.overlay) {
        const auto cell = walked(outlined_cell(panel), event, panel.rows - 1, panel.columns - 1, panel.rows);
        if (cell)
            choose_patch(lead, *cell->row * panel.columns + *cell->column, false, ViewHistory::Move::walk);
        return cell.has_value();
    }
    const Index page = zoom_.is_whole() ? 10 : std::max<Index>(zoom_.rows.count() - 1, 1);
    if (now->panel(lead).kind == Panel::Kind::text)
        return walk_text(event, *place);
    Index last_row = now->last_row(lead), last_column = now->last_column(lead);
    if (!has_cells_of_stage(now->panel(lead))) {
        const Shape& shape = document_.run()->trace->find(place->stage, place->site)->shape;
        last_row = shape.size() < 2 ? 0 : shape[shape.size() - 2] - 1;
        last_column = shape.empty() ? 0 : shape.back() - 1;
    }
    const auto next = walked(*place, event, last_row, last_column, page);
    if (next)
        choose(*next, ViewHistory::Move::walk);
    return next.has_value();
}

bool FigureCanvas::walk_text(const QKeyEvent& event, const CellPlace& place) {
    // Two texts are those of queries and of keys, each with its own pair of arrows.
    const bool is_one_text = shown()->panel_count() == 1;
    const auto& directions = shown()->panel_layout(shown()->panel_count() - 1).token_directions;
    const auto token = static_cast<std::size_t>(is_one_text ? *place.row : *place.column);
    const bool from_right = token < directions.size() && directions[token] == Qt::RightToLeft;
    const bool is_across = event.key() == Qt::Key_Left || event.key() == Qt::Key_Right;
    const int key =
        is_across && from_right ? (event.key() == Qt::Key_Left ? Qt::Key_Right : Qt::Key_Left) : event.key();
    const QKeyEvent in_order(event.type(), key, event.modifiers());
    const Shape& shape = document_.run()->trace->find(place.stage, place.site)->shape;
    const Index last_query = shape[shape.size() - 2] - 1;
    CellPlace from = place;
    if (is_one_text)
        from.column = place.row;
    auto next = walked(from, in_order, last_query, is_one_text ? last_query : shape.back() - 1, 10);
    if (next && is_one_text) {
        // Up and down, too, lead from token to token.
        next->row = next->column == from.column ? next->row : next->column;
        next->column = place.column;
    }
    if (next)
        choose(*next, ViewHistory::Move::walk);
    return next.has_value();
}

void FigureCanvas::focusInEvent(QFocusEvent* event) {
    // Who clicks knows where the focus is; who walks with the keys has to see it.
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason)
        shows_focus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                       event->reason() == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
}

}  // namespace headlight
