#include "core/figure/comparison.h"

#include "core/figure/panel_maker.h"
#include "core/figure/words.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

std::vector<std::string> sites_with_weights(const Trace& trace) {
    std::vector<std::string> sites;
    for (const Stage& stage : trace.stages())
        if (stage.name == "weights" && stage.shape.size() >= 2)
            sites.push_back(stage.site);
    return sites;
}

/// From the least of the lows to the greatest of the highs; a map with negative weights makes it diverging.
ColourScale common_scale(const std::vector<Panel>& panels) {
    ColourScale scale = panels.front().scale;
    for (const Panel& panel : panels) {
        if (colour_map(panel.scale.map).diverging)
            scale.map = panel.scale.map;
        scale.low = std::min(scale.low, panel.scale.low);
        scale.high = std::max(scale.high, panel.scale.high);
    }
    if (colour_map(scale.map).diverging) {
        scale.high = std::max(std::abs(scale.low), std::abs(scale.high));
        scale.low = -scale.high;
        scale.kind = ScaleKind::linear;
    }
    return scale;
}

/// `panel` minus `first`, cell by cell.
Panel difference(const Panel& panel, const Panel& first) {
    Panel result = panel;
    result.title = "minus the first";
    result.subtitle.clear();
    result.row_sums.clear();
    result.in_focus = false;
    for (std::size_t at = 0; at < result.values.size(); ++at)
        result.values[at] -= first.values[at];
    return result;
}

void scale_differences(std::vector<Panel>& panels) {
    double largest = 0;
    for (const Panel& panel : panels)
        for (const double value : panel.values)
            largest = std::max(largest, std::isfinite(value) ? std::abs(value) : 0);
    for (Panel& panel : panels)
        panel.scale = {
            .map = "diverging", .low = -std::max(largest, 1e-12), .high = std::max(largest, 1e-12)};
}

}  // namespace

Index compared_sites(const Trace& trace) { return std::ssize(sites_with_weights(trace)); }

std::vector<Panel> comparison_panels(const Trace& trace, const ViewSettings& settings) {
    std::vector<Panel> maps;
    for (const std::string& site : sites_with_weights(trace)) {
        ViewSettings of_site = settings;
        of_site.selection.site = site;
        if (settings.own_scales)
            of_site.range = RangeKind::fitted;
        const PanelMaker maker(trace, of_site);
        Panel panel =
            maker.panel("weights", std::min(settings.selection.head, maker.heads_of("weights") - 1));
        panel.title = site.empty() ? mechanism_title(trace.spec) : site;
        if (maker.heads_of("weights") > 1)
            panel.subtitle = "head " + std::to_string(panel.head + 1);
        panel.in_focus = site == settings.selection.site;
        maps.push_back(std::move(panel));
    }
    if (!settings.own_scales) {
        const ColourScale scale = common_scale(maps);
        for (Panel& panel : maps)
            panel.scale = scale;
    }
    std::vector<Panel> differences;
    for (std::size_t i = 1; i < maps.size() && settings.differences; ++i)
        if (maps[i].values.size() == maps.front().values.size())
            differences.push_back(difference(maps[i], maps.front()));
    scale_differences(differences);
    maps.insert(maps.end(), differences.begin(), differences.end());
    return maps;
}

}  // namespace headlight
