#include "core/figure/query_key_factors.h"

#include "core/attention/pipeline_stages.h"
#include "core/map/map_tiles.h"

#include <algorithm>

namespace headlight {

std::optional<ScoreFactors> captured_factors(const Trace& trace, const std::string& site, Index head) {
    const Stage* weights = trace.find("weights", site);
    if (!weights || !weights->is_lazy)
        return std::nullopt;
    const MapOrigin& origin = trace.lazy_maps(*weights).origin();
    return origin.tiles ? score_factors(*origin.tiles->maps(), {origin.layer, head}) : std::nullopt;
}

bool has_queries_and_keys(const Trace& trace) {
    const auto are_recorded = [&](const std::string& site) {
        return trace.find(last_form(trace, "query", site), site) &&
               trace.find(last_form(trace, "key", site), site);
    };
    return std::ranges::any_of(trace.stages(), [&](const Stage& stage) {
        return stage.name == "weights" &&
               (are_recorded(stage.site) || captured_factors(trace, stage.site, 0));
    });
}

}  // namespace headlight
