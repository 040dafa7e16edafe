// What a canvas has to say to a screen reader, cell by cell.

#include "ui/models/document.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/patch_place.h"

namespace headlight {

QString FigureCanvas::current_sentence() const {
    if (const auto part = lit_part())
        return sentence_of(*part);
    const auto place = current_place();
    const QStringList block = block_words();
    if (!place || block.isEmpty())
        return place ? sentence(*place) : QString();
    return block.join(QStringLiteral(". ")) + QStringLiteral(". ") + sentence(*place);
}

std::optional<CellPlace> FigureCanvas::place_of(const Cell& cell) const {
    const ShownFigure& now = *shown();
    const Panel& panel = now.panel(cell.panel);
    if (panel.overlay) {
        const Index patch = cell.row * panel.columns + cell.column;
        return CellPlace{panel.site,
                         panel.stage,
                         panel.head,
                         panel.overlay->row(patch),
                         panel.overlay->column(patch),
                         stands_for_keys(panel)};
    }
    return has_cells_of_stage(panel) ? std::optional(now.place_of(cell.panel, cell.row, cell.column))
                                     : std::nullopt;
}

std::optional<AccessibleFigure::Cell> FigureCanvas::current_cell() const {
    const auto place = current_place();
    if (!place)
        return std::nullopt;
    if (const auto part = lit_part())
        return part;
    const Index lead = shown()->leading_panel(selection());
    const Panel& panel = shown()->panel(lead);
    if (panel.kind == Panel::Kind::text)
        return Cell{lead, 0, panel.selected_column.value_or(panel.selected_row.value_or(0))};
    if (panel.overlay) {
        const CellPlace patch = outlined_cell(panel);
        return Cell{lead, patch.row.value_or(0), patch.column.value_or(0)};
    }
    const auto cell = has_cells_of_stage(panel) ? shown()->cell_of(lead, *place) : std::nullopt;
    return cell ? std::optional(Cell{lead, cell->first, cell->second}) : std::nullopt;
}

QString FigureCanvas::sentence_of(const Cell& cell) const {
    const Panel& panel = shown()->panel(cell.panel);
    if (panel.newest_row && cell.row > *panel.newest_row)
        return tr("Not there before a later step");
    const auto place = place_of(cell);
    const QString of_stage = place ? sentence(*place) : QString();
    return of_stage.isEmpty() ? cell_in_words(panel, cell.row, cell.column) : of_stage;
}

QRectF FigureCanvas::area_of(const Cell& cell) const {
    const Panel& panel = shown()->panel(cell.panel);
    const PanelLayout& place = shown()->panel_layout(cell.panel);
    if (panel.kind == Panel::Kind::text)
        return place.tokens[static_cast<std::size_t>(cell.column)];
    if (panel.flow)
        return place.parts[static_cast<std::size_t>(cell.row)];
    const double width = place.cells.width() / static_cast<double>(panel.columns);
    const double height = place.cells.height() / static_cast<double>(panel.rows);
    return {place.cells.left() + width * static_cast<double>(cell.column),
            place.cells.top() + height * static_cast<double>(cell.row), width, height};
}

QRectF FigureCanvas::panel_area(Index panel) const { return shown()->panel_layout(panel).frame; }

void FigureCanvas::choose_cell(const Cell& cell) {
    const Panel& panel = shown()->panel(cell.panel);
    if (panel.flow)
        choose_part(cell);
    else if (panel.overlay)
        choose_patch(cell.panel, cell.row * panel.columns + cell.column);
    else if (panel.kind == Panel::Kind::text)
        choose(shown()->place_of(cell.panel, panel.selected_row ? std::optional(cell.column) : std::nullopt,
                                 panel.selected_row ? std::nullopt : std::optional(cell.column)));
    else if (const auto place = place_of(cell))
        choose(*place);
}

}  // namespace headlight
