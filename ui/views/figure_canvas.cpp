#include "ui/views/figure_canvas.h"

#include "core/attention/explain.h"
#include "ui/models/document.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/canvas_marks.h"
#include "ui/views/cell_text.h"
#include "ui/views/cell_walk.h"
#include "ui/views/comparison_text.h"
#include "ui/views/hover.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QStyleOption>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

constexpr double key_zoom_factor = 1.5;

double wheel_factor(const QWheelEvent& event) { return std::pow(1.25, event.angleDelta().y() / 120.0); }

}  // namespace

FigureCanvas::FigureCanvas(Document& document, ViewKind view, QWidget* parent)
    : QWidget(parent), document_(document), hover_(HoverState::of(document)), view_(view) {
    make_canvases_accessible();
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&document_, &Document::run_changed, this, &FigureCanvas::refresh);
    connect(&document_, &Document::error_changed, this, &FigureCanvas::refresh);
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (before.view == document_.session().view)
            return;
        if (!(before.view.selection == document_.session().view.selection))
            reveal_selection();
        refresh();
    });
    connect(&hover_, &HoverState::changed, this, qOverload<>(&QWidget::update));
}

FigureCanvas::~FigureCanvas() = default;

void FigureCanvas::set_click_action(ClickAction action) { click_action_ = action; }

void FigureCanvas::set_title_action(std::function<QString(const std::string&)> action) {
    title_action_ = std::move(action);
}

void FigureCanvas::set_filter(std::function<Figure(const Figure&)> filter) {
    filter_ = std::move(filter);
    refresh();
}

void FigureCanvas::refresh() {
    shown_.reset();
    pixels_ = QPixmap();
    update();
}

double FigureCanvas::unit() const { return logicalDpiY() / 72.0; }

const ShownFigure* FigureCanvas::shown() const {
    if (shown_)
        return &*shown_;
    notice_.clear();
    try {
        const std::shared_ptr<const Figure> whole = document_.figure(view_);
        if (!whole || whole->panels.empty()) {
            notice_ = document_.error() ? QString::fromStdString(document_.error()->what())
                                        : tr("The picture appears as soon as the first run has finished.");
            return nullptr;
        }
        const auto concerned = [this](const Panel& panel) { return zoom_.concerns(panel); };
        if (std::none_of(whole->panels.begin(), whole->panels.end(), concerned))
            zoom_ = Zoom();
        shown_.emplace(with_selection(filter_ ? filter_(*whole) : *whole), zoom_, QRectF(rect()), unit());
        return &*shown_;
    } catch (const Error& error) {
        notice_ = QString::fromStdString(error.what());
        return nullptr;
    }
}

Figure FigureCanvas::with_selection(Figure figure) const {
    const Trace& trace = *document_.run()->trace;
    const Selection selection = this->selection();
    const auto selected = selected_place(trace, selection);
    if (!selected)
        return figure;
    const bool is_energy = is_of_pairs(*trace.find(selection.stage, selection.site));
    for (Panel& panel : figure.panels) {
        // Lines of other tokens would step back behind those of the selected one, and many small matrices
        // would be covered by cross-hairs.
        if (panel.thumbnail || panel.kind == Panel::Kind::lines || view_ == ViewKind::grid)
            continue;
        CellPlace place = linked_place(trace, *selected, panel.stage, panel.head, stands_for_keys(panel));
        if (is_energy && panel.stage != selection.stage && !place.rows_are_keys)
            place.row = selection.query;  // for which the energy is pictured, though its rows are keys
        panel.selected_row = panel.transposed ? place.column : place.row;
        panel.selected_column = panel.transposed ? place.row : place.column;
    }
    return figure;
}

Selection FigureCanvas::selection() const {
    ViewSettings settings = document_.session().view;
    settings.view = view_;
    const std::shared_ptr<const Run> run = document_.run();
    return run ? shown_selection(*run->trace, settings) : settings.selection;
}

const Figure* FigureCanvas::figure() const {
    const ShownFigure* now = shown();
    return now ? &now->figure() : nullptr;
}

std::optional<CellPlace> FigureCanvas::place_at(QPointF point) const {
    const ShownFigure* now = shown();
    return now ? now->place_at(point) : std::nullopt;
}

QRectF FigureCanvas::cell_rect(Index panel, Index row, Index column) const {
    const ShownFigure* now = shown();
    return now && panel < now->panel_count() ? now->cell_rect(panel, row, column) : QRectF();
}

