#include "core/figure/declarations.h"
#include "core/figure/flow_words.h"
#include "core/figure/model_flow.h"
#include "core/figure/stage_flow.h"

#include <memory>

namespace headlight {
namespace {

/// A row for each part, with its one number.
Panel panel_of_flow(Flow flow, const std::string& numbers) {
    Panel panel;
    panel.kind = Panel::Kind::flow;
    panel.rows = std::ssize(flow.nodes);
    panel.columns = 1;
    panel.row_axis.title = "part";
    panel.column_axis.title = numbers;
    std::vector<double> values;
    for (const Flow::Node& node : flow.nodes) {
        panel.row_axis.labels.push_back(node.title);
        values.push_back(node.number);
    }
    panel.values = std::move(values);
    panel.in_focus = true;
    panel.flow = std::make_shared<const Flow>(std::move(flow));
    return panel;
}

Panel panel_of_model(const PanelMaker& maker) {
    const ArrivingWeights arriving = arriving_weights(maker);
    Panel panel = panel_of_flow(model_flow(maker, arriving), "weight");
    // Which part that is, the figure's title says.
    panel.title = arriving.weights.empty() ? "The parts of the model, and what it says"
                                           : "What flows into the part in view";
    panel.subtitle = row_in_words(maker, arriving);
    panel.hidden_mass = arriving.hidden_mass;
    return panel;
}

Panel panel_of_stages(const PanelMaker& maker) {
    Panel panel = panel_of_flow(stage_flow(maker), "numbers");
    panel.title = "What each stage is computed from";
    return panel;
}

void build_map(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    Panel panel = is_of_model(maker.trace()) ? panel_of_model(maker) : panel_of_stages(maker);
    panel.site = maker.chain().site();
    panel.head = maker.head();
    figure.panels.push_back(std::move(panel));
}

}  // namespace

View declare_view_map() {
    View view{ViewKind::map};
    view.order = 14;
    view.title = "Map";
    view.shows =
        "Where what is looked at stands: the stages of a mechanism and what each is computed from, or the "
        "parts of a model and how much flows into the one in view";
    view.is_main = true;
    view.stages = View::Stages::all;
    view.plays = PlayMode::stage;
    view.plays_of_model = PlayMode::step;
    view.moves = true;
    view.draws_large_maps = true;
    view.pools_heads = false;
    view.says_formula_of_part = true;
    view.build = build_map;
    return view;
}

}  // namespace headlight
