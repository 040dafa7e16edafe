#include "core/figure/site_layers.h"

#include "core/map/site_name.h"

namespace headlight {

SiteLayers site_layers(const Trace& trace) {
    SiteLayers layers;
    for (const Stage& stage : trace.stages()) {
        const SiteName name = parse_site(stage.site);
        if (!name.layer)
            continue;
        if (layers.by_kind.empty())
            layers.first_kind = name.kind;
        layers.by_kind[name.kind].emplace(*name.layer, stage.site);
    }
    return layers;
}

}  // namespace headlight
