#include "core/map/forwarding_maps.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headlight {

ForwardingMaps::ForwardingMaps(Extents extents, Sources sources)
    : MapSource(extents), sources_(std::move(sources)) {
    std::erase(sources_, nullptr);
}

bool ForwardingMaps::has_rows_alone() const {
    return std::ranges::any_of(sources_, [](const auto& maps) { return maps->has_rows_alone(); });
}

std::string ForwardingMaps::left_out() const {
    for (const auto& maps : sources_)
        if (std::string left_out = maps->left_out(); !left_out.empty())
            return left_out;
    return {};
}

bool ForwardingMaps::any_of_layer(Index layer, Knows knows) const {
    bool is_any = false;
    for (Index head = 0; head < extents().heads && !is_any; ++head)
        for_each_origin({layer, head}, [&](const MapSource& maps, MapPlace origin) {
            is_any = is_any || (maps.*knows)(origin.layer);
        });
    return is_any;
}

bool ForwardingMaps::is_implied(Index layer) const { return any_of_layer(layer, &MapSource::is_implied); }

bool ForwardingMaps::is_signed(Index layer) const { return any_of_layer(layer, &MapSource::is_signed); }

bool ForwardingMaps::is_zero(MapPlace place, const MapBlock& block) const {
    bool has_origin = false, are_zero = true;
    for_each_origin(place, [&](const MapSource& maps, MapPlace origin) {
        has_origin = true;
        are_zero = are_zero && maps.is_zero(origin, block);
    });
    return has_origin && are_zero;
}

KeyRange ForwardingMaps::allowed_keys(MapPlace place, Index query) const {
    std::optional<KeyRange> allowed;
    for_each_origin(place, [&](const MapSource& maps, MapPlace origin) {
        const KeyRange next = maps.allowed_keys(origin, query);
        allowed =
            allowed ? KeyRange{std::min(allowed->begin, next.begin), std::max(allowed->end, next.end)} : next;
    });
    return allowed.value_or(MapSource::allowed_keys(place, query));
}

}  // namespace headlight
