#include "core/figure/comparison.h"
#include "core/figure/declarations.h"
#include "core/figure/grid_columns.h"
#include "core/figure/panel_maker.h"
#include "core/figure/site_grid.h"

namespace headlight {
namespace {

void build_compare(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const Index sites = compared_sites(maker.trace());
    const bool differ = maker.settings().differences && sites > 1;
    figure.panels = comparison_panels(maker.trace(), maker.settings());
    if (std::optional<SiteGrid> layers = by_layers(figure.panels)) {
        figure.panels = std::move(layers->panels);
        figure.columns = layers->columns;
    } else {
        figure.columns = grid_columns(sites, differ ? 2 : 1);
        figure.wrapped_rows = differ ? 2 : 1;
    }
    if (differ)
        figure.panels = differences_below(std::move(figure.panels), figure.columns, maker.settings().range);
    figure.title = sites > 1 ? "Weights compared" : figure.title;
}

}  // namespace

View declare_view_compare() {
    View view{ViewKind::compare};
    view.order = 6;
    view.title = "Compare";
    view.shows =
        "The same tokens through several mechanisms, side by side, with their differences in numbers; of a "
        "model, all of its sites";
    view.stages = View::Stages::weights;
    view.all_sites = true;
    view.build = build_compare;
    return view;
}

}  // namespace headlight
