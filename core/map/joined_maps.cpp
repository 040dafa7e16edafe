#include "core/map/joined_maps.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

using Extents = MapSource::Extents;

Index Extents::*extent_along(JoinedMaps::Axis axis) { return axis == JoinedMaps::Axis::layer ? &Extents::layers : &Extents::heads; }

Extents joined_extents(const std::vector<std::shared_ptr<const MapSource>>& parts, JoinedMaps::Axis axis) {
    const auto along = extent_along(axis);
    Extents whole = parts.front()->extents();
    whole.*along = 0;
    for (const auto& part : parts) {
        Extents extents = part->extents();
        const Index own = std::exchange(extents.*along, whole.*along);
        if (extents != whole)
            throw Error({"join parts", "",
                         "maps as the first part has them, " +
                             to_string(Shape{whole.layers, whole.heads, whole.queries, whole.keys}),
                         to_string(Shape{extents.layers, extents.heads, extents.queries, extents.keys})});
        whole.*along += own;
    }
    return whole;
}

}  // namespace

JoinedMaps::JoinedMaps(std::vector<std::shared_ptr<const MapSource>> parts, JoinedMaps::Axis axis)
    : ForwardingMaps(joined_extents(parts, axis), parts), parts_(std::move(parts)), axis_(axis) {}

const MapSource& JoinedMaps::part_of(MapPlace& place) const {
    Index& at = axis_ == JoinedMaps::Axis::layer ? place.layer : place.head;
    auto part = parts_.begin();
    for (; at >= (*part)->extents().*extent_along(axis_); ++part)
        at -= (*part)->extents().*extent_along(axis_);
    return **part;
}

void JoinedMaps::for_each_origin(MapPlace place, const Visit& visit) const {
    const MapSource& part = part_of(place);
    visit(part, place);
}

void JoinedMaps::read_rows(MapPlace place, Index first, Index count, std::span<double> to) const {
    part_of(place).read_rows(place, first, count, to);
}

void JoinedMaps::read_block(MapPlace place, const MapBlock& block, std::span<double> to) const {
    part_of(place).read_block(place, block, to);
}

void JoinedMaps::read_folded(MapPlace place, Index first, Index count, Index width,
                             std::span<FoldedCell> to) const {
    part_of(place).read_folded(place, first, count, width, to);
}

}  // namespace headlight
