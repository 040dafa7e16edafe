#include "core/figure/build_figure.h"
#include "core/figure/dealt_axes.h"
#include "core/figure/declarations.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"

namespace headlight {
namespace {

void build(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string stage = maker.stage();
    const Stage& found = *maker.trace().find(stage, maker.chain().site());
    const DealtStage dealt = deal(found, maker.settings().axes);
    Panel panel = maker.panel(stage, maker.head_in(stage));
    // As every view has it: a cell is the stage's own.
    const bool is_usual = dealt.rows < dealt.columns && dealt.held.size() + 2 == found.axes.size() &&
                          dealt.columns == found.axes.size() - 1 && dealt.rows == found.axes.size() - 2;
    Panel drawn = is_usual ? std::move(panel) : Panel();
    drawn.title = stage_title(stage);
    drawn.in_focus = true;
    const TokenLabels& tokens = maker.trace().tokens_at(maker.chain().site());
    for (const std::size_t axis : dealt.held)
        drawn.subtitle += (drawn.subtitle.empty() ? "" : ", ") +
                          held_in_words(found, axis, tokens, maker.settings().selection);
    if (is_usual) {
        figure.panels.push_back(std::move(drawn));
        return;
    }
    drawn.site = panel.site;
    drawn.head = panel.head;
    drawn.scale = panel.scale;
    drawn.values_in_cells = panel.values_in_cells;
    const auto axis_of = [&](std::optional<std::size_t> axis) {
        if (!axis)
            return AxisLabels();
        const Axis kind = found.axes[*axis];
        return AxisLabels{axis_title(stage, kind, true), axis_labels(tokens, kind, found.shape[*axis]),
                          axis_marks(tokens, kind, found.shape[*axis])};
    };
    drawn.row_axis = axis_of(dealt.rows);
    drawn.column_axis = axis_of(dealt.columns);
    drawn.rows = dealt.rows ? found.shape[*dealt.rows] : 1;
    drawn.columns = dealt.columns ? found.shape[*dealt.columns] : 1;
    drawn.values = dealt_matrix(maker.trace().values(found), found, dealt, maker.settings().selection);
    figure.bar_title = in_a_sentence(stage_title(stage));
    figure.panels.push_back(std::move(drawn));
}

}  // namespace

View declare_view_axes() {
    View view{ViewKind::axes};
    view.order = 13;
    view.title = "Axes";
    view.shows =
        "Any stage of any rank: two of its axes are rows and columns, along the others one place is shown";
    view.stages = View::Stages::all;
    view.build = build;
    return view;
}

}  // namespace headlight
