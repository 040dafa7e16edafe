#include "core/map/maps_trace.h"

#include "core/map/map_tiles.h"
#include "core/map/site_name.h"
#include "core/tensor/extents.h"
#include "core/tensor/memory.h"

#include <algorithm>

namespace headlight {

Trace trace_of(std::span<const LabelledMaps> maps, const std::string& name) {
    double bytes = 0;
    for (const LabelledMaps& each : maps) {
        const auto& [layers, heads, queries, keys] = each.maps->extents();
        if (queries * keys > LateMaps::most_kept)
            continue;  // which nobody keeps
        bytes += sizeof(double) * elements(layers, heads, queries, keys);
    }
    require_memory("read maps", name, bytes);
    std::vector<Stage> stages;
    std::vector<std::shared_ptr<const LateMaps>> late;
    std::map<std::string, TokenLabels, std::less<>> tokens;
    for (const LabelledMaps& each : maps) {
        const auto& [layers, heads, queries, keys] = each.maps->extents();
        const auto tiles = std::make_shared<const MapTiles>(each.maps);
        for (Index layer = 0; layer < layers; ++layer) {
            stages.push_back({site_at(each, layer),
                              "weights",
                              {Axis::head, Axis::query, Axis::key},
                              {heads, queries, keys}});
            tokens[stages.back().site] = each.tokens;
            late.push_back(std::make_shared<const LateMaps>(
                heads, queries, keys,
                [source = each.maps, layer](Index head, Index first, Index count, std::span<double> to) {
                    source->read_rows({layer, head}, first, count, to);
                },
                MapOrigin{tiles, layer}));
        }
    }
    Trace trace(std::move(stages), std::move(late));
    for (const LabelledMaps& each : maps)
        if (std::string left_out = each.maps->left_out();
            !left_out.empty() && std::ranges::find(trace.omitted, left_out) == trace.omitted.end())
            trace.omitted.push_back(std::move(left_out));
    trace.name = name;
    trace.joined_tokens = std::move(tokens);
    return trace;
}

}  // namespace headlight