std::optional<CellPlace> FigureCanvas::current_place() const {
    const ShownFigure* now = shown();
    const std::shared_ptr<const Run> run = document_.run();
    if (!now || !run)
        return std::nullopt;
    Selection selection = this->selection();
    const Panel& panel = now->panel(now->leading_panel(selection));
    selection.site = panel.site;
    selection.stage = panel.stage;
    return selected_place(*run->trace, selection);
}

QString FigureCanvas::sentence(const CellPlace& place) const {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return {};
    return view_ == ViewKind::compare ? comparison_sentence(*run->trace, place, selection())
                                      : cell_sentence(*run->trace, place, selection());
}

// Painting

void FigureCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ShownFigure* now = shown();
    if (!now) {
        paint_notice(painter, rect(), palette(), notice_);
        return;
    }
    const qreal ratio = devicePixelRatioF();
    if (pixels_.isNull() || pixels_.devicePixelRatio() != ratio) {
        pixels_ = QPixmap((QSizeF(size()) * ratio).toSize());
        pixels_.setDevicePixelRatio(ratio);
        pixels_.fill(palette().color(QPalette::Base));
        QPainter figure_painter(&pixels_);
        figure_painter.setRenderHint(QPainter::Antialiasing);
        paint_figure(figure_painter, now->figure(), now->layout(), now->unit());
    }
    painter.drawPixmap(QPointF(0, 0), pixels_);
    painter.setRenderHint(QPainter::Antialiasing);
    if (const auto run = document_.run()) {
        if (const auto selected = view_ == ViewKind::grid ? current_place() : std::nullopt)
            paint_place(painter, *now, *run->trace, *selected, palette().color(QPalette::Highlight));
        if (hover_.place())
            paint_place(painter, *now, *run->trace, *hover_.place(), Qt::black);
    }
    if (!zoom_.is_whole())
        paint_zoom(painter, rect(), palette(), zoom_);
    if (hasFocus() && shows_focus_) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
}

void FigureCanvas::resizeEvent(QResizeEvent*) { refresh(); }

// Pointer

bool FigureCanvas::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto place = place_at(help->pos());
        if (const auto title = title_at(help->pos()))
            QToolTip::showText(help->globalPos(), title_action_(shown()->panel(*title).site), this);
        else if (place)
            QToolTip::showText(help->globalPos(), sentence(*place), this);
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
    case QEvent::StyleChange:
        refresh();
        break;
    default:
        break;
    }
    return QWidget::event(event);
}

void FigureCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        drag_ = Drag{event->position(), event->position(), false};
}

void FigureCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (drag_ && (event->buttons() & Qt::LeftButton)) {
        drag_to(event->position());
        return;
    }
    auto place = place_at(event->position());
    if (place && !place->row && !place->column)
        place.reset();
    setCursor(place || title_at(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
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
    if (!drag_->moved && (point - drag_->start).manhattanLength() < QApplication::startDragDistance())
        return;
    drag_->moved = true;
    const ShownFigure* now = shown();
    const auto index = now && !zoom_.is_whole() ? now->panel_at(drag_->start) : std::nullopt;
    if (!index || !now->is_windowed(*index))
        return;
    const QRectF& cells = now->panel_layout(*index).cells;
    const QPointF way = drag_->last - point;
    zoom_.columns.pan(way.x() / cells.width() * static_cast<double>(zoom_.columns.count()));
    zoom_.rows.pan(way.y() / cells.height() * static_cast<double>(zoom_.rows.count()));
    drag_->last = point;
    setCursor(Qt::ClosedHandCursor);
    refresh();
}

void FigureCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !drag_)
        return;
    const Drag drag = *std::exchange(drag_, std::nullopt);
    setCursor(Qt::ArrowCursor);
    if (const auto title = title_at(event->position()); title && title_at(drag.start) == title) {
        emit title_clicked(shown()->panel(*title).site);
        return;
    }
    const auto place = place_at(event->position());
    if (!place || (drag.moved && place_at(drag.start) != place))
        return;
    if (click_action_ == ClickAction::enlarge && !(event->modifiers() & Qt::ControlModifier))
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
    if (!zoom_by(wheel_factor(*event), event->position()))
        event->ignore();
}

// Zoom

