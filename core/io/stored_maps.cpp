#include "core/io/stored_maps.h"

#include "core/tensor/interruption.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace headlight {
namespace {

/// Maps as they lie in a file, the keys of each query one after another, read row by row where they are
/// looked at.
class StoredMaps : public MapSource {
public:
    StoredMaps(const MapLayout& layout, std::shared_ptr<const StoredBytes> bytes, std::size_t begin,
               const StoredNumber& type)
        : MapSource(layout.extents), layout_(layout), bytes_(std::move(bytes)), begin_(begin), type_(type) {}

    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
        read_block(place, {first, count, 0, extents().keys}, to);
    }

    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override {
        const bool are_whole_rows = block.columns == layout_.query;
        if (are_whole_rows)
            return read_numbers(place, block.first_row, block.first_column, to.first(block.size()));
        const auto columns = static_cast<std::size_t>(block.columns);
        for (Index row = 0; row < block.rows; ++row)
            read_numbers(place, block.first_row + row, block.first_column,
                         to.subspan(static_cast<std::size_t>(row) * columns, columns));
    }

private:
    /// `to.size()` numbers of a map that follow one another, from one of its cells on.
    void read_numbers(MapPlace place, Index row, Index column, std::span<double> to) const {
        const Index first = layout_.first + place.layer * layout_.layer + place.head * layout_.head +
                            row * layout_.query + column;
        std::vector<char> stored(to.size() * type_.bytes);
        bytes_->read(begin_ + static_cast<std::size_t>(first) * type_.bytes, stored);
        const char* at = stored.data();
        for (double& number : to) {
            number = type_.read(at);
            at += type_.bytes;
        }
    }

    MapLayout layout_;
    std::shared_ptr<const StoredBytes> bytes_;
    std::size_t begin_;
    StoredNumber type_;
};

/// Maps one after another, as most programs write them.
MapLayout in_order(const MapSource::Extents& extents) {
    const Index row = extents.keys, map = row * extents.queries;
    return {extents, 0, map * extents.heads, map, row, 1};
}

/// The bytes of the maps in that order.
std::string put_in_order(const MapLayout& layout, const StoredBytes& bytes, std::size_t begin,
                         std::size_t number_bytes) {
    const auto& [layers, heads, queries, keys] = layout.extents;
    const Index last = (layers - 1) * layout.layer + (heads - 1) * layout.head +
                       (queries - 1) * layout.query + (keys - 1) * layout.key;
    const auto all = static_cast<std::size_t>(layers * heads * queries * keys) * number_bytes,
               spread = static_cast<std::size_t>(last + 1) * number_bytes;
    require_memory("read capture", "an array whose keys do not follow one another",
                   static_cast<double>(all) + static_cast<double>(spread));
    const std::string from =
        bytes.text(begin + static_cast<std::size_t>(layout.first) * number_bytes, spread);
    std::string ordered(all, '\0');
    char* to = ordered.data();
    for (Index layer = 0; layer < layers; ++layer)
        for (Index head = 0; head < heads; ++head)
            for (Index query = 0; query < queries; ++query) {
                Interruption::check();
                const Index row = layer * layout.layer + head * layout.head + query * layout.query;
                for (Index key = 0; key < keys; ++key, to += number_bytes)
                    std::copy_n(from.data() + static_cast<std::size_t>(row + key * layout.key) * number_bytes,
                                number_bytes, to);
            }
    return ordered;
}

}  // namespace

std::shared_ptr<const MapSource> stored_maps(const MapLayout& layout,
                                             std::shared_ptr<const StoredBytes> bytes, std::size_t begin,
                                             const StoredNumber& type) {
    if (layout.key == 1 || layout.extents.keys == 1)
        return std::make_shared<StoredMaps>(layout, std::move(bytes), begin, type);
    auto ordered = std::make_shared<const HeldBytes>(put_in_order(layout, *bytes, begin, type.bytes));
    return std::make_shared<StoredMaps>(in_order(layout.extents), std::move(ordered), 0, type);
}

}  // namespace headlight
