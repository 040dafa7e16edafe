#pragma once

#include "core/io/stored_bytes.h"
#include "core/io/stored_types.h"
#include "core/map/map_source.h"

namespace headlight {

/// An array [layer, head, query, key] as it lies in a file, read row by row where it is looked at.
class StoredMaps : public MapSource {
public:
    /// The array begins at `begin`, the last axis contiguous.
    StoredMaps(Extents extents, std::shared_ptr<const StoredBytes> bytes, std::size_t begin,
               const StoredNumber& type);

    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override;
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override;

private:
    /// `to.size()` numbers of a map, from one of its cells on.
    void read_numbers(MapPlace place, Index row, Index column, std::span<double> to) const;

    std::shared_ptr<const StoredBytes> bytes_;
    std::size_t begin_;
    StoredNumber type_;
};

}  // namespace headlight
