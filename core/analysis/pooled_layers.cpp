#include "core/analysis/pooled_layers.h"

#include "core/map/map_tiles.h"
#include "core/map/site_name.h"
#include "core/map/trace_maps.h"

#include <algorithm>

namespace headlight {
namespace {

/// Pictures are made while somebody waits for them: about 50 ms of additions.
constexpr double most_numbers = 1 << 24;

/// Large maps are pooled tile by tile, where they are the layers of one source.
bool are_one_source(const Trace& trace, const std::vector<const Stage*>& layers) {
    const MapTiles* source = nullptr;
    Index next = 0;
    for (const Stage* weights : layers) {
        if (!weights->is_large())
            return false;
        const MapOrigin& origin = trace.lazy_maps(*weights).origin();
        if (!origin.tiles || (source && origin.tiles.get() != source) || origin.layer != next++)
            return false;
        source = origin.tiles.get();
    }
    return source->maps()->extents().layers == next;
}

}  // namespace

std::vector<const Stage*> weights_of_layers(const Trace& trace, const std::string& site) {
    const SiteName asked = parse_site(site);
    std::vector<const Stage*> layers;
    for (const Stage& stage : trace.stages()) {
        if (stage.name != "weights" || !asked.layer)
            continue;
        const SiteName name = parse_site(stage.site);
        if (name.layer && name.kind == asked.kind)
            layers.push_back(&stage);
    }
    std::ranges::sort(layers, {}, [](const Stage* stage) { return *parse_site(stage->site).layer; });
    return layers;
}

std::string layers_lack(const Trace& trace, const std::string& site) {
    const std::vector<const Stage*> layers = weights_of_layers(trace, site);
    if (layers.size() < 2)
        return "one map of all layers needs a model with several, and there are none here";
    const Stage& first = *layers.front();
    if (std::ranges::any_of(layers, [&](const Stage* stage) {
            return stage->axes != first.axes || stage->shape != first.shape;
        }))
        return "the layers have maps of other sizes, or other numbers of heads";
    if (std::ranges::any_of(layers, [&](const Stage* stage) { return is_sparse(trace, *stage); }))
        return "of sparse rows nobody knows what the other layers have";
    const auto implied =
        std::ranges::count_if(layers, [&](const Stage* stage) { return is_implied(trace, *stage); });
    if (implied != 0 && implied != std::ssize(layers))
        return "weights that a linear layer implies are not of one kind with those of the others";
    const bool has_large = std::ranges::any_of(layers, [](const Stage* stage) { return stage->is_large(); });
    if (has_large ? !are_one_source(trace, layers)
                  : static_cast<double>(first.size()) * static_cast<double>(layers.size()) > most_numbers)
        return "the maps of all layers are too large to be made one while you wait";
    return {};
}

}  // namespace headlight
