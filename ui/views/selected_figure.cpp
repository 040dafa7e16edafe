#include "ui/views/selected_figure.h"

#include "core/figure/panel_part.h"
#include "core/figure/view.h"
#include "ui/views/cell_place.h"
#include "ui/views/shown_figure.h"

#include <algorithm>

namespace headlight {

Figure with_selection(Figure figure, const Trace& trace, const ViewState& here) {
    const Selection selection = shown_selection(trace, here);
    const auto selected = selected_place(trace, selection);
    if (!selected)
        return figure;
    const bool is_energy = is_of_pairs(*trace.find(selection.stage, selection.site));
    for (Panel& panel : figure.panels) {
        // Lines of other tokens would step back behind those of the selected one, and many small matrices
        // would be covered by cross-hairs. On an image the patch that looks is outlined already.
        // A text has its own token marked.
        if (panel.thumbnail || panel.kind != Panel::Kind::heatmap || panel.overlay ||
            view(here.view).all_heads)
            continue;
        CellPlace place = linked_place(trace, *selected, panel.stage, panel.head, stands_for_keys(panel));
        if (is_energy && panel.stage != selection.stage && !place.rows_are_keys)
            place.row = selection.query;  // for which the energy is pictured, though its rows are keys
        panel.selected_row =
            cell_of_part(panel.transposed ? place.column : place.row, {panel.row_axis.first, panel.rows});
        panel.selected_column = cell_of_part(panel.transposed ? place.row : place.column,
                                             {panel.column_axis.first, panel.columns});
    }
    return figure;
}

Zoom zoom_of(const Figure& figure, const std::optional<ZoomedPart>& part) {
    const Zoom zoom(part);
    const auto concerned = [&](const Panel& panel) { return zoom.concerns(panel); };
    return std::ranges::any_of(figure.panels, concerned) ? zoom : Zoom();
}

}  // namespace headlight
