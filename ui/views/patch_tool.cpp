#include "ui/views/patch_tool.h"

#include "ui/models/document.h"
#include "ui/views/cell_walk.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/patch_place.h"

#include <QMouseEvent>

namespace headlight {

bool PatchTool::click(const QMouseEvent& event) {
    const auto place = canvas_.place_at(event.position());
    if (!place)
        return false;
    const Index panel = *canvas_.shown()->panel_at(event.position());
    const auto& overlay = canvas_.shown()->panel(panel).overlay;
    if (!overlay)
        return false;
    if (const auto& patch = overlay->is_row ? place->column : place->row)
        choose(panel, *patch, event.modifiers() & Qt::ControlModifier);
    return true;
}

bool PatchTool::key(const QKeyEvent& event) {
    const ShownFigure* now = canvas_.shown();
    if (!canvas_.current_place() || (event.modifiers() & Qt::AltModifier))
        return false;
    const Index lead = now->leading_panel(canvas_.selection());
    const Panel& panel = now->panel(lead);
    if (!panel.overlay)
        return false;
    const auto cell = walked(outlined_cell(panel), event, panel.rows - 1, panel.columns - 1, panel.rows);
    if (cell)
        choose(lead, *cell->row * panel.columns + *cell->column, false, ViewHistory::Move::walk);
    return cell.has_value();
}

void PatchTool::choose(Index panel, Index patch, bool looked_at, ViewHistory::Move move) {
    Document& document = canvas_.document();
    const std::shared_ptr<const Run> run = document.run();
    document.looking().select(
        select_patch(*run->trace, document.view().selection, canvas_.shown()->panel(panel), patch, looked_at),
        move);
}

}  // namespace headlight
