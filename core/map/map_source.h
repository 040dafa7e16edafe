#pragma once

#include "core/attention/inputs.h"
#include "core/map/folded_cell.h"
#include "core/map/weight_lens.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// One map among those of a source; both are counted from 0.
struct MapPlace {
    Index layer = 0, head = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the 0 that follows <=> for a pointer
    auto operator<=>(const MapPlace&) const = default;
};

/// Keys from `begin` to before `end`.
struct KeyRange {
    Index begin = 0, end = 0;
    bool operator==(const KeyRange&) const = default;
};

/// Part of a map: `rows` queries and `columns` keys, from the first ones on.
struct MapBlock {
    Index first_row = 0, rows = 0, first_column = 0, columns = 0;

    std::size_t size() const { return static_cast<std::size_t>(rows * columns); }
};

/// Maps of attention [layer, head, query, key], wherever their numbers are: recorded in a trace, stored in a
/// file, or computed when they are looked at. Reading changes nothing that another thread could see. It can
/// be interrupted, and throws Error when a file does not give the numbers any more.
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
    /// A part of a row takes as long as the row: who reads a block had better take all beside it.
    virtual bool has_rows_alone() const { return false; }
    /// It is known before anything is read that all of a block is 0, as where a mask forbids all of its
    /// pairs: read_block() then computes no row.
    virtual bool is_zero(MapPlace /*place*/, const MapBlock& /*block*/) const { return false; }
    /// The keys that a mask lets a query look at, where a mask is known before anything is read: what is
    /// outside of them is forbidden. All keys where none is known. Neither end falls from one query to the
    /// next.
    virtual KeyRange allowed_keys(MapPlace /*place*/, Index /*query*/) const { return {0, extents_.keys}; }
    /// [query, key], 1 = forbidden, of a map whose run was recorded, where a mask may be any: empty where
    /// nothing is, or no more is known than allowed_keys().
    virtual std::vector<std::uint8_t> forbidden_pairs(MapPlace /*place*/) const { return {}; }
    /// Says in words which weights of sparse rows are missing (NaN). Empty where rows are whole.
    virtual std::string left_out() const { return {}; }
    /// Whether the layer is a linear one: weights that it implies and never forms, from no softmax, so that
    /// they may be negative (ImpliedMaps).
    virtual bool is_implied(Index /*layer*/) const { return false; }
    /// Numbers of the layer may be negative, which is known before any is read. Where it is not, tiles tell
    /// (MapTile::least).
    virtual bool is_signed(Index layer) const { return is_implied(layer); }
    /// Rows `first` to `first + count` of a map, [count, keys] in `to`.
    virtual void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const = 0;
    /// A part of a map, [block.rows, block.columns] in `to`: the same bits as in the rows. Unless a source
    /// can do with less, it reads them.
    virtual void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const;
    /// Rows `first` to `first + count` with every `width` x `width` numbers as one cell, [ceil(count /
    /// width), ceil(keys / width)] in `to`: a pass over a whole map that never has many of its rows. The
    /// width is a power of 2, at most widest_fold, and `first` a multiple of it.
    virtual void read_folded(MapPlace place, Index first, Index count, Index width,
                             std::span<FoldedCell> to) const;
    static constexpr Index widest_fold = 256;

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
    /// What these are compared with, of the same extents; null where nothing is.
    std::shared_ptr<const MapSource> other{};
    /// Through which they are seen. What stands for a weight is in `maps` and `other` already; the hidden
    /// keys are still there, so that who counts can say what they had.
    WeightLens lens{};
    /// What keys give, [layer, head or group of heads, key, d], as a source whose last axis is d; null where
    /// nobody knows.
    std::shared_ptr<const MapSource> values{};
    /// Where the first query stands among the keys, if tokens have been joined; else its site says it
    /// (first_query_place()).
    std::optional<Index> first_place{};
};

}  // namespace headlight
