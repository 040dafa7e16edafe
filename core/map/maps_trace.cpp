#include "core/map/maps_trace.h"

#include "core/attention/interruption.h"
#include "core/attention/parallel.h"
#include "core/map/site_name.h"
#include "core/tensor/extents.h"
#include "core/tensor/memory.h"

namespace headlight {

Trace trace_of(std::span<const LabelledMaps> maps, const std::string& name) {
    double bytes = 0;
    for (const LabelledMaps& each : maps) {
        const auto& [layers, heads, queries, keys] = each.maps->extents();
        bytes += sizeof(double) * elements(layers, heads, queries, keys);
    }
    require_memory("read maps", name, bytes);
    std::vector<Stage> stages;
    for (const LabelledMaps& each : maps) {
        const auto& [layers, heads, queries, keys] = each.maps->extents();
        for (Index layer = 0; layer < layers; ++layer)
            stages.push_back({site_at(each, layer),
                              "weights",
                              {Axis::head, Axis::query, Axis::key},
                              {heads, queries, keys}});
    }
    Trace trace(std::move(stages));
    trace.name = name;
    std::size_t stage = 0;
    for (const LabelledMaps& each : maps) {
        const MapSource::Extents& extents = each.maps->extents();
        const auto map = static_cast<std::size_t>(extents.queries * extents.keys);
        for (Index layer = 0; layer < extents.layers; ++layer, ++stage) {
            const Stage& weights = trace.stages()[stage];
            trace.joined_tokens[weights.site] = each.tokens;
            const std::span<double> to = trace.values(weights);
            parallel_for(extents.heads, omp_get_max_threads(), [&](Index head, int) {
                Interruption::check();
                each.maps->read_rows({layer, head}, 0, extents.queries,
                                     to.subspan(static_cast<std::size_t>(head) * map, map));
            });
        }
    }
    return trace;
}

}  // namespace headlight
