#include "core/attention/pair_blocks.h"

#include "core/tensor/extents.h"

#include <algorithm>
#include <span>

namespace headlight {
namespace {

/// A map of up to so many blocks is searched for blocks that are alike: patterns that repeat have few, and
/// one that does not would be searched in vain.
constexpr std::size_t most_known = 1024;
constexpr double bytes_of_known = 64;  // a node of the table, and its share of the buckets

Index blocks_along(Index extent) { return parts_of_size(extent, PairBlocks::side); }

/// The lowest `count` bits, at most 64.
std::uint64_t ones(Index count) { return count >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << count) - 1; }

/// `count` ones and zeros as bits, the first one lowest.
std::uint64_t packed_bits(const std::uint8_t* row, Index count) {
    std::uint64_t bits = 0;
    for (Index i = 0; i < count; ++i)
        bits |= std::uint64_t(row[i] != 0) << i;
    return bits;
}

void unpack_bits(std::uint64_t bits, Index count, std::uint8_t* to) {
    for (Index i = 0; i < count; ++i)
        to[i] = static_cast<std::uint8_t>((bits >> i) & 1);
}

/// FNV-1a (Fowler, Noll and Vo), a word at a time.
std::uint64_t hash_of(const std::array<std::uint64_t, PairBlocks::side>& block) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::uint64_t row : block) {
        hash = (hash ^ row) * 0x100000001b3U;
        hash ^= hash >> 29;
    }
    return hash;
}

}  // namespace

PairBlocks::PairBlocks(Index rows, Index columns)
    : rows_(rows), columns_(columns), across_(blocks_along(columns)),
      strip_(static_cast<std::size_t>(across_)) {
    blocks_.reserve(static_cast<std::size_t>(blocks_along(rows) * across_));
}

double PairBlocks::most_bytes(Index rows, Index columns) {
    const double blocks = elements(blocks_along(rows), blocks_along(columns));
    constexpr double of_deque = 2 * sizeof(void*);  // a place in its map, and the heap's own
    return blocks * (sizeof(Block) + sizeof(std::uint32_t) + of_deque) +
           elements(blocks_along(columns), sizeof(Block)) +
           std::min(blocks, static_cast<double>(most_known)) * bytes_of_known;
}

void PairBlocks::add_row(const std::uint8_t* row) {
    const auto in_block = static_cast<std::size_t>(added_ % side);
    for (Index block = 0; block < across_; ++block)
        strip_[static_cast<std::size_t>(block)][in_block] =
            packed_bits(row + block * side, std::min(side, columns_ - block * side));
    if (++added_ % side == 0 || added_ == rows_)
        keep_strip();
}

void PairBlocks::keep_strip() {
    const Index rows = (added_ - 1) % side + 1;
    for (Index block = 0; block < across_; ++block) {
        Block& bits = strip_[static_cast<std::size_t>(block)];
        std::fill(bits.begin() + rows, bits.end(), std::uint64_t(0));  // of the strip before
        blocks_.push_back(kept(bits, rows, std::min(side, columns_ - block * side)));
    }
}

std::uint32_t PairBlocks::kept(const Block& block, Index rows, Index columns) {
    const auto used = std::span(block).first(static_cast<std::size_t>(rows));
    if (std::ranges::all_of(used, [](std::uint64_t row) { return row == 0; }))
        return no_pair;
    if (std::ranges::all_of(used, [all = ones(columns)](std::uint64_t row) { return row == all; }))
        return every_pair;
    const std::uint64_t hash = hash_of(block);
    const auto [first, last] = known_.equal_range(hash);
    for (auto at = first; at != last; ++at)
        if (stored_[at->second - first_stored] == block)
            return at->second;
    const auto number = static_cast<std::uint32_t>(stored_.size()) + first_stored;
    stored_.push_back(block);
    if (known_.size() < most_known)
        known_.emplace(hash, number);
    return number;
}

void PairBlocks::finish() {
    strip_ = std::vector<Block>();
    known_ = std::unordered_multimap<std::uint64_t, std::uint32_t>();
}

void PairBlocks::write_row(Index row, std::uint8_t* to) const {
    for (Index block = 0; block < across_; ++block, to += side) {
        const Index count = std::min(side, columns_ - block * side);
        const std::uint32_t which = block_at(row / side, block);
        if (which < first_stored)
            std::fill_n(to, count, static_cast<std::uint8_t>(which == every_pair));
        else
            unpack_bits(stored_[which - first_stored][static_cast<std::size_t>(row % side)], count, to);
    }
}

std::size_t PairBlocks::bytes() const {
    return (strip_.capacity() + stored_.size()) * sizeof(Block) + blocks_.capacity() * sizeof(std::uint32_t) +
           known_.size() * static_cast<std::size_t>(bytes_of_known);
}

}  // namespace headlight
