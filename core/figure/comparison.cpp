#include "core/figure/comparison.h"

#include "core/figure/panel_maker.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"

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

/// A place on the grid where nothing is drawn, as large as a map.
Panel empty_place(const Panel& like) {
    Panel place = like;
    place.blank = true;
    place.title.clear();
    place.subtitle.clear();
    place.row_sums.clear();
    place.in_focus = false;
    return place;
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

/// One scale for all differences, zero in its middle.
ColourScale difference_scale(const std::vector<Panel>& maps) {
    double largest = 1e-12;
    for (const Panel& panel : maps) {
        if (panel.values.size() != maps.front().values.size())
            continue;
        for (std::size_t at = 0; at < panel.values.size(); ++at)
            if (const double change = std::abs(panel.values[at] - maps.front().values[at]);
                std::isfinite(change))
                largest = std::max(largest, change);
    }
    return {.map = "diverging", .low = -largest, .high = largest};
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
        const std::string& own = trace.name;
        panel.title = !site.empty() ? site : own.empty() ? mechanism_title(trace.spec) : own;
        if (maker.heads_of("weights") > 1)
            panel.subtitle = "head " + std::to_string(panel.head + 1);
        panel.in_focus = site == settings.selection.site;
        maps.push_back(std::move(panel));
    }
    if (maps.empty())
        throw Error({"compare", "weights", "a trace with the weights of at least one mechanism", "none"});
    if (!settings.own_scales) {
        const ColourScale scale = common_scale(maps);
        for (Panel& panel : maps)
            panel.scale = scale;
    }
    return maps;
}

std::vector<Panel> differences_below(std::vector<Panel> maps, Index columns) {
    const ColourScale scale = difference_scale(maps);
    const auto width = static_cast<std::size_t>(columns);
    std::vector<Panel> rows;
    for (std::size_t first = 0; first < maps.size(); first += width) {
        std::vector<Panel> below;
        for (std::size_t at = first; at < first + width; ++at) {
            const Panel& map = maps[std::min(at, maps.size() - 1)];
            const bool differs =
                at > 0 && at < maps.size() && map.values.size() == maps.front().values.size();
            below.push_back(differs ? difference(map, maps.front()) : empty_place(map));
            below.back().scale = scale;
            rows.push_back(at < maps.size() ? map : empty_place(map));
        }
        while (first + width >= maps.size() && below.back().blank && below.size() > 1)
            below.pop_back();
        rows.insert(rows.end(), below.begin(), below.end());
    }
    return rows;
}

}  // namespace headlight
