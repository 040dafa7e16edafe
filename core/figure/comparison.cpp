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

/// Differences below this are the rounding of two ways to compute one thing.
constexpr double rounding = 1e-9;

double largest_size(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values)
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(value));
    return largest;
}

/// `panel` minus `first`, cell by cell.
Panel difference(const Panel& panel, const Panel& first) {
    Panel result = panel;
    result.subtitle.clear();
    result.row_sums.clear();
    result.in_focus = false;
    for (std::size_t at = 0; at < result.values.size(); ++at)
        result.values[at] -= first.values[at];
    result.title = largest_size(result.values) < rounding ? "the same as the first" : "minus the first";
    return result;
}

/// One scale for all differences, zero in its middle. Where all are rounding it is that of weights, so that
/// what is the same looks the same.
ColourScale difference_scale(const std::vector<Panel>& differences) {
    double largest = 0;
    for (const Panel& panel : differences)
        if (!panel.blank)
            largest = std::max(largest, largest_size(panel.values));
    largest = largest < rounding ? 1 : largest;
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
        panel.title = site.empty() ? trace_title(trace) : site;
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
    std::vector<Panel> differences;
    for (const Panel& map : maps) {
        const bool differs = !differences.empty() && map.values.size() == maps.front().values.size();
        differences.push_back(differs ? difference(map, maps.front()) : empty_place(map));
    }
    const ColourScale scale = difference_scale(differences);
    for (Panel& panel : differences)
        panel.scale = scale;
    const auto width = static_cast<std::size_t>(columns);
    std::vector<Panel> rows;
    for (std::size_t first = 0; first < maps.size(); first += width) {
        std::vector<Panel> below;
        for (std::size_t at = first; at < first + width; ++at) {
            const bool exists = at < maps.size();
            rows.push_back(exists ? maps[at] : empty_place(maps.back()));
            below.push_back(exists ? differences[at] : empty_place(differences.back()));
        }
        while (first + width >= maps.size() && below.back().blank && below.size() > 1)
            below.pop_back();
        rows.insert(rows.end(), below.begin(), below.end());
    }
    return rows;
}

}  // namespace headlight
