#pragma once

#include "core/model/sequences.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

/// The places of a text in the order in which they have their turns: 0, where it begins, is the first, and
/// the place behind its last word, where it ends, is one of them.
using TextOrder = std::vector<Index>;

/// Texts whose words are told in orders of their own. Row t b + i is turn t of sequence i.
struct OrderedTexts {
    Sequences inputs;           ///< the words of all turns but the last
    Sequences labels;           ///< the word of the turn behind it, where it is to be learned
    std::vector<Index> places;  ///< [(steps + 1) b]: of the inputs, and from the second turn on of the labels
};

/// An order for each text of the batch. What is given, the words without a label, comes first as it stands;
/// of what follows every order is as likely as any. Text i draws from substream(stream, i).
std::vector<TextOrder> drawn_orders(const Batch& batch, std::uint64_t stream);

/// The texts of a batch, each in an order of its places.
OrderedTexts in_orders(const Batch& batch, std::span<const TextOrder> orders);

}  // namespace headlight
