#include "core/map/implied_maps.h"

#include "core/map/query_key_maps.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight {
namespace {

constexpr Index chunk_keys = PackedKeys::chunk;
constexpr std::size_t most_bytes_of_faded_keys = std::size_t(64) << 20;

/// The least number that is kept. Products of two such are 0 or nearly so, and numbers on the way to the
/// smallest of all, which processors are slow with, do not occur.
constexpr double least_faded = 1e-290;

/// numbers *= gates, a gate for all of them or for each.
void fade(std::span<double> numbers, std::span<const double> gates) {
    if (gates.empty())
        return;
    const bool is_one = gates.size() == 1;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double faded = numbers[i] * gates[is_one ? 0 : i];
        numbers[i] = std::abs(faded) < least_faded ? 0 : faded;
    }
}

/// Row `number` of `width` numbers.
template <class Numbers>
auto row_of(Numbers& numbers, Index number, Index width) {
    return std::span(numbers).subspan(static_cast<std::size_t>(number * width),
                                      static_cast<std::size_t>(width));
}

[[noreturn]] void refuse_implied(const std::string& where, const std::string& expected,
                                 const std::string& got) {
    throw Error({"recompute implied weights", where, expected, got});
}

}  // namespace

/// Keys of a head as the queries behind their chunk see them, faded up to its last token.
class FadedKeys {
public:
    FadedKeys(const MapSource& keys, MapPlace key_place, const Decay* decay, MapPlace decay_place,
              const kernels::Table<double>& kernels)
        : width_(keys.extents().keys), gates_(decay ? decay->width() : 0),
          chunks_(parts_of_size(keys.extents().queries, chunk_keys)),
          left_(static_cast<std::size_t>(chunks_ * gates_), 1),
          sums_(static_cast<std::size_t>(chunks_ * width_)),
          packed_(Chunks(*this, keys, decay, decay_place), key_place, kernels) {
        for (Index chunk = 1; chunk < chunks_; ++chunk) {
            std::vector<double> before(sum(chunk - 1).begin(), sum(chunk - 1).end());
            fade(before, left(chunk));
            std::ranges::transform(before, sum(chunk), row_of(sums_, chunk, width_).begin(), std::plus());
        }
    }

    Index chunks() const { return chunks_; }
    const PackedKeys& packed() const { return packed_; }
    /// What a chunk leaves of what was before it, [gates].
    std::span<const double> left(Index chunk) const { return row_of(left_, chunk, gates_); }
    /// Returns the sum of all keys up to the end of a chunk, faded up to there, [d].
    std::span<const double> sum(Index chunk) const { return row_of(sums_, chunk, width_); }
    std::size_t bytes() const { return packed_.bytes() + (left_.size() + sums_.size()) * sizeof(double); }

private:
    /// What is packed, read once and chunk by chunk; notes what chunks leave and the sums of each alone.
    class Chunks : public MapSource {
    public:
        Chunks(FadedKeys& whole, const MapSource& keys, const Decay* decay, MapPlace decay_place)
            : MapSource(keys.extents()), whole_(whole), keys_(keys), decay_(decay),
              decay_place_(decay_place) {}

        void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
            Interruption::check();
            keys_.read_rows(place, first, count, to);
            std::vector<double> gates(static_cast<std::size_t>(count * whole_.gates_));
            if (decay_)
                decay_->read(decay_place_, first, count, gates);
            const Index chunk = first / chunk_keys;
            const auto left = row_of(whole_.left_, chunk, whole_.gates_);
            const auto sum = row_of(whole_.sums_, chunk, whole_.width_);
            for (Index token = count; token-- > 0;) {
                const auto key = row_of(to, token, whole_.width_);
                fade(key, left);
                std::ranges::transform(sum, key, sum.begin(), std::plus());
                fade(left, row_of(gates, token, whole_.gates_));
            }
        }

