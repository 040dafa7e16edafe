#include "core/figure/build_figure.h"

#include "core/figure/comparison.h"
#include "core/figure/equation.h"
#include "core/figure/grid_columns.h"
#include "core/figure/image_view.h"
#include "core/figure/notes.h"
#include "core/figure/panel_maker.h"
#include "core/figure/site_grid.h"
#include "core/figure/words.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace headlight {

namespace {

std::string join(std::initializer_list<std::string> parts, const std::string& separator) {
    std::string text;
    for (const std::string& part : parts)
        if (!part.empty())
            text += (text.empty() ? "" : separator) + part;
    return text;
}

/// "weights" for "Weights".
std::string in_a_sentence(std::string title) {
    title.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(title.front())));
    return title;
}

/// A stage with axes [query, key]: the selected one, or the weights where that has another shape.
std::string map_stage(const PanelMaker& maker) {
    const std::string stage = maker.stage();
    return maker.is_query_by_key(stage) || !maker.is_query_by_key("weights") ? stage : "weights";
}

void build_heatmap(const PanelMaker& maker, Figure& figure) {
    const std::string stage = maker.stage();
    Panel panel = maker.panel(stage, maker.head_in(stage));
    panel.title = join({panel.title, head_title(maker.head_in(stage), maker.heads_of(stage))}, ", ");
    panel.subtitle = maker.subtitle(stage);
    panel.in_focus = true;
    figure.panels.push_back(std::move(panel));
}

void build_grid(const PanelMaker& maker, Figure& figure) {
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
    figure.title = join({figure.title, in_a_sentence(stage_title(stage))}, ": ");
}

void build_steps(const PanelMaker& maker, Figure& figure) {
    const std::string stage = map_stage(maker);
    Panel panel = maker.panel(stage, maker.head_in(stage));
    const Index last = std::max<Index>(panel.rows, 1) - 1;
    const Index step = std::clamp<Index>(maker.settings().decoding_step.value_or(last), 0, last);
    if (auto forbidden = maker.forbidden(maker.head_in(stage)); forbidden.size() == panel.values.size())
        panel.forbidden = std::move(forbidden);
    panel.newest_row = step;
    panel.title = join({panel.title, head_title(maker.head_in(stage), maker.heads_of(stage))}, ", ");
    const auto& labels = panel.row_axis.labels;
    panel.subtitle = "step " + std::to_string(step + 1) + " of " + std::to_string(panel.rows);
    if (!labels.empty())
        panel.subtitle += ": " + step_subject(stage, labels[static_cast<std::size_t>(step)]);
    panel.in_focus = true;
    figure.panels.push_back(std::move(panel));
}

void build_lines(const PanelMaker& maker, Figure& figure) {
    const std::string stage = map_stage(maker);
    Panel panel = maker.panel(stage, maker.head_in(stage));
    panel.kind = Panel::Kind::lines;
    panel.title = join({panel.title, head_title(maker.head_in(stage), maker.heads_of(stage))}, ", ");
    panel.row_axis.title = axis_title(stage, Axis::query, false);
    panel.column_axis.title =
        axis_title(stage, maker.is_query_by_key(stage) ? Axis::key : Axis::feature, false);
    panel.row_sums.clear();
    panel.in_focus = true;
    figure.panels.push_back(std::move(panel));
}

void build_comparison(const Trace& trace, const ViewSettings& settings, Figure& figure) {
    const Index sites = compared_sites(trace);
    const bool differ = settings.differences && sites > 1;
    figure.panels = comparison_panels(trace, settings);
    if (std::optional<SiteGrid> layers = by_layers(figure.panels)) {
        figure.panels = std::move(layers->panels);
        figure.columns = layers->columns;
    } else {
        figure.columns = grid_columns(sites, differ ? 2 : 1);
        figure.wrapped_rows = differ ? 2 : 1;
    }
    if (differ)
        figure.panels = differences_below(std::move(figure.panels), figure.columns);
    figure.title = sites > 1 ? "Weights compared" : figure.title;
}

void build_image(const PanelMaker& maker, const PatchedPicture& image, Figure& figure) {
    figure.panels = image_panels(maker, image);
    const Picture& picture = *image.picture;
    const Index count = std::ssize(figure.panels);
    figure.columns =
        grid_columns(count, static_cast<double>(picture.height) / static_cast<double>(picture.width));
    if (count == 1)
        return;
    const Panel& first = figure.panels.front();
    figure.title =
        join({figure.title, join({in_a_sentence(stage_title(first.stage)), first.subtitle}, ", ")}, ": ");
    for (Panel& panel : figure.panels)
        panel.subtitle.clear();
}

}  // namespace

std::vector<std::string> visible_stages(const Trace& trace, const std::string& site) {
    return StageChain(trace, find_site(trace, site)).visible();
}

Figure build_figure(const Trace& trace, const ViewSettings& settings, const PatchedPicture& image) {
    colour_map(settings.colour_map);  // refuses an unknown name before any work
    const PanelMaker maker(trace, settings);
    Figure figure;
    figure.theme = settings.theme;
    const std::string& site = maker.chain().site();
    // The site of a mechanism that was joined for comparison is its name; a model has nothing but sites.
    const bool is_compared = trace.joined_specs.contains(site) && trace.stages().front().site.empty();
    figure.title = is_compared ? site : trace_title(trace, site);
    switch (settings.view) {
    case ViewKind::heatmap:
        build_heatmap(maker, figure);
        break;
    case ViewKind::grid:
        build_grid(maker, figure);
        break;
    case ViewKind::steps:
        build_steps(maker, figure);
        break;
    case ViewKind::lines:
        build_lines(maker, figure);
        break;
    case ViewKind::compare:
        build_comparison(trace, settings, figure);
        break;
    case ViewKind::image:
        build_image(maker, image, figure);
        break;
    case ViewKind::stages:
        figure.panels = stage_panels(maker);
        figure.columns = std::ranges::count(figure.panels, false, &Panel::thumbnail);
        break;
    }
    figure.changes = changes_in_words(trace, site);
    figure.caption = figure_caption(maker, figure);
    figure.description = figure_description(figure);
    return figure;
}

}  // namespace headlight
