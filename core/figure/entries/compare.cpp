#include "core/figure/comparison.h"
#include "core/figure/declarations.h"
#include "core/figure/grid_columns.h"
#include "core/figure/panel_maker.h"
#include "core/figure/site_grid.h"

namespace headlight {
namespace {

void build_compare(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const Index sites = compared_sites(maker.trace());
    figure.panels = comparison_panels(maker.trace(), maker.settings());
    const Index maps = std::ssize(figure.panels);
    const bool differ = maker.settings().differences && maps > 1;
    const auto first_pinned = figure.panels.begin() + sites;
    if (std::optional<SiteGrid> layers = by_layers({figure.panels.begin(), first_pinned})) {
        while (maps > sites && std::ssize(layers->panels) % layers->columns != 0)
            layers->panels.push_back(empty_place(layers->panels.back()));
        layers->panels.insert(layers->panels.end(), first_pinned, figure.panels.end());
        figure.panels = std::move(layers->panels);
        figure.columns = layers->columns;
    } else if (differ && maps == 2) {  // alone in a row of its own the difference would halve all maps
        figure.panels = difference_beside(std::move(figure.panels), maker.settings().range);
        figure.columns = std::ssize(figure.panels);
        figure.wrapped_rows = 1;
    } else {
        figure.columns = grid_columns(maps, differ ? 2 : 1);
        figure.wrapped_rows = differ ? 2 : 1;
    }
    if (differ && figure.wrapped_rows != 1)
        figure.panels = differences_below(std::move(figure.panels), figure.columns, maker.settings().range);
    figure.title = maps > 1 ? "Weights compared" : figure.title;
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
    view.draws_large_maps = true;
    view.build = build_compare;
    return view;
}

}  // namespace headlight
