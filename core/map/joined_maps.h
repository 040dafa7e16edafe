#pragma once

#include "core/map/forwarding_maps.h"

#include <vector>

namespace headlight {

/// Parts of one capture, as the processes of a run wrote them, in their order along one axis.
class JoinedMaps : public ForwardingMaps {
public:
    enum class Axis { layer, head };
    /// Throws Error where the parts differ along another axis.
    JoinedMaps(std::vector<std::shared_ptr<const MapSource>> parts, Axis axis);

    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override;
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override;
    void read_folded(MapPlace place, Index first, Index count, Index width,
                     std::span<FoldedCell> to) const override;

    /// The part that has a map; its place there in `place`.
    const MapSource& part_of(MapPlace& place) const;

private:
    void for_each_origin(MapPlace place, const Visit& visit) const override;

    std::vector<std::shared_ptr<const MapSource>> parts_;
    Axis axis_;
};

}  // namespace headlight