    private:
        FadedKeys& whole_;
        const MapSource& keys_;
        const Decay* decay_;
        MapPlace decay_place_;
    };

    Index width_, gates_, chunks_;
    std::vector<double> left_;  ///< [chunk, gates]
    std::vector<double> sums_;  ///< [chunk, d]
    PackedKeys packed_;
};

/// At most HeadRows::most rows of a head on their way back through the chunks of keys, each with what is left
/// of its query. In a row's own chunk it walks from key to key; chunks before it are multiplied with the
/// faded keys. What is multiplied with what does not depend on the part of the map that is read, so that a
/// weight has the same bits in all of them.
class ImpliedMaps::Rows {
public:
    Rows(const ImpliedMaps& maps, MapPlace place)
        : maps_(maps), place_(place), faded_(maps.keys_of(place)), width_(maps.queries_->extents().keys),
          gates_(maps.decay_ ? maps.decay_->width() : 0),
          queries_(static_cast<std::size_t>(HeadRows::most * width_)),
          own_keys_(static_cast<std::size_t>(chunk_keys * width_)),
          own_gates_(static_cast<std::size_t>(chunk_keys * gates_)), products_(HeadRows::most * chunk_keys) {}

    Index chunks() const { return faded_->chunks(); }

    /// take(row, chunk, weights) for rows from `first` on, counted from there, and every chunk from
    /// `first_chunk` to before `end_chunk` in which the mask leaves the row a key: the weights of all keys of
    /// the chunk.
    template <class Take>
    void read(Index first, Index count, Index first_chunk, Index end_chunk, const Take& take) {
        begin(first, count);
        const bool causal = maps_.terms_.causal;
        const Index last_chunk = causal ? (first + count - 1) / chunk_keys : end_chunk - 1;
        for (Index chunk = last_chunk; chunk >= first_chunk; --chunk) {
            Interruption::check();
            const bool is_wanted = chunk < end_chunk;
            // Rows from `later` on are behind the chunk, those from `own` on in it.
            const Index later = causal ? std::clamp<Index>((chunk + 1) * chunk_keys - first, 0, count) : 0;
            const Index own = causal ? std::clamp<Index>(chunk * chunk_keys - first, 0, count) : 0;
            if (own < later)
                load_own(chunk);
            for (Index row = own; row < later; ++row) {
                walk_own(row, chunk, is_wanted);
                if (is_wanted)
                    take(row, chunk, weights(row, chunk));
            }
            if (is_wanted && multiply(later, chunk))
                for (Index row = later; row < count; ++row)
                    take(row, chunk, weights(row, chunk));
            for (Index row = later; row < count; ++row)
                fade(query(row), faded_->left(chunk));
        }
    }

private:
    void begin(Index first, Index count) {
        first_ = first;
        count_ = count;
        maps_.queries_->read_rows(place_, first, count, queries_);
        for (double& number : std::span(queries_).first(static_cast<std::size_t>(count * width_)))
            number *= maps_.terms_.scale;
        divisors_.assign(static_cast<std::size_t>(count), 1);
        if (maps_.terms_.normalised && !maps_.terms_.causal)
            for (Index row = 0; row < count; ++row)
                divisor(row) = product_with(query(row), faded_->sum(chunks() - 1).data());
    }

    double product_with(std::span<const double> query, const double* key) const {
        return maps_.arithmetic_.inner_product(query.data(), key, width_);
    }
    std::span<double> query(Index row) { return row_of(queries_, row, width_); }
    double& divisor(Index row) { return divisors_[static_cast<std::size_t>(row)]; }
    std::span<double> weights(Index row, Index chunk) {
        return {products_.data() + row * chunk_keys,
                static_cast<std::size_t>(faded_->packed().keys_of(chunk))};
    }

    void load_own(Index chunk) {
        const Index first = chunk * chunk_keys, keys = faded_->packed().keys_of(chunk);
        maps_.keys_->read_rows(maps_.key_place(place_), first, keys, own_keys_);
        if (maps_.decay_)
            maps_.decay_->read(maps_.decay_place(place_), first, keys, own_gates_);
    }

