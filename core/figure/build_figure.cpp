#include "core/figure/build_figure.h"

#include "core/figure/notes.h"
#include "core/figure/panel_maker.h"
#include "core/figure/view.h"
#include "core/figure/words.h"

namespace headlight {

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
    figure.title = is_compared ? site : trace_title(trace, site);
    view(settings.view).build(maker, image, figure);
    figure.changes = changes_in_words(trace, site);
    figure.caption = figure_caption(maker, figure);
    figure.description = figure_description(figure);
    return figure;
}

}  // namespace headlight
