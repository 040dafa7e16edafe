#include "core/figure/declarations.h"
#include "core/figure/view_titles.h"

namespace headlight {
namespace {

void build_heatmap(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string stage = maker.stage();
    Panel panel = head_panel(maker, stage);
    panel.subtitle = maker.subtitle(stage, panel.head);
    figure.panels.push_back(std::move(panel));
}

}  // namespace

View declare_view_heatmap() {
    View view{ViewKind::heatmap};
    view.order = 2;
    view.title = "Heatmap";
    view.shows = "One head large: row = query, column = key, colour = weight";
    view.is_main = true;
    view.stages = View::Stages::all;
    view.shows_difference = true;
    view.draws_large_maps = true;
    view.build = build_heatmap;
    return view;
}

}  // namespace headlight
