#include "core/map/maps_trace.h"

#include "core/attention/interruption.h"
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
            stages.push_back({site_of(each.name, layer),
                              "weights",
                              {Axis::head, Axis::query, Axis::key},
                              {heads, queries, keys}});
    }
    Trace trace(std::move(stages));
    trace.name = name;
    std::size_t stage = 0;
    for (const LabelledMaps& each : maps) {
        const auto& [layers, heads, queries, keys] = each.maps->extents();
        const auto map = static_cast<std::size_t>(queries * keys);
        for (Index layer = 0; layer < layers; ++layer, ++stage) {
            const Stage& weights = trace.stages()[stage];
            trace.joined_tokens[weights.site] = each.tokens;
            for (Index head = 0; head < heads; ++head) {
                Interruption::check();
                each.maps->read_rows(
                    {layer, head}, 0, queries,
                    trace.values(weights).subspan(static_cast<std::size_t>(head) * map, map));
            }
        }
    }
    return trace;
}

}  // namespace headlight
