#include "core/figure/declarations.h"
#include "core/figure/equation.h"
#include "core/figure/panel_maker.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"

#include <algorithm>

namespace headlight {
namespace {

void build_stages(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    figure.panels = stage_panels(maker);
    figure.columns = std::ranges::count(figure.panels, false, &Panel::thumbnail);
    figure.wrapped_rows = 1;
    const std::string head = head_title(maker.head(), maker.heads());
    const auto focus = std::ranges::find_if(
        figure.panels, [](const Panel& panel) { return panel.in_focus && !panel.thumbnail; });
    if (focus == figure.panels.end() || maker.heads_of(focus->stage) > 1) {
        figure.subtitle = head;  // of strip and panels alike
        return;
    }
    // What is looked at belongs to no head, though it may be made of what does.
    for (Panel& panel : figure.panels)
        if (!panel.thumbnail && maker.heads_of(panel.stage) > 1)
            panel.subtitle = join({panel.subtitle, head}, ", ");
}

}  // namespace

View declare_view_stages() {
    View view{ViewKind::stages};
    view.order = 1;
    view.title = "Stages";
    view.shows = "The way from tokens to output, one stage of the formula after another";
    view.is_main = true;
    view.stages = View::Stages::all;
    view.plays = PlayMode::stage;
    view.moves = true;
    view.draws_large_maps = true;
    view.pools_heads = false;
    view.build = build_stages;
    return view;
}

}  // namespace headlight
