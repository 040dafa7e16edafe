#pragma once

#include "core/map/map_source.h"

#include <functional>

namespace headlight {

/// Maps made of those of other sources. What the sources know before anything is read, these know: a source
/// that leaves it unsaid has all of its rows computed for every tile. Who makes other rows, keys or signs of
/// them says so by overriding.
class ForwardingMaps : public MapSource {
public:
    using Sources = std::vector<std::shared_ptr<const MapSource>>;

    /// Whether any source has.
    bool has_rows_alone() const override;
    /// What the first of them leaves out that leaves something out.
    std::string left_out() const override;
    bool is_implied(Index layer) const override;
    bool is_signed(Index layer) const override;
    /// Whether all maps are that a map is made of.
    bool is_zero(MapPlace place, const MapBlock& block) const override;
    /// What some of the maps allows that a map is made of.
    KeyRange allowed_keys(MapPlace place, Index query) const override;

protected:
    /// Null sources, which know nothing, are passed over.
    ForwardingMaps(Extents extents, Sources sources);

    using Visit = std::function<void(const MapSource& maps, MapPlace place)>;
    /// Calls `visit` with each map that the map at `place` is made of, where it lies in its source.
    virtual void for_each_origin(MapPlace place, const Visit& visit) const = 0;

private:
    using Knows = bool (MapSource::*)(Index layer) const;
    bool any_of_layer(Index layer, Knows knows) const;

    Sources sources_;
};

}  // namespace headlight
