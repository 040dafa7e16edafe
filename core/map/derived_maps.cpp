#include "core/map/derived_maps.h"

#include "core/map/forwarding_maps.h"
#include "core/map/hidden_keys.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace headlight {
namespace {

using Extents = MapSource::Extents;

std::string shape_text(const Extents& extents) {
    return to_string(Shape{extents.layers, extents.heads, extents.queries, extents.keys});
}

/// Maps whose blocks are all they know.
class DerivedMaps : public ForwardingMaps {
public:
    using ForwardingMaps::ForwardingMaps;
    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const final {
        read_block(place, {first, count, 0, extents().keys}, to);
    }
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override = 0;
};

/// In place of an axis, all of its maps.
class ReducedMaps : public DerivedMaps, public KnowsHiddenMass {
public:
    ReducedMaps(std::shared_ptr<const MapSource> maps, Index Extents::*axis, Index MapPlace::*number,
                MapReduction reduction)
        : DerivedMaps(without(maps->extents(), axis), {maps}), count_(maps->extents().*axis), number_(number),
          reduction_(reduction), maps_(std::move(maps)) {}

    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override {
        const auto reduced = to.first(block.size());
        maps_->read_block(place, block, reduced);
        ReducedNumbers all(reduction_, reduced);
        std::vector<double> others(block.size());
        for (Index number = 1; number < count_; ++number) {
            Interruption::check();
            place.*number_ = number;
            maps_->read_block(place, block, others);
            all.add(others);
        }
        all.finish();
    }

    /// The mean over the maps.
    std::optional<double> hidden_mass(MapPlace place) const override {
        const auto* without_keys = dynamic_cast<const KnowsHiddenMass*>(maps_.get());
        double sum = 0;
        for (Index number = 0; without_keys && number < count_; ++number) {
            place.*number_ = number;
            const auto mass = without_keys->hidden_mass(place);
            if (!mass)
                return std::nullopt;
            sum += *mass;
        }
        return without_keys ? std::optional(sum / static_cast<double>(count_)) : std::nullopt;
    }

private:
    void for_each_origin(MapPlace place, const Visit& visit) const override {
        for (Index number = 0; number < count_; ++number) {
            place.*number_ = number;
            visit(*maps_, place);
        }
    }
    static Extents without(Extents extents, Index Extents::*axis) {
        extents.*axis = 1;
        return extents;
    }
    Index count_;
    Index MapPlace::*number_;
    MapReduction reduction_;
    std::shared_ptr<const MapSource> maps_;
};

class DifferenceOfMaps : public DerivedMaps {
public:
    /// Minus the map at `of_minus`, or at the same place where nothing is said.
    DifferenceOfMaps(std::shared_ptr<const MapSource> maps, std::shared_ptr<const MapSource> minus,
                     std::optional<MapPlace> of_minus = {})
        : DerivedMaps(maps->extents(), {maps, minus}), maps_(std::move(maps)), minus_(std::move(minus)),
          of_minus_(of_minus) {}

    bool is_implied(Index layer) const override { return maps_->is_implied(layer); }
    bool is_signed(Index) const override { return true; }

    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override {
        const auto difference = to.first(block.size());
        std::vector<double> others(block.size());
        maps_->read_block(place, block, difference);
        minus_->read_block(of_minus_.value_or(place), block, others);
        std::ranges::transform(difference, others, difference.begin(),
                               [](double a, double b) { return difference_of(a, b); });
    }

    /// As many rows at once as queries and keys are multiplied in.
    void read_folded(MapPlace place, Index first, Index count, Index width,
                     std::span<FoldedCell> to) const override {
        constexpr Index most_numbers = Index(1) << 21, most_rows = 64;
        const Index keys = extents().keys, cells = parts_of_size(keys, width);
        const Index at_once =
            std::clamp<Index>(most_numbers / std::max<Index>(keys, 1), 1, std::min(most_rows, count));
        std::fill_n(to.begin(), parts_of_size(count, width) * cells, FoldedCell());
        std::vector<double> rows(static_cast<std::size_t>(at_once * keys));
        for (Index done = 0; done < count; done += at_once) {
            Interruption::check();
            const Index part = std::min(at_once, count - done);
            read_rows(place, first + done, part, rows);
            for (Index row = 0; row < part; ++row)
                fold_row(std::span<const double>(rows).subspan(static_cast<std::size_t>(row * keys),
                                                               static_cast<std::size_t>(keys)),
                         width, to.data() + (done + row) / width * cells);
        }
    }

private:
    void for_each_origin(MapPlace place, const Visit& visit) const override {
        visit(*maps_, place);
        visit(*minus_, of_minus_.value_or(place));
    }

