#include "core/figure/declarations.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"

namespace headlight {
namespace {

void build_lines(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string stage = map_stage(maker);
    Panel panel = head_panel(maker, stage);
    panel.kind = Panel::Kind::lines;
    panel.row_axis.title = axis_title(stage, Axis::query, false);
    panel.column_axis.title =
        axis_title(stage, maker.is_query_by_key(stage) ? Axis::key : Axis::feature, false);
    panel.row_sums.clear();
    figure.panels.push_back(std::move(panel));
}

}  // namespace

View declare_view_lines() {
    View view{ViewKind::lines};
    view.order = 5;
    view.title = "Lines";
    view.shows = "Queries on the left, keys on the right, weights as lines between them";
    view.build = build_lines;
    return view;
}

}  // namespace headlight
