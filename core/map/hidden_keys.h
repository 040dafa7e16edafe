#pragma once

#include "core/map/forwarding_maps.h"
#include "core/map/known_rows.h"
#include "core/map/recently_used.h"
#include "core/tensor/storage.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

// Maps seen without some of their keys, such as the first token that many heads rest on: their columns are
// missing (NaN), and the other weights of each row share what the row gave. Rows count by the sizes of their
// weights, which may be negative. Keys are in rising order; those outside a map are passed over.

/// What becomes of the other weights of a row.
struct RestOfRow {
    double factor = 1;  ///< by which they are multiplied; NaN in a row that had nothing else
    double hidden = 0;  ///< the share of its weights that the row gave to the keys; NaN in a row without any
};
RestOfRow rest_of_row(std::span<const double> row, std::span<const Index> keys);

/// The same done to a row, or to the part of it that begins with key `first`.
void hide_keys(std::span<double> row, std::span<const Index> keys, const RestOfRow& rest, Index first = 0);

struct MapWithoutKeys {
    Storage<const double>
        weights;             ///< [row, column]; NaN in hidden columns, and in rows that had nothing else
    double hidden_mass = 0;  ///< RestOfRow::hidden, mean over the rows that have weights
};
MapWithoutKeys without_keys(const Storage<const double>& weights, Index rows, Index columns,
                            std::span<const Index> keys);

/// Maps seen without keys, or made of such maps.
class KnowsHiddenMass {
public:
    virtual ~KnowsHiddenMass() = default;
    /// MapWithoutKeys::hidden_mass, once somebody has read every row of the map; it reads none itself.
    virtual std::optional<double> hidden_mass(MapPlace place) const = 0;
};

/// Such maps of any size, block by block where someone looks: to read a block, the whole of its rows is read
/// once, and then what becomes of them is known.
class MapsWithoutKeys : public ForwardingMaps, public KnowsHiddenMass {
public:
    MapsWithoutKeys(std::shared_ptr<const MapSource> maps, std::vector<Index> keys);

    /// A row that has nothing left is NaN throughout, which its weights tell, and not its mask.
    bool is_zero(MapPlace, const MapBlock&) const override { return false; }
    std::vector<std::uint8_t> forbidden_pairs(MapPlace place) const override {
        return maps_->forbidden_pairs(place);
    }
    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override;
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override;

    std::optional<double> hidden_mass(MapPlace place) const override;

private:
    void for_each_origin(MapPlace place, const Visit& visit) const override { visit(*maps_, place); }

    using Rests = KnownRows<RestOfRow>;
    std::shared_ptr<Rests> rests_of(MapPlace place) const;

    std::shared_ptr<const MapSource> maps_;
    std::vector<Index> keys_;
    mutable RecentlyUsed<MapPlace, Rests> rests_;
};

}  // namespace headlight
