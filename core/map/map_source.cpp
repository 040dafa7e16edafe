#include "core/map/map_source.h"

#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {
namespace {

/// Calls take(first, rows), rows being [count, keys], for parts of some rows that fit into a cache.
template <class Take>
void read_in_parts(const MapSource& maps, MapPlace place, Index first, Index count, const Take& take) {
    constexpr Index numbers_at_once = Index(1) << 17;
    const Index keys = maps.extents().keys;
    const Index at_once = std::clamp<Index>(numbers_at_once / std::max<Index>(keys, 1), 1, count);
    std::vector<double> rows(static_cast<std::size_t>(at_once * keys));
    for (Index done = 0; done < count; done += at_once) {
        Interruption::check();
        const Index part = std::min(at_once, count - done);
        maps.read_rows(place, first + done, part, rows);
        for (Index row = 0; row < part; ++row)
            take(done + row, std::span<const double>(rows).subspan(static_cast<std::size_t>(row * keys),
                                                                   static_cast<std::size_t>(keys)));
    }
}

}  // namespace

void MapSource::read_block(MapPlace place, const MapBlock& block, std::span<double> to) const {
    if (block.columns == extents_.keys)
        return read_rows(place, block.first_row, block.rows, to);
    read_in_parts(*this, place, block.first_row, block.rows, [&](Index row, std::span<const double> numbers) {
        std::copy_n(numbers.data() + block.first_column, block.columns, to.data() + row * block.columns);
    });
}

void MapSource::read_folded(MapPlace place, Index first, Index count, Index width,
                            std::span<FoldedCell> to) const {
    const Index cells = parts_of_size(extents_.keys, width);
    std::fill_n(to.begin(), parts_of_size(count, width) * cells, FoldedCell());
    read_in_parts(*this, place, first, count, [&](Index row, std::span<const double> numbers) {
        fold_row(numbers, width, to.data() + row / width * cells);
    });
}

}  // namespace headlight