    std::shared_ptr<const MapSource> maps_, minus_;
    std::optional<MapPlace> of_minus_;
};

class SizesTimesKeys : public DerivedMaps {
public:
    SizesTimesKeys(std::shared_ptr<const MapSource> maps,
                   std::function<std::span<const double>(MapPlace)> of_keys)
        : DerivedMaps(maps->extents(), {maps}), maps_(std::move(maps)), of_keys_(std::move(of_keys)) {}

    /// Sizes are not.
    bool is_signed(Index) const override { return false; }
    std::vector<std::uint8_t> forbidden_pairs(MapPlace place) const override {
        return maps_->forbidden_pairs(place);
    }
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override {
        maps_->read_block(place, block, to);
        const auto columns = static_cast<std::size_t>(block.columns);
        const auto numbers = of_keys_(place).subspan(static_cast<std::size_t>(block.first_column), columns);
        for (Index row = 0; row < block.rows; ++row)
            to_sizes_times(to.subspan(static_cast<std::size_t>(row) * columns, columns), numbers);
    }

private:
    void for_each_origin(MapPlace place, const Visit& visit) const override { visit(*maps_, place); }

    std::shared_ptr<const MapSource> maps_;
    std::function<std::span<const double>(MapPlace)> of_keys_;
};

void require_words(const char* axis, const std::vector<TokenSpan>& words, Index tokens) {
    Index end = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
        const auto [first, count] = words[word];
        if (first < end || count < 1 || count > tokens - first)
            throw Error({"join tokens to words", std::string(axis) + " word " + std::to_string(word + 1),
                         "tokens after the words before, of " + std::to_string(tokens),
                         std::to_string(count) + " from token " + std::to_string(first + 1) + " on"});
        end = first + count;
    }
    if (words.empty())
        throw Error({"join tokens to words", axis, "at least one word", "none"});
}

class MapsOfWords : public DerivedMaps {
public:
    MapsOfWords(std::shared_ptr<const MapSource> maps, std::vector<TokenSpan> query_words,
                std::vector<TokenSpan> key_words)
        : DerivedMaps(
              {maps->extents().layers, maps->extents().heads, std::ssize(query_words), std::ssize(key_words)},
              {maps}),
          maps_(std::move(maps)), query_words_(std::move(query_words)), key_words_(std::move(key_words)),
          word_of_query_(static_cast<std::size_t>(maps_->extents().queries), no_word) {
        for (std::size_t word = 0; word < query_words_.size(); ++word)
            std::fill_n(word_of_query_.begin() + query_words_[word].first, query_words_[word].count,
                        static_cast<Index>(word));
    }

    bool is_zero(MapPlace place, const MapBlock& block) const override {
        return block.size() > 0 && maps_->is_zero(place, tokens_of(block));
    }
    /// The words of the keys that some token of the query's word may look at.
    KeyRange allowed_keys(MapPlace place, Index query) const override {
        const TokenSpan& word = query_words_[static_cast<std::size_t>(query)];
        // Neither end of what tokens may look at falls from one to the next.
        const Index begin = maps_->allowed_keys(place, word.first).begin;
        const Index end = maps_->allowed_keys(place, word.first + word.count - 1).end;
        const auto words_that = [&](const auto& are_before) {
            return std::ranges::partition_point(key_words_, are_before) - key_words_.begin();
        };
        return {words_that([=](const TokenSpan& key) { return key.first + key.count <= begin; }),
                words_that([=](const TokenSpan& key) { return key.first < end; })};
    }
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override {
        std::fill_n(to.begin(), block.size(), 0);
        if (block.size() == 0)
            return;
        const MapBlock tokens = tokens_of(block);
        constexpr Index rows_at_once = 64;
        std::vector<double> rows(static_cast<std::size_t>(rows_at_once * tokens.columns));
        for (Index done = 0; done < tokens.rows; done += rows_at_once) {
            Interruption::check();
            const Index first = tokens.first_row + done, count = std::min(rows_at_once, tokens.rows - done);
            maps_->read_block(place, {first, count, tokens.first_column, tokens.columns}, rows);
            for (Index row = 0; row < count; ++row)
                if (const Index word = word_of_query_[static_cast<std::size_t>(first + row)]; word != no_word)
                    add_row(rows.data() + row * tokens.columns, word, block,
                            to.data() + (word - block.first_row) * block.columns);
        }
    }

private:
    void for_each_origin(MapPlace place, const Visit& visit) const override { visit(*maps_, place); }