    /// From the row's own token to the first of its chunk.
    void walk_own(Index row, Index chunk, bool is_wanted) {
        const Index own = first_ + row - chunk * chunk_keys;
        const auto to = weights(row, chunk);
        const auto left = query(row);
        const bool normalised = maps_.terms_.normalised;
        std::ranges::fill(to, 0);
        double sum = 0;
        for (Index key = own; key >= 0; --key) {
            if (is_wanted || normalised)
                sum += to[static_cast<std::size_t>(key)] =
                    product_with(left, own_keys_.data() + key * width_);
            fade(left, row_of(own_gates_, key, gates_));
        }
        if (!normalised)
            return;
        if (chunk > 0)
            sum += product_with(left, faded_->sum(chunk - 1).data());
        divisor(row) = sum;
        divide(row, to);
    }

    /// Rows from `later` on with a chunk before them; false where there are none.
    bool multiply(Index later, Index chunk) {
        if (later >= count_)
            return false;
        kernels::Product<double> product;
        product.left = row_major<const double>(queries_.data(), count_, width_);
        product.right = faded_->packed()[chunk];
        product.out =
            row_major(products_.data(), count_, chunk_keys).column_range(0, faded_->packed().keys_of(chunk));
        maps_.kernels_.multiply(product.row_range(later, count_ - later));
        for (Index row = later; row < count_; ++row) {
            const auto to = weights(row, chunk);
            // A query that has faded leaves nothing, whatever the keys are.
            if (maps_.decay_ && std::ranges::all_of(query(row), [](double number) { return number == 0; }))
                std::ranges::fill(to, 0);
            else if (maps_.terms_.normalised)
                divide(row, to);
        }
        return true;
    }

    void divide(Index row, std::span<double> to) {
        for (double& weight : to)
            weight = divisor(row) == 0 ? 0 : weight / divisor(row);
    }

    const ImpliedMaps& maps_;
    MapPlace place_;
    std::shared_ptr<const FadedKeys> faded_;
    Index width_, gates_, first_ = 0, count_ = 0;
    std::vector<double> queries_;    ///< [row, d], times the scale, and what is left of it
    std::vector<double> own_keys_;   ///< [key of the chunk, d]
    std::vector<double> own_gates_;  ///< [key of the chunk, gates]
    std::vector<double> divisors_;   ///< [row]
    Storage<double> products_;       ///< [row, key of the chunk]
};

ImpliedMaps::ImpliedMaps(std::shared_ptr<const MapSource> queries, std::shared_ptr<const MapSource> keys,
                         std::shared_ptr<const Decay> decay, const ImpliedTerms& terms)
    : MapSource(recomputed_extents(queries->extents(), keys->extents())), queries_(std::move(queries)),
      keys_(std::move(keys)), decay_(std::move(decay)), terms_(terms),
      kernels_(kernels::table<double>(kernels::chosen_level())),
      arithmetic_(kernels::chosen_arithmetic<double>()), faded_(most_bytes_of_faded_keys) {
    if (!decay_)
        return;
    const Index heads = extents().heads, key_heads = keys_->extents().heads, width = keys_->extents().keys;
    const auto require = [](const char* what, bool holds, const std::string& expected, Index got) {
        if (!holds)
            refuse_implied(std::string("decay: ") + what, expected, std::to_string(got));
    };
    require("layers", decay_->layers() == extents().layers, std::to_string(extents().layers) + ", as q has",
            decay_->layers());
    require("heads", decay_->heads() == heads || decay_->heads() == key_heads,
            std::to_string(heads) + ", as q has" +
                (key_heads == heads ? "" : ", or " + std::to_string(key_heads) + ", as k has"),
            decay_->heads());
    require("tokens", decay_->tokens() == 1 || decay_->tokens() == extents().keys,
            std::to_string(extents().keys) + ", as k has", decay_->tokens());
    require("channels", decay_->width() == 1 || decay_->width() == width,
            std::to_string(width) + ", as k has", decay_->width());
    if (!terms_.causal)
        refuse_implied("causal", "true, beside a decay: what fades is what came before", "false");
}

