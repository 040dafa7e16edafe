#pragma once

#include "core/map/map_reduction.h"
#include "core/map/map_source.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace headlight {

// Maps made of other maps, block by block where someone looks. A number that is NaN in one of them is NaN in
// what is made of it.

/// One map in place of those of all heads of a layer.
std::shared_ptr<const MapSource> over_heads(std::shared_ptr<const MapSource> maps, MapReduction reduction);
/// One map in place of those of a head in all layers.
std::shared_ptr<const MapSource> over_layers(std::shared_ptr<const MapSource> maps, MapReduction reduction);

/// a - b; what is the same infinity in both, such as the score of a pair that both masks forbid, stays it.
double difference_of(double a, double b);
/// maps - minus, number by number. Throws Error where their extents differ.
std::shared_ptr<const MapSource> difference_of(std::shared_ptr<const MapSource> maps,
                                               std::shared_ptr<const MapSource> minus);
/// Each map minus the one of `minus` at a place. Throws Error where these have other queries or keys, or no
/// such place.
std::shared_ptr<const MapSource> difference_of(std::shared_ptr<const MapSource> maps,
                                               std::shared_ptr<const MapSource> minus, MapPlace of_minus);

/// In place of each weight of a row its size times the number of its key, [key].
void to_sizes_times(std::span<double> row, std::span<const double> of_keys);
/// The same of every row: `of_keys` gives the numbers of a map, [key], to whoever reads, on any thread.
std::shared_ptr<const MapSource> sizes_times(std::shared_ptr<const MapSource> maps,
                                             std::function<std::span<const double>(MapPlace)> of_keys);

/// Tokens that are one word, counted from 0.
struct TokenSpan {
    Index first = 0, count = 1;
};

/// A row and a column for each word: the sum of the keys of a word, as what is looked at is the word, and the
/// mean of its queries, so that a row of weights still sums to 1. Tokens of no word are left out. Throws
/// Error unless the words of each axis follow one another and have tokens that there are.
std::shared_ptr<const MapSource> maps_of_words(std::shared_ptr<const MapSource> maps,
                                               std::vector<TokenSpan> query_words,
                                               std::vector<TokenSpan> key_words);

}  // namespace headlight
