#include "core/io/stored_maps.h"

#include <algorithm>
#include <vector>

namespace headlight {

StoredMaps::StoredMaps(Extents extents, std::shared_ptr<const StoredBytes> bytes, std::size_t begin,
                       const StoredNumber& type)
    : MapSource(extents), bytes_(std::move(bytes)), begin_(begin), type_(type) {}

void StoredMaps::read_rows(MapPlace place, Index first, Index count, std::span<double> to) const {
    const Extents& all = extents();
    const Index row = (place.layer * all.heads + place.head) * all.queries + first;
    const auto numbers = static_cast<std::size_t>(count * all.keys);
    std::vector<char> stored(numbers * type_.bytes);
    bytes_->read(begin_ + static_cast<std::size_t>(row * all.keys) * type_.bytes, stored);
    const char* at = stored.data();
    for (double& number : to.first(numbers)) {
        number = type_.read(at);
        at += type_.bytes;
    }
}

}  // namespace headlight