MapPlace ImpliedMaps::key_place(MapPlace place) const {
    return {place.layer, place.head / (extents().heads / keys_->extents().heads)};
}

MapPlace ImpliedMaps::decay_place(MapPlace place) const {
    return {place.layer, decay_ ? place.head / (extents().heads / decay_->heads()) : 0};
}

KeyRange ImpliedMaps::allowed_keys(MapPlace, Index query) const {
    return BandMask(extents().keys, terms_.causal, std::nullopt).keys_of(query);
}

std::shared_ptr<const FadedKeys> ImpliedMaps::keys_of(MapPlace place) const {
    const MapPlace keys = key_place(place), decay = decay_place(place);
    // Heads that share keys and their decay share what follows.
    const MapPlace shared{place.layer, std::max(keys.head, decay.head)};
    if (auto known = faded_.find(shared))
        return known;
    auto faded = std::make_shared<const FadedKeys>(*keys_, keys, decay_.get(), decay, kernels_);
    return faded_.keep(shared, faded, faded->bytes());
}

void ImpliedMaps::read_rows(MapPlace place, Index first, Index count, std::span<double> to) const {
    read_block(place, {first, count, 0, extents().keys}, to);
}

void ImpliedMaps::read_block(MapPlace place, const MapBlock& block, std::span<double> to) const {
    std::fill_n(to.begin(), block.size(), 0);
    const BandMask mask(extents().keys, terms_.causal, std::nullopt);
    if (block.size() == 0 || mask.coverage(block) == BandMask::Coverage::none)
        return;
    Rows rows(*this, place);
    const Index end_column = block.first_column + block.columns;
    for (Index done = 0; done < block.rows; done += HeadRows::most) {
        const Index first = block.first_row + done, count = std::min(HeadRows::most, block.rows - done);
        if (terms_.causal && first + count <= block.first_column)
            continue;
        rows.read(first, count, block.first_column / chunk_keys, parts_of_size(end_column, chunk_keys),
                  [&](Index row, Index chunk, std::span<const double> weights) {
                      const Index from = chunk * chunk_keys;
                      const Index begin = std::max(from, block.first_column);
                      const Index end = std::min(from + std::ssize(weights), end_column);
                      std::copy(weights.begin() + (begin - from), weights.begin() + (end - from),
                                to.begin() + (done + row) * block.columns + begin - block.first_column);
                  });
    }
}

void ImpliedMaps::read_folded(MapPlace place, Index first, Index count, Index width,
                              std::span<FoldedCell> to) const {
    const Index keys = extents().keys, cells = parts_of_size(keys, width);
    std::fill_n(to.begin(), parts_of_size(count, width) * cells, FoldedCell());
    Rows rows(*this, place);
    for (Index done = 0; done < count; done += HeadRows::most) {
        const Index part = std::min(HeadRows::most, count - done);
        rows.read(first + done, part, 0, rows.chunks(),
                  [&](Index row, Index chunk, std::span<const double> weights) {
                      fold_row(weights, width,
                               to.data() + (done + row) / width * cells + chunk * (chunk_keys / width));
                  });
        for (Index row = 0; row < part && terms_.causal; ++row) {
            // The chunks behind a row's own are 0.
            const Index seen = ((first + done + row) / chunk_keys + 1) * chunk_keys;
            for (Index key = seen; key < keys; key += width)
                to[static_cast<std::size_t>((done + row) / width * cells + key / width)].add(
                    {0, 0, static_cast<double>(std::min(width, keys - key))});
        }
    }
}

}  // namespace headlight