    static constexpr Index no_word = -1;

    static std::pair<Index, Index> tokens_of(const std::vector<TokenSpan>& words, Index first, Index count) {
        const TokenSpan& last = words[static_cast<std::size_t>(first + count - 1)];
        const Index begin = words[static_cast<std::size_t>(first)].first;
        return {begin, last.first + last.count - begin};
    }
    MapBlock tokens_of(const MapBlock& words) const {
        const auto [row, rows] = tokens_of(query_words_, words.first_row, words.rows);
        const auto [column, columns] = tokens_of(key_words_, words.first_column, words.columns);
        return {row, rows, column, columns};
    }

    /// What a query gives to the row of its word; `tokens` begin with the block's first word.
    void add_row(const double* tokens, Index word, const MapBlock& block, double* to) const {
        const auto share = 1 / static_cast<double>(query_words_[static_cast<std::size_t>(word)].count);
        const auto keys = std::span(key_words_)
                              .subspan(static_cast<std::size_t>(block.first_column),
                                       static_cast<std::size_t>(block.columns));
        for (const TokenSpan& key : keys) {
            const double* begin = tokens + key.first - keys.front().first;
            *to++ += share * std::accumulate(begin, begin + key.count, 0.0);
        }
    }

    std::shared_ptr<const MapSource> maps_;
    std::vector<TokenSpan> query_words_, key_words_;
    std::vector<Index> word_of_query_;  ///< [query]
};

}  // namespace

std::shared_ptr<const MapSource> over_heads(std::shared_ptr<const MapSource> maps, MapReduction reduction) {
    return std::make_shared<ReducedMaps>(std::move(maps), &Extents::heads, &MapPlace::head, reduction);
}

std::shared_ptr<const MapSource> over_layers(std::shared_ptr<const MapSource> maps, MapReduction reduction) {
    return std::make_shared<ReducedMaps>(std::move(maps), &Extents::layers, &MapPlace::layer, reduction);
}

double difference_of(double a, double b) { return a == b && std::isinf(a) ? a : a - b; }

std::shared_ptr<const MapSource> difference_of(std::shared_ptr<const MapSource> maps,
                                               std::shared_ptr<const MapSource> minus) {
    if (maps->extents() != minus->extents())
        throw Error({"difference of maps", "", shape_text(maps->extents()) + " in both",
                     shape_text(minus->extents())});
    return std::make_shared<DifferenceOfMaps>(std::move(maps), std::move(minus));
}

std::shared_ptr<const MapSource> difference_of(std::shared_ptr<const MapSource> maps,
                                               std::shared_ptr<const MapSource> minus, MapPlace of_minus) {
    const Extents &of_maps = maps->extents(), &others = minus->extents();
    const bool is_there = of_minus.layer >= 0 && of_minus.layer < others.layers && of_minus.head >= 0 &&
                          of_minus.head < others.heads;
    if (of_maps.queries != others.queries || of_maps.keys != others.keys || !is_there)
        throw Error({"difference of maps", "",
                     std::to_string(of_maps.queries) + " × " + std::to_string(of_maps.keys) +
                         " numbers, and layer " + std::to_string(of_minus.layer + 1) + ", head " +
                         std::to_string(of_minus.head + 1),
                     shape_text(others)});
    return std::make_shared<DifferenceOfMaps>(std::move(maps), std::move(minus), of_minus);
}

void to_sizes_times(std::span<double> row, std::span<const double> of_keys) {
    std::ranges::transform(row, of_keys, row.begin(),
                           [](double weight, double number) { return std::abs(weight) * number; });
}

std::shared_ptr<const MapSource> sizes_times(std::shared_ptr<const MapSource> maps,
                                             std::function<std::span<const double>(MapPlace)> of_keys) {
    return std::make_shared<SizesTimesKeys>(std::move(maps), std::move(of_keys));
}

std::shared_ptr<const MapSource> maps_of_words(std::shared_ptr<const MapSource> maps,
                                               std::vector<TokenSpan> query_words,
                                               std::vector<TokenSpan> key_words) {
    require_words("query", query_words, maps->extents().queries);
    require_words("key", key_words, maps->extents().keys);
    return std::make_shared<MapsOfWords>(std::move(maps), std::move(query_words), std::move(key_words));
}

}  // namespace headlight
