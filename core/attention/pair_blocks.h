#pragma once

#include "core/tensor/tensor.h"

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace headlight {

/// What a mask says of a block of pairs.
enum class Coverage : std::uint8_t { none, all, some };

/// Ones and zeros [row, column] in blocks of 64 x 64. Of a block of which all are ones, or none, that is all
/// that is kept; others are kept a bit a pair, and those that are alike once: a window has a few, whatever
/// its length.
class PairBlocks {
public:
    static constexpr Index side = 64;

    PairBlocks() = default;
    PairBlocks(Index rows, Index columns);
    /// Bytes that such blocks take at most, also while they are made.
    static double most_bytes(Index rows, Index columns);

    /// The rows one after another, each [columns], 1 or 0.
    void add_row(const std::uint8_t* row);
    /// After the last one: gives up what was only there to add rows.
    void finish();

    bool at(Index row, Index column) const {
        const std::uint32_t block = block_at(row / side, column / side);
        if (block < first_stored)
            return block == every_pair;
        const std::uint64_t bits = stored_[block - first_stored][static_cast<std::size_t>(row % side)];
        return ((bits >> (column % side)) & 1) != 0;
    }
    /// [columns]
    void write_row(Index row, std::uint8_t* to) const;
    /// Returns what is allowed in the block of that number in each direction: rows from 64 * row on, columns
    /// from 64 * column on, as far as there are any.
    Coverage coverage(Index row, Index column) const {
        const std::uint32_t block = block_at(row, column);
        return block == no_pair ? Coverage::none : block == every_pair ? Coverage::all : Coverage::some;
    }
    /// Bytes that are allocated.
    std::size_t bytes() const;

private:
    using Block = std::array<std::uint64_t, side>;  ///< [row], bit c of a row is its column c
    static constexpr std::uint32_t no_pair = 0, every_pair = 1, first_stored = 2;

    std::uint32_t block_at(Index row, Index column) const {
        return blocks_[static_cast<std::size_t>(row * across_ + column)];
    }
    void keep_strip();
    std::uint32_t kept(const Block& block, Index rows, Index columns);

    Index rows_ = 0, columns_ = 0, across_ = 0;
    Index added_ = 0;                    ///< rows
    std::vector<Block> strip_;           ///< the row of blocks that is being added to
    std::vector<std::uint32_t> blocks_;  ///< [row of blocks, block]: no_pair, every_pair, or which is stored
    std::deque<Block> stored_;           ///< which never moves what is there, so that it never takes double
    /// Where the first of those that are stored stand, by their hash.
    std::unordered_multimap<std::uint64_t, std::uint32_t> known_;
};

}  // namespace headlight
