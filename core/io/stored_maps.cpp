#include "core/io/stored_maps.h"

#include <algorithm>
#include <vector>

namespace headlight {

StoredMaps::StoredMaps(Extents extents, std::shared_ptr<const StoredBytes> bytes, std::size_t begin,
                       const StoredNumber& type)
    : MapSource(extents), bytes_(std::move(bytes)), begin_(begin), type_(type) {}

void StoredMaps::read_numbers(MapPlace place, Index row, Index column, std::span<double> to) const {
    const Extents& all = extents();
    const Index first = ((place.layer * all.heads + place.head) * all.queries + row) * all.keys + column;
    std::vector<char> stored(to.size() * type_.bytes);
    bytes_->read(begin_ + static_cast<std::size_t>(first) * type_.bytes, stored);
    const char* at = stored.data();
    for (double& number : to) {
        number = type_.read(at);
        at += type_.bytes;
    }
}

void StoredMaps::read_rows(MapPlace place, Index first, Index count, std::span<double> to) const {
    read_numbers(place, first, 0, to.first(static_cast<std::size_t>(count * extents().keys)));
}

void StoredMaps::read_block(MapPlace place, const MapBlock& block, std::span<double> to) const {
    if (block.columns == extents().keys)
        return read_rows(place, block.first_row, block.rows, to);
    const auto columns = static_cast<std::size_t>(block.columns);
    for (Index row = 0; row < block.rows; ++row)
        read_numbers(place, block.first_row + row, block.first_column,
                     to.subspan(static_cast<std::size_t>(row) * columns, columns));
}

}  // namespace headlight
