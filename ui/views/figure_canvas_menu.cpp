// The menu of a canvas: what can be changed, copied, hidden and compared there.

#include "core/figure/largest_cells.h"
#include "core/figure/view.h"
#include "core/workbench/intervention_edits.h"
#include "ui/actions/context_menu.h"
#include "ui/models/document.h"
#include "ui/views/canvas_tool.h"
#include "ui/views/compare_menu.h"
#include "ui/views/copy_menu.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hide_menu.h"
#include "ui/views/intervention_menu.h"
#include "ui/views/weight_tool.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>

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

void FigureCanvas::contextMenuEvent(QContextMenuEvent* event) {
    const bool by_keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const auto place = by_keyboard ? current_place() : place_at(event->pos());
    if (!has_menu(place))
        return CanvasShell::contextMenuEvent(event);
    const auto panel = by_keyboard ? shown()->leading_panel(selection()) : *shown()->panel_at(event->pos());
    const QPoint at = by_keyboard ? middle_of(*place) : event->globalPos();
    std::unique_ptr<ContextMenu> menu = menu_of(*place, panel, at);
    // What it offers is of these numbers.
    connect(&document_, &Document::run_changed, menu.get(), &QMenu::close);
    run_menu(std::move(menu), at);
}

std::unique_ptr<ContextMenu> FigureCanvas::menu_here() {
    const auto place = current_place();
    return has_menu(place) ? menu_of(*place, shown()->leading_panel(selection()), middle_of(*place))
                           : nullptr;
}

bool FigureCanvas::has_menu(const std::optional<CellPlace>& place) const {
    return place && document_.run() && (place->row || place->column);
}

QPoint FigureCanvas::middle_of(const CellPlace& place) const {
    const QRectF cell = rect_of(place);
    return mapToGlobal(cell.isEmpty() ? rect().center() : cell.center().toPoint());
}

std::unique_ptr<ContextMenu> FigureCanvas::menu_of(const CellPlace& place, Index panel, QPoint at) {
    const std::shared_ptr<const Run> run = document_.run();
    auto menu = std::make_unique<ContextMenu>(QStringLiteral("over_cell"), this);
    add_interventions(*menu, document_, place, [this, place] { weight_tool_->ask(place); });
    const Panel whole = whole_panel(panel);
    const Stage* stage = run->trace->find(place.stage, place.site);
    const WeightLens lens = drawn_lens(document_.view().view, document_.session().figure);
    const bool may_differ = run->untouched || lens != WeightLens();
    if (stage && !(may_differ && has_matrix_of(whole, *stage)))
        add_copy_actions(*menu, run->trace, place, selection(), lens);
    else  // what is drawn: through a lens, a difference; products, axes that are dealt another way
        add_copy_actions(*menu, whole, whole.transposed ? place.column : place.row,
                         whole.transposed ? place.row : place.column);
    add_table_copy(*menu, "copy_map", whole, {0, whole.rows, 0, whole.columns});
    for (const std::unique_ptr<CanvasTool>& tool : tools())
        tool->fill_menu(*menu);
    add_hide_actions(*menu, document_, place);
    if (run->trace->find("weights", place.site))
        add_compare_actions(*menu, document_, {place.site, place.head});
    // In what is on screen now: another figure may have arrived by the time that it is chosen.
    if (shown()->panel(panel).kind == Panel::Kind::heatmap && !shown()->panel(panel).overlay)
        connect(&menu->offer(QStringLiteral("largest_cells")), &QAction::triggered, this,
                [this, here = *shown(), panel, at] { show_largest_cells(here, panel, at); });
    return menu;
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
                auto* menu = new ContextMenu(QStringLiteral("largest_cells_menu"), this);
                menu->setAttribute(Qt::WA_DeleteOnClose);
                for (std::size_t rank = 0; rank < cells.size(); ++rank) {
                    const CellPlace place = here.place_of(panel, cells[rank].row, cells[rank].column);
                    connect(&menu->offer(QStringLiteral("largest_cell"), {sentence(place)},
                                         QString::number(rank + 1)),
                            &QAction::triggered, this, [this, place] { choose(place); });
                }
                if (cells.empty())
                    menu->offer(QStringLiteral("no_largest_cell")).setEnabled(false);
                menu->popup(at);
            };
        },
        [](const Error&) {});
}

Panel FigureCanvas::whole_panel(Index index) const {
    const std::shared_ptr<const Figure> figure =
        shown()->is_windowed(index) ? document_.figure(view_) : nullptr;
    if (!figure)
        return shown()->panel(index);
    return (filter_ ? filter_(*figure) : *figure).panels[static_cast<std::size_t>(index)];
}

void FigureCanvas::add_table_copy(ContextMenu& menu, const char* id, const Panel& panel,
                                  const MapBlock& block) {
    connect(&add_table_action(menu, id, block.size()), &QAction::triggered, this, [this, panel, block] {
        copying_.start_in_step(
            "copy numbers",
            [panel, block](const Cancellation&) -> Job::Delivery {
                return [table = cells_table(panel, block)] { QGuiApplication::clipboard()->setText(table); };
            },
            [this](const Error& error) { emit copy_refused(QString::fromStdString(error.what())); });
    });
}

}  // namespace headlight
