#include "core/figure/site_grid.h"

#include "core/figure/comparison.h"

#include <algorithm>
#include <charconv>

namespace headlight {
namespace {

struct LayerOfSite {
    std::string kind;  ///< "decoder.cross"
    Index layer = 0;
};

std::optional<LayerOfSite> place_of(const std::string& site) {
    const std::size_t first = site.find('.'), last = site.rfind('.');
    if (first == last)
        return std::nullopt;
    LayerOfSite place{site.substr(0, first) + site.substr(last), 0};
    const char* end = site.data() + last;
    const auto [rest, failure] = std::from_chars(site.data() + first + 1, end, place.layer);
    return failure == std::errc() && rest == end && place.layer >= 0 ? std::optional(place) : std::nullopt;
}

}  // namespace

std::optional<SiteGrid> by_layers(const std::vector<Panel>& panels) {
    std::vector<std::string> kinds;
    std::vector<LayerOfSite> places;
    std::vector<Index> layers;
    for (const Panel& panel : panels) {
        const std::optional<LayerOfSite> place = place_of(panel.site);
        if (!place)
            return std::nullopt;
        places.push_back(*place);
        if (std::ranges::count(kinds, place->kind) == 0)
            kinds.push_back(place->kind);
        if (std::ranges::count(layers, place->layer) == 0)
            layers.push_back(place->layer);
    }
    if (kinds.size() < 2)
        return std::nullopt;
    std::ranges::sort(layers);
    SiteGrid grid{{}, std::ssize(kinds)};
    for (const Index layer : layers)
        for (const std::string& kind : kinds) {
            const auto found = std::ranges::find_if(
                places, [&](const LayerOfSite& place) { return place.kind == kind && place.layer == layer; });
            grid.panels.push_back(found == places.end()
                                      ? empty_place(panels.front())
                                      : panels[static_cast<std::size_t>(found - places.begin())]);
        }
    return grid;
}

}  // namespace headlight
