#pragma once

#include "core/attention/pair_blocks.h"
#include "core/attention/spec.h"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace headlight {

/// The keys that one query may look at, [key], 1 = allowed: as they lie in the pairs, or written out, which
/// the row then owns.
class AllowedRow {
public:
    explicit AllowedRow(std::span<const std::uint8_t> cells) : cells_(cells) {}
    explicit AllowedRow(std::vector<std::uint8_t> own) : own_(std::move(own)), cells_(own_) {}
    AllowedRow(const AllowedRow&) = delete;
    AllowedRow& operator=(const AllowedRow&) = delete;
    ~AllowedRow() = default;

    auto begin() const { return cells_.begin(); }
    auto end() const { return cells_.end(); }
    std::size_t size() const { return cells_.size(); }
    std::uint8_t operator[](std::size_t key) const { return cells_[key]; }

private:
    std::vector<std::uint8_t> own_;
    std::span<const std::uint8_t> cells_;
};

/// The pairs that a mask allows, worked out for n queries and m keys. Every query's allowed keys being a
/// prefix (no mask, causal, padding) is known, because kernels then skip the rest instead of testing it. Few
/// pairs have a cell each. Of more a prefix has a number for each query, and any other mask blocks, of which
/// those that are neither all nor none have a bit a pair (PairBlocks).
class AllowedPairs {
public:
    AllowedPairs() = default;
    /// Throws Error when the mask does not fit the sequences, or when its blocks may be more than
    /// memory_limit().
    AllowedPairs(const Mask& mask, Index queries, Index keys);
    /// Before the mask is drawn: as if every query saw all keys, without a cell for each. Only is_prefix(),
    /// end() and ends() are to be asked.
    static AllowedPairs undrawn(Index queries, Index keys);

    /// Leaves each query the last `count` of its keys, which are a prefix. Throws Error when their blocks
    /// may be more than memory_limit().
    AllowedPairs newest(Index count) const;

    Index queries() const { return queries_; }
    Index keys() const { return keys_; }
    bool allowed(Index query, Index key) const;
    /// Number of allowed pairs.
    Index count() const { return count_; }
    bool all_allowed() const { return count() == queries_ * keys_; }
    bool is_prefix() const { return is_prefix_; }
    /// One past the last allowed key of the query; all keys before it are allowed when is_prefix().
    Index end(Index query) const { return ends_[static_cast<std::size_t>(query)]; }
    std::span<const Index> ends() const { return ends_; }  ///< [query]
    AllowedRow row(Index query) const;
    /// The same into `to`, [key].
    void write_row(Index query, std::uint8_t* to) const;
    /// [query, key] from one query on, as row() has them one by one; null where there are no such cells.
    const std::uint8_t* rows_from(Index query) const {
        return cells_.empty() ? nullptr : cells_.data() + query * keys_;
    }
    /// No pair of these queries and keys is allowed, each from the first one on: told by blocks, so that it
    /// may say no of a few that are none.
    bool has_none(Index first_query, Index queries, Index first_key, Index keys) const;
    /// So few that any mask has a cell for each.
    static bool has_cells(Index queries, Index keys);
    /// Bytes that it takes at most, as far as the mask's kind tells.
    static double most_bytes(const Mask& mask, Index queries, Index keys);
    /// Bytes that it takes.
    std::size_t bytes() const;
    std::vector<Index> fully_masked_queries() const;
    /// [key], 1 = some query may look at it. A key that nobody may look at is padding: its vectors are never
    /// read. Of the newest() keys these are those of the mask: what has left a cache was a token all the
    /// same.
    std::vector<std::uint8_t> used_keys() const;

private:
    void draw(const std::function<void(Index query, std::uint8_t* row)>& write);
    void keep_prefixes();
    std::span<const std::uint8_t> prefix(Index query) const;

    Index queries_ = 0;
    Index keys_ = 0;
    Index count_ = 0;
    bool is_prefix_ = true;
    std::vector<std::uint8_t> cells_;   ///< [query, key] of few pairs
    PairBlocks blocks_;                 ///< of many where the keys are no prefix
    std::vector<std::uint8_t> prefix_;  ///< as many ones as there are keys, and as many zeros; else
    std::vector<Index> ends_;           ///< [query]
    std::vector<std::uint8_t> used_;    ///< of newest()
};

}  // namespace headlight