bool FigureCanvas::zoom_by(double factor, QPointF around) {
    const ShownFigure* now = shown();
    const auto index = now ? now->panel_at(around) : std::nullopt;
    if (!index)
        return false;
    const Zoom before = zoom_;
    if (!now->is_windowed(*index))
        zoom_.fit(now->panel(*index).rows, now->panel(*index).columns);
    const QRectF& cells = now->panel_layout(*index).cells;
    zoom_.zoom(factor, std::clamp((around.y() - cells.top()) / cells.height(), 0.0, 1.0),
               std::clamp((around.x() - cells.left()) / cells.width(), 0.0, 1.0));
    if (zoom_ == before)
        return false;
    refresh();
    return true;
}

void FigureCanvas::zoom_in() { zoom_for_key(key_zoom_factor); }

void FigureCanvas::zoom_out() { zoom_for_key(1 / key_zoom_factor); }

void FigureCanvas::reset_zoom() {
    zoom_.show_all();
    refresh();
}

void FigureCanvas::zoom_for_key(double factor) {
    const ShownFigure* now = shown();
    if (!now)
        return;
    const Index lead = now->leading_panel(selection());
    const auto place = current_place();
    const QRectF cell = place ? now->place_rect(lead, *place) : QRectF();
    zoom_by(factor, cell.isEmpty() ? now->panel_layout(lead).cells.center() : cell.center());
}

void FigureCanvas::reveal_selection() {
    const auto place = zoom_.is_whole() ? std::nullopt : current_place();
    if (!place)
        return;
    const Stage& stage = *document_.run()->trace->find(place->stage, place->site);
    if (stage.shape[stage.shape.size() - 2] == zoom_.rows.extent() &&
        stage.shape.back() == zoom_.columns.extent())
        zoom_.reveal(*place->row, *place->column);
}

// Choosing

void FigureCanvas::choose(const CellPlace& place) {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return;
    document_.select(select_place(*run->trace, document_.session().view.selection, place));
    announce_cell(*this);
}

void FigureCanvas::enlarge(const CellPlace& place) {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return;
    ViewSettings settings = document_.session().view;
    settings.selection = select_place(*run->trace, settings.selection, place);
    settings.view = ViewKind::heatmap;
    document_.change_view(tr("Enlarge a head"), settings);
}

void FigureCanvas::keyPressEvent(QKeyEvent* event) {
    if (!std::exchange(shows_focus_, true))
        update();
    const bool plain = !(event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier));
    if (walk(*event))
        return;
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
        if (const auto place = current_place(); place && view_ != ViewKind::heatmap)
            enlarge(*place);
        else
            zoom_in();
        return;
    default:
        break;
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
    const Selection& selection = document_.session().view.selection;
    const Stage* weights = run ? run->trace->find("weights", selection.site) : nullptr;
    if (!weights || head >= weights->extent(Axis::head))
        return false;
    Selection next = selection;
    next.head = head;
    document_.select(next);
    announce_cell(*this);
    return true;
}

bool FigureCanvas::choose_site(Index by) {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || view_ != ViewKind::compare)
        return false;
    const std::vector<std::string> sites = sites_with_weights(*run->trace);
    const auto here = std::find(sites.begin(), sites.end(), document_.session().view.selection.site);
    if (here == sites.end())
        return false;
    Selection next = document_.session().view.selection;
    const Index count = std::ssize(sites);
    next.site = sites[static_cast<std::size_t>((here - sites.begin() + by + count) % count)];
    document_.select(next);
    announce_cell(*this);
    return true;
}

bool FigureCanvas::walk(const QKeyEvent& event) {
    const ShownFigure* now = shown();
    const auto place = current_place();
    if (!place || (event.modifiers() & Qt::AltModifier))
        return false;
    const Index lead = now->leading_panel(selection());
    const Index page = zoom_.is_whole() ? 10 : std::max<Index>(zoom_.rows.count() - 1, 1);
    const auto next = walked(*place, event, now->last_row(lead), now->last_column(lead), page);
    if (next)
        choose(*next);
    return next.has_value();
}

void FigureCanvas::focusInEvent(QFocusEvent* event) {
    // Who clicks knows where the focus is; who walks with the keys has to see it.
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason)
        shows_focus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                       event->reason() == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
}

QSize FigureCanvas::sizeHint() const { return {720, 520}; }

QSize FigureCanvas::minimumSizeHint() const { return {240, 180}; }

}  // namespace headlight
