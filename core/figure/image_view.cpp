#include "core/figure/image_view.h"

#include "core/figure/fit_scales.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <optional>

namespace headlight {
namespace {

/// Which way the patches run through the matrices of a stage, and what its other axis counts.
struct Direction {
    bool along_rows = true;  ///< a row has a number for each patch; else a column has
    Axis across = Axis::query;
};

std::optional<Direction> direction_of(const Stage& stage, Index patches) {
    const auto counts_patches = [&](Axis axis, Index extent) {
        return (axis == Axis::query || axis == Axis::key) && extent == patches;
    };
    const auto& axes = stage.axes;
    if (axes.empty() || stage.size() == 0)
        return std::nullopt;
    if (axes.size() == 1)
        return counts_patches(axes[0], stage.shape[0]) ? std::optional(Direction{false, Axis::feature})
                                                       : std::nullopt;
    const Axis rows = axes[axes.size() - 2], columns = axes.back();
    if (counts_patches(columns, stage.shape.back()))
        return Direction{true, rows};
    if (counts_patches(rows, stage.shape[stage.shape.size() - 2]))
        return Direction{false, columns};
    return std::nullopt;
}

/// In self-attention the patches look at one another.
bool patches_look(const PanelMaker& maker, Index patches) {
    const Trace& trace = maker.trace();
    const std::string& site = maker.chain().site();
    return trace.spec_at(site).source.type == SourceType::self &&
           std::ranges::any_of(trace.stages(), [&](const Stage& stage) {
               return stage.site == site && stage.extent(Axis::query) == patches;
           });
}

Index selected_on(Axis axis, const PanelMaker& maker) {
    switch (axis) {
    case Axis::query:
        return maker.query();
    case Axis::key:
        return maker.settings().selection.key;
    case Axis::head:
        return maker.head();
    case Axis::feature:
    case Axis::attention:
        break;
    }
    return maker.settings().selection.feature;
}

/// The stage to lay over the image: the selected one, else the weights, else the last that there is.
std::string image_stage(const PanelMaker& maker, Index patches) {
    const std::vector<std::string> stages = image_stages(maker.trace(), maker.chain().site(), patches);
    for (const std::string& wanted :
         {maker.stage(), maker.chain().shown_by(maker.stage()), std::string("weights")})
        if (std::ranges::find(stages, wanted) != stages.end())
            return wanted;
    if (stages.empty())
        throw Error({draw_over_image, "",
                     "a stage with a number for each of the image's " + std::to_string(patches) + " patches",
                     "none"});
    return stages.back();
}

/// What the line is, in words: "patch 5,7 looks", "“dog” looks", "feature 3 of 64".
std::string line_title(const PanelMaker& maker, Axis across, Index line, Index extent, bool patches_look) {
    const auto labels = axis_labels(maker.trace().tokens_at(maker.chain().site()), across, extent);
    const std::string label =
        labels.empty() ? std::to_string(line + 1) : labels[static_cast<std::size_t>(line)];
    if (across == Axis::query)
        return (patches_look ? "patch " + label : in_quotes(label)) + " looks";
    if (across == Axis::key)
        return "looking at " + in_quotes(label);
    return extent > 1
               ? axis_title(across, false) + " " + std::to_string(line + 1) + " of " + std::to_string(extent)
               : "";
}

/// The line of `values` [rows, columns] that lies over the patches; empty when there are none.
template <class Values>
auto line_of(const Values& values, Index columns, const Overlay& overlay, Index patches) {
    std::vector<std::remove_cvref_t<decltype(values[0])>> line;
    for (Index patch = 0; !values.empty() && patch < patches; ++patch)
        line.push_back(
            values[static_cast<std::size_t>(overlay.row(patch) * columns + overlay.column(patch))]);
    return line;
}

Panel laid_over(Panel matrix, const Overlay& overlay, PatchGrid grid) {
    matrix.values = line_of(matrix.values, matrix.columns, overlay, grid.count());
    matrix.forbidden = line_of(matrix.forbidden, matrix.columns, overlay, grid.count());
    if (std::ranges::find(matrix.forbidden, 1) == matrix.forbidden.end())
        matrix.forbidden.clear();
    matrix.rows = grid.rows;
    matrix.columns = grid.columns;
    matrix.row_axis = matrix.column_axis = {};  // numbered, as the patches are named
    matrix.row_sums.clear();
    matrix.flagged_rows.clear();
    matrix.values_in_cells = false;  // they would hide the image
    matrix.overlay = overlay;
    return matrix;
}

/// Fitted means: to the numbers shown, which are those of one line.
void fit_scale(std::vector<Panel>& panels, const ColourRange& range) {
    std::vector<const Panel*> lines;
    for (const Panel& panel : panels)
        lines.push_back(&panel);
    const FittedNumbers numbers = fitted_numbers(lines, range);
    if (numbers.range.empty() || numbers.range.high <= 0)
        return;
    for (Panel& panel : panels)
        panel.scale = ranged_scale(panel.scale, range, numbers.range, numbers.sample);
}

}  // namespace

std::vector<std::string> image_stages(const Trace& trace, const std::string& site, Index patches) {
    std::vector<std::string> stages = StageChain(trace, find_site(trace, site)).visible();
    std::erase_if(stages, [&](const std::string& name) {
        const Stage* stage = trace.find(name, find_site(trace, site));
        return !stage || !direction_of(*stage, patches);
    });
    return stages;
}

std::vector<Panel> image_panels(const PanelMaker& maker, const PatchedPicture& image) {
    if (!image)
        throw Error({draw_over_image, "view", "a session whose tokens are the patches of an image",
                     "one without an image"});
    const PatchGrid grid = image.grid();
    const std::string stage = image_stage(maker, grid.count());
    const Direction direction = *direction_of(*maker.trace().find(stage, maker.chain().site()), grid.count());
    const Index heads = maker.heads_of(stage);
    std::vector<Panel> panels;
    for (Index head = 0; head < heads; ++head) {
        Panel matrix = maker.panel(stage, head);
        const Index lines = direction.along_rows ? matrix.rows : matrix.columns;
        Overlay overlay{image.picture, direction.along_rows};
        overlay.line = std::clamp<Index>(selected_on(direction.across, maker), 0, lines - 1);
        overlay.patches_look = patches_look(maker, grid.count());
        overlay.outlined = std::clamp<Index>(
            overlay.patches_look ? maker.query() : maker.settings().selection.key, 0, grid.count() - 1);
        Panel panel = laid_over(std::move(matrix), overlay, grid);
        if (heads > 1)
            panel.title = "Head " + std::to_string(head + 1);
        panel.subtitle = line_title(maker, direction.across, overlay.line, lines, overlay.patches_look);
        panel.in_focus = head == maker.head_in(stage);
        panels.push_back(std::move(panel));
    }
    const bool is_diverging = colour_map(panels.front().scale.map).diverging;
    if (is_weight_stage(stage) && !is_diverging && maker.settings().range.follows_numbers())
        fit_scale(panels, maker.settings().range);
    return panels;
}

}  // namespace headlight
