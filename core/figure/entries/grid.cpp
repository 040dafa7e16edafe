#include "core/figure/build_figure.h"
#include "core/figure/declarations.h"
#include "core/figure/grid_columns.h"
#include "core/figure/view_titles.h"

namespace headlight {
namespace {

void build_grid(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string stage = map_stage(maker);
    const Index heads = maker.heads_of(stage);
    for (Index head = 0; head < heads; ++head) {
        Panel panel = maker.panel(stage, head);
        if (heads > 1)
            panel.title = "Head " + std::to_string(head + 1);
        panel.in_focus = heads > 1 && head == maker.head_in(stage);
        figure.panels.push_back(std::move(panel));
    }
    figure.columns = grid_columns(heads);
    figure.wrapped_rows = 1;
    figure.title = join({figure.title, in_a_sentence(maker.title(stage), stage)}, ": ");
}

}  // namespace

View declare_view_grid() {
    View view{ViewKind::grid};
    view.order = 3;
    view.title = "Heads";
    view.shows = "All heads side by side on one colour scale";
    view.is_main = true;
    view.all_heads = true;
    view.shows_difference = true;
    view.plays = PlayMode::head;
    view.draws_large_maps = true;
    view.build = build_grid;
    return view;
}

}  // namespace headlight
