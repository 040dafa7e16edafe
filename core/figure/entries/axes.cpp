#include "core/figure/build_figure.h"
#include "core/figure/dealt_axes.h"
#include "core/figure/declarations.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

/// As every view has it: a cell is the stage's own.
bool is_usual(const Stage& stage, const DealtStage& dealt) {
    const std::size_t axes = stage.axes.size();
    return axes >= 2 && dealt.rows == axes - 2 && dealt.columns == axes - 1;
}

AxisLabels labels_of(const Trace& trace, const Stage& stage, std::optional<std::size_t> axis) {
    if (!axis)
        return {};
    const Axis kind = stage.axes[*axis];
    const TokenLabels& tokens = trace.tokens_at(stage.site);
    return {stage_axis_title(trace, stage, *axis, true), axis_labels(tokens, kind, stage.shape[*axis]),
            axis_marks(tokens, kind, stage.shape[*axis])};
}

/// Cells that are of no stage as others draw it; in the colours that `usual` has.
Panel dealt_panel(const PanelMaker& maker, const Stage& stage, const DealtStage& dealt, const Panel& usual) {
    Panel panel;
    panel.site = stage.site;
    panel.head = usual.head;
    panel.is_implied = usual.is_implied;
    panel.scale = usual.scale;
    panel.values_in_cells = usual.values_in_cells;
    panel.row_axis = labels_of(maker.trace(), stage, dealt.rows);
    panel.column_axis = labels_of(maker.trace(), stage, dealt.columns);
    panel.rows = dealt.rows ? stage.shape[*dealt.rows] : 1;
    panel.columns = dealt.columns ? stage.shape[*dealt.columns] : 1;
    const bool is_otherwise = maker.is_seen_otherwise(stage.name);
    const DisplayedWeights::Rows drawn = is_otherwise ? maker.numbers(stage.name) : DisplayedWeights::Rows();
    panel.values = dealt_matrix(is_otherwise ? std::span(drawn.weights.data(), drawn.weights.size())
                                             : maker.trace().values(stage),
                                stage, dealt, maker.settings().selection);
    panel.hidden_mass = drawn.hidden_mass;
    return panel;
}

void build_axes(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string name = maker.stage();
    const Stage& stage = *maker.trace().find(name, maker.chain().site());
    const DealtStage dealt = deal(stage, maker.settings().axes);
    Panel panel = maker.panel(name, maker.head_in(name));
    if (!is_usual(stage, dealt) && stage.is_large())
        throw Error(
            {"draw Axes", "",
             "queries as rows and keys as columns, of a map of so many tokens (--rows query --columns key)",
             std::to_string(stage.extent(Axis::query)) + " × " + std::to_string(stage.extent(Axis::key)) +
                 " in another order"});
    if (!is_usual(stage, dealt))
        panel = dealt_panel(maker, stage, dealt, panel);
    panel.title = maker.title(name);
    panel.subtitle.clear();
    panel.in_focus = true;
    for (const std::size_t axis : dealt.held)
        panel.subtitle += (panel.subtitle.empty() ? "" : ", ") +
                          held_in_words(maker.trace(), stage, axis, maker.settings().selection);
    figure.panels.push_back(std::move(panel));
    figure.bar_title = in_a_sentence(maker.title(name), name);
}

}  // namespace

View declare_view_axes() {
    View view{ViewKind::axes};
    view.order = 13;
    view.title = "Axes";
    view.shows =
        "Any stage of any rank: two of its axes are rows and columns, along the others one place is shown";
    view.stages = View::Stages::all;
    view.chooses_axes = true;
    view.pools_heads = false;
    view.draws_pages = true;
    view.build = build_axes;
    return view;
}

}  // namespace headlight
