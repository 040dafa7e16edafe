#include "core/figure/declarations.h"
#include "core/figure/line_selection.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headlight {
namespace {

/// Those that are asked for and that the stage has; the selected one where none is.
std::vector<Index> heads_to_draw(const PanelMaker& maker, const std::string& stage) {
    std::vector<Index> heads;
    std::ranges::copy_if(maker.settings().options.heads, std::back_inserter(heads),
                         [&](Index head) { return head < maker.heads_of(stage); });
    return heads.empty() ? std::vector{maker.head_in(stage)} : heads;
}

Panel lines_of_head(const PanelMaker& maker, const std::string& stage, Index head) {
    Panel panel = head_panel(maker, stage, head);
    panel.kind = Panel::Kind::lines;
    panel.row_axis.title = axis_title(stage, Axis::query, false);
    panel.column_axis.title =
        axis_title(stage, maker.is_query_by_key(stage) ? Axis::key : Axis::feature, false);
    panel.row_sums.clear();
    keep_chosen_lines(panel, maker.settings().options.lines);
    return panel;
}

/// One place and one title for all; the keyboard is in the selected head, or in the first.
void lay_over_one_another(std::vector<Panel>& panels, const std::string& title, Index selected) {
    const bool has_selected = std::ranges::count(panels, selected, &Panel::head) > 0;
    for (Panel& panel : panels) {
        panel.lies_over = &panel != panels.data();
        panel.head_title = std::exchange(panel.title, title);
        panel.in_focus = has_selected ? panel.head == selected : !panel.lies_over;
    }
}

void build_lines(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string stage = map_stage(maker);
    const std::vector<Index> heads = heads_to_draw(maker, stage);
    figure.of_heads = maker.heads_of(stage);
    for (const Index head : heads)
        figure.panels.push_back(lines_of_head(maker, stage, head));
    if (heads.size() > 1)
        lay_over_one_another(figure.panels,
                             maker.title(stage) + ", heads " + head_numbers(heads) + " of " +
                                 std::to_string(figure.of_heads),
                             maker.head_in(stage));
}

}  // namespace

View declare_view_lines() {
    View view{ViewKind::lines};
    view.order = 5;
    view.title = "Lines";
    view.shows = "Queries on the left, keys on the right, weights as lines between them";
    view.overlays_heads = true;
    view.build = build_lines;
    return view;
}

}  // namespace headlight
