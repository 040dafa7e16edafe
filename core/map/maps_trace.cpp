#include "core/map/maps_trace.h"

#include "core/map/map_tiles.h"
#include "core/map/site_name.h"
#include "core/tensor/extents.h"
#include "core/tensor/memory.h"

#include <algorithm>

namespace headlight {

namespace {

/// Kept whole where the maps are: [head, row, column], those of a layer.
std::shared_ptr<const LazyMaps> lazy_layer(const std::shared_ptr<const MapTiles>& tiles, Index layer,
                                           bool keeps_maps) {
    const auto& [layers, heads, rows, columns] = tiles->maps()->extents();
    return std::make_shared<const LazyMaps>(
        heads, rows, columns,
        [source = tiles->maps(), layer](Index head, Index first, Index count, std::span<double> to) {
            source->read_rows({layer, head}, first, count, to);
        },
        MapOrigin{tiles, layer}, keeps_maps);
}

bool are_kept(const MapSource::Extents& maps) { return maps.queries * maps.keys <= LazyMaps::most_kept; }

double kept_bytes(const LabelledMaps& maps) {
    if (!are_kept(maps.maps->extents()))
        return 0;  // which nobody keeps
    double count = 0;
    for (const auto& source : {maps.maps, maps.values})
        if (source)
            count += elements(source->extents().layers, source->extents().heads, source->extents().queries,
                              source->extents().keys);
    return sizeof(double) * count;
}

}  // namespace

Trace trace_of(std::span<const LabelledMaps> maps, const std::string& name) {
    double bytes = 0;
    for (const LabelledMaps& each : maps)
        bytes += kept_bytes(each);
    require_memory("read maps", name, bytes);
    std::vector<Stage> stages;
    std::vector<std::shared_ptr<const LazyMaps>> lazy;
    std::map<std::string, TokenLabels, std::less<>> tokens;
    for (const LabelledMaps& each : maps) {
        const bool keeps_maps = are_kept(each.maps->extents());
        const auto tiles = std::make_shared<const MapTiles>(each.maps);
        const auto values = each.values ? std::make_shared<const MapTiles>(each.values) : nullptr;
        const auto add = [&](Index layer, const char* stage, Axis row, Axis column,
                             const std::shared_ptr<const MapTiles>& source) {
            const auto& [layers, heads, rows, columns] = source->maps()->extents();
            stages.push_back(
                {site_at(each, layer), stage, {Axis::head, row, column}, {heads, rows, columns}});
            lazy.push_back(lazy_layer(source, layer, keeps_maps));
        };
        for (Index layer = 0; layer < each.maps->extents().layers; ++layer) {
            if (values)
                add(layer, "value", Axis::key, Axis::feature, values);
            add(layer, "weights", Axis::query, Axis::key, tiles);
            tokens[stages.back().site] = each.tokens;
        }
    }
    Trace trace(std::move(stages), std::move(lazy));
    for (const LabelledMaps& each : maps)
        if (std::string left_out = each.maps->left_out();
            !left_out.empty() && std::ranges::find(trace.omitted, left_out) == trace.omitted.end())
            trace.omitted.push_back(std::move(left_out));
    trace.name = name;
    trace.joined_tokens = std::move(tokens);
    return trace;
}

}  // namespace headlight
