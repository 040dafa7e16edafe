#include "core/map/sparse_maps.h"

#include <algorithm>
#include <limits>

namespace headlight {

SparseMaps::SparseMaps(Index queries, Index keys, std::vector<Weight> weights, std::string left_out)
    : MapSource({1, 1, queries, keys}), weights_(std::move(weights)), left_out_(std::move(left_out)) {}

std::span<const SparseMaps::Weight> SparseMaps::between(Index begin, Index end) const {
    const auto first = std::ranges::lower_bound(weights_, begin, {}, &Weight::cell);
    return {first, std::ranges::lower_bound(first, weights_.end(), end, {}, &Weight::cell)};
}

void SparseMaps::read_rows(MapPlace place, Index first, Index count, std::span<double> to) const {
    read_block(place, {first, count, 0, extents().keys}, to);
}

void SparseMaps::read_block(MapPlace, const MapBlock& block, std::span<double> to) const {
    std::ranges::fill(to.first(block.size()), std::numeric_limits<double>::quiet_NaN());
    for (Index row = 0; row < block.rows; ++row) {
        const Index begin = (block.first_row + row) * extents().keys + block.first_column;
        for (const Weight& known : between(begin, begin + block.columns))
            to[static_cast<std::size_t>(row * block.columns + known.cell - begin)] = known.weight;
    }
}

void SparseMaps::read_folded(MapPlace, Index first, Index count, Index width,
                             std::span<FoldedCell> to) const {
    const Index keys = extents().keys, cells = parts_of_size(keys, width);
    std::fill_n(to.begin(), parts_of_size(count, width) * cells, FoldedCell());
    for (const Weight& known : between(first * keys, (first + count) * keys)) {
        const Index row = known.cell / keys - first, column = known.cell % keys;
        to[static_cast<std::size_t>(row / width * cells + column / width)].add(
            {known.weight, known.weight, 1, std::min(known.weight, 0.0)});
    }
}

}  // namespace headlight
