#include "core/figure/build_figure.h"

#include "core/figure/cell_signs.h"
#include "core/figure/forbidden_by.h"
#include "core/figure/notes.h"
#include "core/figure/panel_maker.h"
#include "core/figure/view.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// Throws Error where the view would need every number of a map that is too large for it.
void require_drawable(const View& view, const PanelMaker& maker) {
    const std::string stage = maker.stage();
    if (!maker.is_large(stage) || view.draws_large_maps || view.draws_pages || view.reads_every_head)
        return;
    const Stage& large = *maker.trace().find(stage, maker.chain().site());
    const auto side = static_cast<Index>(std::sqrt(static_cast<double>(LazyMaps::most_kept)));
    throw Error(
        {"draw " + view.title, "",
         "at most " + std::to_string(side) +
             " tokens (Heatmap draws any number, and with rows and columns A..B a part of them; Heads, "
             "Compare, Model, Lines, Text and Query × key draw any number, too)",
         std::to_string(large.extent(Axis::query)) + " × " + std::to_string(large.extent(Axis::key))});
}

/// And nothing else.
bool shows_implied_weights(const Figure& figure) {
    return !figure.panels.empty() && std::ranges::all_of(figure.panels, [](const Panel& panel) {
        return panel.is_implied || panel.thumbnail || panel.blank;
    });
}

/// What the weights are seen through: the keys that are hidden, where some are, and what the numbers are.
void say_lens(const PanelMaker& maker, Figure& figure) {
    const auto is_drawn = [](const Panel& panel) { return !panel.thumbnail && !panel.blank; };
    if (const HeadOverview* overview = maker.known_overview()) {
        figure.hidden_tokens = keys_in_words(maker.trace(), maker.chain().site(), overview->lens.hidden_keys);
        figure.hides_norms = overview->lens.weights == DrawnWeights::value_norms;
        for (Panel& panel : figure.panels)
            panel.hidden_mass = overview->hidden_mass();
        return;
    }
    const auto hides = [&](const Panel& panel) {
        return is_drawn(panel) && (panel.hidden_mass || (panel.large && maker.hides_keys(panel.stage)));
    };
    if (const auto first = std::ranges::find_if(figure.panels, hides); first != figure.panels.end()) {
        figure.hidden_tokens = keys_in_words(maker.trace(), first->site, maker.settings().hidden_keys);
        figure.hides_norms = maker.has_norms(first->stage);
    }
    const bool are_norms = std::ranges::all_of(
        figure.panels, [&](const Panel& panel) { return !is_drawn(panel) || maker.has_norms(panel.stage); });
    if (are_norms)
        figure.bar_title = "norm";
}

}  // namespace

std::vector<std::string> visible_stages(const Trace& trace, const std::string& site) {
    return StageChain(trace, find_site(trace, site)).visible();
}

Figure build_figure(const Trace& trace, const ViewSettings& settings, const PatchedPicture& image,
                    const std::shared_ptr<const HeadOverview>& overview) {
    colour_map(settings.colour_map);  // refuses an unknown name before any work
    const PanelMaker maker(trace, settings, overview);
    Figure figure;
    figure.theme = settings.theme;
    const std::string& site = maker.chain().site();
    // The site of a mechanism that was joined for comparison is its name; a model has nothing but sites.
    const bool is_compared = trace.joined_specs.contains(site) && trace.stages().front().site.empty();
    require_drawable(view(settings.view), maker);
    const bool draws_any = view(settings.view).stages == View::Stages::all;
    figure.title = is_compared ? site
                   : maker.pools_layers(draws_any ? maker.stage() : map_stage(maker))
                       ? trace_title_over_layers(trace, site)
                       : trace_title(trace, site);
    view(settings.view).build(maker, image, figure);
    say_lens(maker, figure);
    if (figure.bar_title.empty() && shows_implied_weights(figure))
        figure.bar_title = "implied weights";
    figure.changes = changes_in_words(trace, site);
    for (Panel& panel : figure.panels)
        panel.forbidden_by = forbidden_by(trace, panel);
    figure.caption = figure_caption(maker, figure);
    tell_cell_signs(figure);
    figure.description = figure_description(figure);
    return figure;
}

}  // namespace headlight
