#include "core/figure/declarations.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"

#include <algorithm>

namespace headlight {
namespace {

void build_steps(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string stage = map_stage(maker);
    Panel panel = head_panel(maker, stage);
    const Index last = std::max<Index>(panel.rows, 1) - 1;
    const std::optional<Index>& chosen = maker.settings().decoding_step;
    const Index step = std::clamp<Index>(chosen.value_or(last), 0, last);
    if (auto forbidden = maker.forbidden(stage, maker.head_in(stage)); forbidden.size() == panel.values.size())
        panel.forbidden = std::move(forbidden);
    panel.newest_row = step;
    const auto& labels = panel.row_axis.labels;
    panel.subtitle = "step " + std::to_string(step + 1) + " of " + std::to_string(panel.rows);
    if (!chosen && maker.query() < last)  // nobody goes by steps yet: it is another row that is looked at
        panel.subtitle = "all " + std::to_string(panel.rows) + " steps";
    else if (!labels.empty())
        panel.subtitle += ": " + step_subject(stage, labels[static_cast<std::size_t>(step)]);
    figure.panels.push_back(std::move(panel));
}

}  // namespace

View declare_view_steps() {
    View view{ViewKind::steps};
    view.order = 4;
    view.title = "Steps";
    view.shows = "Decoding step by step: row after row arrives, and what the mask forbids is hatched";
    view.is_main = true;
    view.rows_arrive = true;
    view.hatches_forbidden = true;
    view.shows_difference = true;
    view.plays = PlayMode::step;
    view.build = build_steps;
    return view;
}

}  // namespace headlight
