#include "ui/views/patch_place.h"

namespace headlight {

Selection select_patch(const Trace& trace, Selection selection, const Panel& panel, Index patch,
                       bool looked_at) {
    selection = select_place(trace, selection, {panel.site, panel.stage, panel.head, {}, {}});
    if (panel.overlay->patches_look && !looked_at)
        selection.query = patch;
    selection.key = patch;
    return selection;
}

CellPlace outlined_cell(const Panel& panel) {
    const Index patch = panel.overlay->outlined;
    return {panel.site, panel.stage, panel.head, patch / panel.columns, patch % panel.columns};
}

}  // namespace headlight
