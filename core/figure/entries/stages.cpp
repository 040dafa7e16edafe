#include "core/figure/declarations.h"
#include "core/figure/equation.h"
#include "core/figure/panel_maker.h"
#include "core/figure/words.h"

#include <algorithm>

namespace headlight {
namespace {

void build_stages(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    figure.panels = stage_panels(maker);
    figure.columns = std::ranges::count(figure.panels, false, &Panel::thumbnail);
    figure.wrapped_rows = 1;
    figure.subtitle = head_title(maker.head(), maker.heads());  // of strip and panels alike
}

}  // namespace

View declare_view_stages() {
    View view{ViewKind::stages};
    view.order = 1;
    view.title = "Stages";
    view.shows = "The way from tokens to output, one stage of the formula after another";
    view.stages = View::Stages::all;
    view.plays = PlayMode::stage;
    view.draws_large_maps = true;
    view.pools_heads = false;
    view.build = build_stages;
    return view;
}

}  // namespace headlight
