#pragma once

#include "core/kernels/kernels.h"
#include "core/map/band_mask.h"
#include "core/map/map_source.h"
#include "core/tensor/storage.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

/// The keys of a head as the product reads them, in chunks of which each is multiplied alone.
class PackedKeys {
public:
    static constexpr Index chunk = MapSource::widest_fold;

    /// Packs the keys of a source [layer, key head, token, d]. Throws Error when the memory limit forbids it.
    PackedKeys(const MapSource& keys, MapPlace place, const kernels::Table<double>& kernels);

    Index tokens() const { return tokens_; }
    Index chunks() const { return parts_of_size(tokens_, chunk); }
    Index keys_of(Index number) const { return std::min(chunk, tokens_ - number * chunk); }
    kernels::Packed<double> operator[](Index number) const;
    std::size_t bytes() const { return numbers_.size() * sizeof(double); }

private:
    Index tokens_, width_;
    Storage<double> numbers_;
};

/// What the softmax of a row, or of a chunk of it, is counted from: its largest score and the sum of all
/// e^(score - largest).
struct RowSum {
    double largest = -std::numeric_limits<double>::infinity();
    double sum = 0;
};

/// What makes weights of the scores of a head; see QueryKeyTerms.
struct HeadTerms {
    double scale = 1;
    BandMask mask;
    std::optional<double> softcap;
    double sink;  ///< minus infinity where there is none
};

/// At most `most` rows of a head, on their way from scores to weights, a chunk of the keys at a time. A
/// weight is e^(s - c) times the share of its chunk, e^(c - largest) / sum, where c is the largest score of
/// the row's chunk: so a chunk is finished before the rest of the row is known, and a weight has the same
/// bits whichever part of the map it is read with.
class HeadRows {
public:
    static constexpr Index most = 64;

    HeadRows(const MapSource& queries, MapPlace place, const PackedKeys& keys, const HeadTerms& terms,
             const kernels::Table<double>& kernels);

    /// Rows `first` to `first + count` are those that follow.
    void begin(Index first, Index count);
    Index count() const { return count_; }

    /// Products of a chunk. False where the mask forbids all of it: then nothing is computed.
    bool multiply(Index chunk);
    /// A row of the chunk that was multiplied last, from products to powers e^(s - c): exactly 0 where the
    /// mask forbids, whatever the scores are. Returns c and their sum.
    RowSum exponentiate(Index row);
    std::span<const double> powers(Index row) const;
    /// Keys of a chunk that the mask allows, counted from the chunk's first one.
    BandMask::Keys allowed(Index row, Index chunk) const;

    /// Joins the sums of a row's chunks, in their order; the sink takes part.
    RowSum whole(std::span<const RowSum> chunks) const;
    /// By which the powers of a chunk are multiplied to be weights; 0 in a row that may not look at anything,
    /// NaN in a row with a score that is NaN or infinitely large.
    static double share(const RowSum& chunk, const RowSum& whole);

private:
    const MapSource& queries_;
    MapPlace place_;
    const PackedKeys& keys_;
    const HeadTerms& terms_;
    const kernels::Table<double>& kernels_;
    Index width_, first_ = 0, count_ = 0, chunk_ = 0;
    std::vector<double> numbers_;  ///< [row, d], times the scale
    Storage<double> powers_;       ///< [row, key of the chunk]
};

}  // namespace headlight
