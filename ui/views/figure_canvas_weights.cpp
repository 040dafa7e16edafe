// What a person changes in a model through a canvas: by dragging, by menu, by keys. The menu copies, too.

#include "core/figure/largest_cells.h"
#include "core/figure/view.h"
#include "core/workbench/intervention_edits.h"
#include "ui/models/document.h"
#include "ui/models/menu_text.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/cell_text.h"
#include "ui/views/compare_menu.h"
#include "ui/views/copy_menu.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hide_menu.h"
#include "ui/views/hover.h"
#include "ui/views/intervention_menu.h"
#include "ui/views/weight_drag.h"
#include "ui/views/weight_popup.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScreen>

#include <algorithm>

namespace headlight {
namespace {

/// The panel's cells are those of the stage, one for one.
bool has_matrix_of(const Panel& panel, const Stage& stage) {
    const Shape& shape = stage.shape;
    return panel.stage == stage.name && !panel.transposed && !panel.overlay &&
           panel.kind != Panel::Kind::text && shape.size() >= 2 && panel.rows == shape[shape.size() - 2] &&
           panel.columns == shape.back();
}

}  // namespace

bool FigureCanvas::begin_weight_drag(const QMouseEvent& event) {
    const auto place = event.modifiers() & Qt::ShiftModifier ? place_at(event.position()) : std::nullopt;
    const auto weight = place ? changeable_weight(document_, *place) : std::nullopt;
    if (!weight)
        return false;
    choose(*place);
    weight_drag_ = std::make_unique<WeightDrag>(document_, *place, *weight, event.position());
    setCursor(Qt::SizeVerCursor);
    update();
    return true;
}

void FigureCanvas::drag_weight(QPointF to) {
    weight_drag_->move(to);
    hover_.set(weight_drag_->place());
    update();
}

void FigureCanvas::end_weight_drag() {
    weight_drag_->release();
    weight_drag_.reset();
    setCursor(Qt::ArrowCursor);
    update();
}

QString FigureCanvas::weight_hint(const CellPlace& place) const {
    return changeable_weight(document_, place)
               ? tr("Shift+drag up or down, or press W, to change it:\n"
                    "the rest of the row shares what is left, and the model decodes on from here.")
               : QString();
}

void FigureCanvas::contextMenuEvent(QContextMenuEvent* event) {
    const bool by_keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const auto place = by_keyboard ? current_place() : place_at(event->pos());
    const auto ask = [this, &place] { ask_weight(*place); };
    const std::shared_ptr<const Run> run = document_.run();
    if (!place || !run || !(place->row || place->column))
        return QWidget::contextMenuEvent(event);
    std::unique_ptr<QMenu> menu = intervention_menu(document_, *place, ask, this);
    if (menu)
        menu->addSeparator();
    else
        menu = std::make_unique<QMenu>(this);
    const auto panel = by_keyboard ? shown()->leading_panel(selection()) : *shown()->panel_at(event->pos());
    const Panel whole = whole_panel(panel);
    const Stage* stage = run->trace->find(place->stage, place->site);
    const WeightLens lens = drawn_lens(document_.view().view, document_.session().figure);
    const bool may_differ = run->untouched || lens != WeightLens();
    if (stage && !(may_differ && has_matrix_of(whole, *stage)))
        add_copy_actions(*menu, run->trace, *place, selection(), lens);
    else  // what is drawn: through a lens, a difference; products, axes that are dealt another way
        add_copy_actions(*menu, whole, whole.transposed ? place->column : place->row,
                         whole.transposed ? place->row : place->column);
    add_table_copy(*menu, "copy_map", tr("Copy the m&ap"), whole, {0, whole.rows, 0, whole.columns});
    add_block_actions(*menu);
    add_hide_actions(*menu, document_, *place);
    if (run->trace->find("weights", place->site))
        add_compare_actions(*menu, document_, {place->site, place->head});
    const QRectF cell = rect_of(*place);
    const QPoint middle = cell.isEmpty() ? rect().center() : cell.center().toPoint();
    const QPoint at = by_keyboard ? mapToGlobal(middle) : event->globalPos();
    if (shown()->panel(panel).kind == Panel::Kind::heatmap && !shown()->panel(panel).overlay) {
        menu->addSeparator();
        QAction* largest = menu->addAction(tr("&Largest numbers in sight"));
        largest->setObjectName(QLatin1String("largest_cells"));
        // In what is on screen now: another figure may have arrived by the time that it is chosen.
        connect(largest, &QAction::triggered, this,
                [this, here = *shown(), panel, at] { show_largest_cells(here, panel, at); });
    }
    // What it offers is of these numbers.
    connect(&document_, &Document::run_changed, menu.get(), &QMenu::close);
    menu->exec(at);
}

void FigureCanvas::show_largest_cells(const ShownFigure& here, Index panel, QPoint at) {
    constexpr std::size_t most = 10;
    Panel searched = here.panel(panel);
    if (searched.large)
        searched.large->waits = true;
    search_.start(
        "find the largest numbers",
        [this, panel, at, here, searched](const Cancellation&) -> Job::Delivery {
            return [this, panel, at, here, cells = largest_cells(searched, most)] {
                auto* menu = new QMenu(this);
                menu->setObjectName(QLatin1String("largest_cells_menu"));
                menu->setAttribute(Qt::WA_DeleteOnClose);
                for (const LargestCell& cell : cells) {
                    const CellPlace place = here.place_of(panel, cell.row, cell.column);
                    QString words = sentence(place);
                    menu->addAction(menu_text(words), this, [this, place] { choose(place); });
                }
                if (cells.empty())
                    menu->addAction(tr("No number"))->setEnabled(false);
                menu->popup(at);
            };
        },
        [](const Error&) {});
}

QRectF FigureCanvas::rect_of(const CellPlace& place) const {
    const ShownFigure* now = shown();
    for (Index panel = 0; now && panel < now->panel_count(); ++panel)
        if (const Panel& each = now->panel(panel); each.site == place.site && each.stage == place.stage &&
                                                   each.head == place.head && !each.thumbnail)
            return now->place_rect(panel, place);
    return {};
}

bool FigureCanvas::ask_weight(const CellPlace& place) {
    const auto weight = changeable_weight(document_, place);
    if (!weight)
        return false;
    choose(place);
    const TokenLabels& tokens = document_.run()->trace->tokens_at(place.site);
    // Not by its word, which is what may change.
    const QString which = tr("How much step %1 looks at %2")
                              .arg(*place.row + 1)
                              .arg(quoted_token(index_label(tokens, Axis::key, *place.column)));
    auto* popup = new WeightPopup(document_, *weight, which, this);
    const QRect screen = this->screen()->availableGeometry();
    QRect area(mapToGlobal(rect_of(place).bottomLeft().toPoint() + QPoint(0, 6)), popup->sizeHint());
    area.moveLeft(std::min(area.left(), screen.right() - area.width()));
    area.moveTop(std::min(area.top(), screen.bottom() - area.height()));
    popup->move(area.topLeft());
    popup->show();
    popup->setFocus(Qt::PopupFocusReason);
    return true;
}

bool FigureCanvas::change_weight(const QKeyEvent& event) {
    const auto place = current_place();
    if (!place)
        return false;
    if (event.key() == Qt::Key_W && !(event.modifiers() & ~Qt::KeypadModifier))
        return ask_weight(*place);
    const bool up = event.key() == Qt::Key_Up, down = event.key() == Qt::Key_Down;
    if (event.modifiers() != Qt::AltModifier || (!up && !down))
        return false;
    auto weight = changeable_weight(document_, *place);
    if (!weight)
        return false;
    if (document_.is_running())
        return true;  // of a key that is held, what the model can follow
    constexpr double step = 0.05;
    weight->weight = std::clamp(weight->weight + (up ? step : -step), 0.0, 1.0);
    document_.edit(set_weight(document_.session(), *weight, weight_key(*weight)));
    announce_cell(*this);
    return true;
}

}  // namespace headlight
