#pragma once

#include "core/attention/inputs.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// One map among those of a source; both are counted from 0.
struct MapPlace {
    Index layer = 0, head = 0;
    bool operator==(const MapPlace&) const = default;
};

/// Maps of attention [layer, head, query, key], wherever their numbers are: recorded in a trace, stored in a
/// file, or computed when they are looked at. Reading changes nothing that another thread could see.
class MapSource {
public:
    struct Extents {
        Index layers = 0, heads = 0, queries = 0, keys = 0;
        bool operator==(const Extents&) const = default;
    };

    explicit MapSource(Extents extents) : extents_(extents) {}
    MapSource(const MapSource&) = delete;
    MapSource& operator=(const MapSource&) = delete;
    virtual ~MapSource() = default;

    const Extents& extents() const { return extents_; }
    /// Rows `first` to `first + count` of a map, [count, keys] in `to`. Throws Error when a file does not
    /// give them any more.
    virtual void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const = 0;

private:
    Extents extents_;
};

/// Maps with what their axes count.
struct LabelledMaps {
    std::string name;  ///< "encoder", "cross"; empty where there is only one kind
    std::shared_ptr<const MapSource> maps;
    /// A list is as long as its axis, or empty: the axis is numbered. No keys: as queries.
    TokenLabels tokens;
    std::vector<std::string> sites{};  ///< [layer], of a trace; see site_at()
};

}  // namespace headlight
