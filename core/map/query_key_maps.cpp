#include "core/map/query_key_maps.h"

#include "core/map/joined_maps.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

using Extents = MapSource::Extents;

[[noreturn]] void refuse_terms(const std::string& where, const std::string& expected,
                               const std::string& got) {
    throw Error({"recompute maps", where, expected, got});
}

/// A list has an element for each layer, one for all, or none.
template <class List>
void require_each_layer(const char* term, const List& list, const Extents& extents) {
    if (list.size() > 1 && std::ssize(list) != extents.layers)
        refuse_terms(term, "one for each of " + std::to_string(extents.layers) + " layers",
                     std::to_string(list.size()));
}

template <class Element>
const Element& of_layer(const std::vector<Element>& list, Index layer) {
    return list.size() == 1 ? list.front() : list[static_cast<std::size_t>(layer)];
}

// The most bytes of the heads that were looked at last: a few of 32,768 tokens, all of a short text.
constexpr std::size_t most_bytes_of_keys = std::size_t(64) << 20;
constexpr std::size_t most_bytes_of_sums = std::size_t(32) << 20;

/// What is known of each chunk of the rows of a HeadRows.
class ChunkSums {
public:
    ChunkSums(Index rows, Index chunks) : chunks_(chunks), sums_(static_cast<std::size_t>(rows * chunks)) {}

    RowSum& at(Index row, Index chunk) { return sums_[static_cast<std::size_t>(row * chunks_ + chunk)]; }
    std::span<const RowSum> of_row(Index row) const {
        return std::span(sums_).subspan(static_cast<std::size_t>(row * chunks_),
                                        static_cast<std::size_t>(chunks_));
    }

private:
    Index chunks_;
    std::vector<RowSum> sums_;
};

/// Powers of the chunks from `first` to before `end`; take(row, chunk) sees each row of those that the mask
/// does not forbid.
template <class Take>
void walk_chunks(HeadRows& rows, Index first, Index end, ChunkSums& sums, const Take& take) {
    for (Index chunk = first; chunk < end; ++chunk) {
        Interruption::check();
        if (rows.multiply(chunk))
            for (Index row = 0; row < rows.count(); ++row) {
                sums.at(row, chunk) = rows.exponentiate(row);
                take(row, chunk);
            }
    }
}

std::vector<RowSum> whole_rows(const HeadRows& rows, const ChunkSums& sums) {
    std::vector<RowSum> whole;
    for (Index row = 0; row < rows.count(); ++row)
        whole.push_back(rows.whole(sums.of_row(row)));
    return whole;
}

/// What a block has of a row and a chunk and the mask allows: `count` keys from the chunk's `first` one on,
/// which are `cells` of the block.
struct Run {
    Index first, count;
    double* cells;
};

Run run_of(const HeadRows& rows, Index row, Index chunk, const MapBlock& block, double* to) {
    const Index before = block.first_column - chunk * PackedKeys::chunk;
    const BandMask::Keys allowed = rows.allowed(row, chunk);
    const Index first = std::max(allowed.begin, before);
    const Index count = std::min(allowed.end, before + block.columns) - first;
    if (count <= 0)
        return {0, 0, to};
    return {first, count, to + row * block.columns + first - before};
}

/// A block of the rows that have begun, where it is not 0.
void write_weights(HeadRows& rows, Index chunks, const MapBlock& block, KnownRows<RowSum>& known,
                   double* to) {
    const Index first = block.first_column / PackedKeys::chunk;
    const Index end = parts_of_size(block.first_column + block.columns, PackedKeys::chunk);
    std::vector<RowSum> whole(static_cast<std::size_t>(block.rows));
    const bool is_known = known.find(block.first_row, whole);
    ChunkSums sums(block.rows, chunks);
    walk_chunks(rows, is_known ? first : 0, is_known ? end : chunks, sums, [&](Index row, Index chunk) {
        const Run run = run_of(rows, row, chunk, block, to);
        std::copy_n(rows.powers(row).data() + run.first, run.count, run.cells);
    });
    if (!is_known) {
        whole = whole_rows(rows, sums);
        known.keep(block.first_row, whole);
    }
    for (Index row = 0; row < block.rows; ++row)
        for (Index chunk = first; chunk < end; ++chunk) {
            const double share = HeadRows::share(sums.at(row, chunk), whole[static_cast<std::size_t>(row)]);
            const Run run = run_of(rows, row, chunk, block, to);
            for (Index key = 0; key < run.count; ++key)
                run.cells[key] *= share;
        }
}

/// The powers of a cell's keys in one row. They are at most 1, and cells are drawn as floats, so that all of
/// a batch stay in the cache until the sum of their row is known.
struct FoldedPowers {
    float maximum = 0, sum = 0;

    void add(const FoldedPowers& other) {
        maximum = std::max(maximum, other.maximum);
        sum += other.sum;
    }
};

template <Index count>
FoldedPowers folded_powers(const double* powers) {
    double sum = 0, maximum = 0;
#pragma omp simd reduction(+ : sum) reduction(max : maximum)
    for (Index key = 0; key < count; ++key) {
        sum += powers[key];
        maximum = powers[key] > maximum ? powers[key] : maximum;
    }
    return {static_cast<float>(maximum), static_cast<float>(sum)};
}

/// Every `width` powers of a chunk's row. The pieces are of lengths that the compiler knows.
void fold_powers(std::span<const double> powers, Index width, FoldedPowers* to) {
    const Index keys = std::ssize(powers);
    for (Index first = 0; first < keys; first += width, ++to) {
        const double *at = powers.data() + first, *const end = at + std::min(width, keys - first);
        *to = {};
        for (; end - at >= 16; at += 16)
            to->add(folded_powers<16>(at));
        for (; end - at >= 8; at += 8)
            to->add(folded_powers<8>(at));
        for (; at < end; ++at)
            to->add(folded_powers<1>(at));
    }
}

/// Adds the weights of a chunk's row to its cells. Where the mask forbids all or the sum is NaN, the numbers
/// of a cell are the zeros of forbidden keys.
void add_weights(const FoldedPowers* powers, double share, BandMask::Keys allowed, Index keys, Index width,
                 FoldedCell* to) {
    const bool has_weights = allowed.begin < allowed.end && !std::isnan(share);
    for (Index first = 0; first < keys; first += width, ++powers, ++to) {
        const Index end = std::min(first + width, keys);
        if (has_weights) {
            to->add({powers->maximum * share, powers->sum * share, static_cast<double>(end - first)});
            continue;
        }
        const Index looked_at =
            std::max<Index>(std::min(allowed.end, end) - std::max(allowed.begin, first), 0);
        if (const Index zeros = end - first - looked_at; zeros > 0)
            to->add({0, 0, static_cast<double>(zeros)});
    }
}

}  // namespace

Extents recomputed_extents(const Extents& queries, const Extents& keys) {
    // In both, `queries` counts tokens and `keys` the width.
    const auto same = [](const char* what, Index a, Index b) {
        if (a != b)
            refuse_terms(what, "as many for keys as for queries, " + std::to_string(a), std::to_string(b));
    };
    same("layers", queries.layers, keys.layers);
    same("tokens", queries.queries, keys.queries);
    same("width of a head", queries.keys, keys.keys);
    if (keys.heads == 0 || queries.heads % keys.heads != 0)
        refuse_terms("heads of keys",
                     "a number that divides the " + std::to_string(queries.heads) + " of queries",
                     std::to_string(keys.heads));
    return {queries.layers, queries.heads, queries.queries, keys.queries};
}

QueryKeyMaps::QueryKeyMaps(std::shared_ptr<const MapSource> queries, std::shared_ptr<const MapSource> keys,
                           QueryKeyTerms terms)
    : MapSource(recomputed_extents(queries->extents(), keys->extents())), queries_(std::move(queries)),
      keys_(std::move(keys)), terms_(std::move(terms)),
      kernels_(kernels::table<double>(kernels::chosen_level())), packed_(most_bytes_of_keys),
      sums_(most_bytes_of_sums) {
    require_each_layer("windows", terms_.windows, extents());
    require_each_layer("sinks", terms_.sinks, extents());
    for (const auto& sinks : terms_.sinks)
        if (std::ssize(sinks) != extents().heads)
            refuse_terms("sinks", "one for each of " + std::to_string(extents().heads) + " heads",
                         std::to_string(sinks.size()));
}

HeadTerms QueryKeyMaps::terms_of(MapPlace place) const {
    const auto window = terms_.windows.empty() ? std::nullopt : of_layer(terms_.windows, place.layer);
    const double sink = terms_.sinks.empty()
                            ? -std::numeric_limits<double>::infinity()
                            : of_layer(terms_.sinks, place.layer)[static_cast<std::size_t>(place.head)];
    return {terms_.scale, BandMask(extents().keys, terms_.causal, window), terms_.softcap, sink};
}

MapPlace QueryKeyMaps::key_place(MapPlace place) const {
    return {place.layer, place.head / (extents().heads / keys_->extents().heads)};
}

ScoreFactors QueryKeyMaps::factors(MapPlace place) const {
    return {queries_, keys_, place, key_place(place), terms_.scale, terms_.softcap};
}

KeyRange QueryKeyMaps::allowed_keys(MapPlace place, Index query) const {
    return terms_of(place).mask.keys_of(query);
}

std::shared_ptr<const PackedKeys> QueryKeyMaps::keys_of(MapPlace place) const {
    place = key_place(place);
    if (auto known = packed_.find(place))
        return known;
    auto packed = std::make_shared<const PackedKeys>(*keys_, place, kernels_);
    return packed_.keep(place, packed, packed->bytes());
}

std::shared_ptr<KnownRows<RowSum>> QueryKeyMaps::sums_of(MapPlace place) const {
    if (auto known = sums_.find(place))
        return known;
    auto sums = std::make_shared<KnownRows<RowSum>>(extents().queries);
    return sums_.keep(place, sums, sums->bytes());
}

void QueryKeyMaps::read_rows(MapPlace place, Index first, Index count, std::span<double> to) const {
    read_block(place, {first, count, 0, extents().keys}, to);
}

void QueryKeyMaps::read_block(MapPlace place, const MapBlock& block, std::span<double> to) const {
    std::fill_n(to.begin(), block.size(), 0);
    const HeadTerms terms = terms_of(place);
    if (block.size() == 0 || terms.mask.coverage(block) == BandMask::Coverage::none)
        return;
    const auto packed = keys_of(place);
    const auto known = sums_of(place);
    HeadRows rows(*queries_, place, *packed, terms, kernels_);
    for (Index done = 0; done < block.rows; done += HeadRows::most) {
        MapBlock part = block;
        part.first_row += done;
        part.rows = std::min(HeadRows::most, block.rows - done);
        if (terms.mask.coverage(part) == BandMask::Coverage::none)
            continue;
        rows.begin(part.first_row, part.rows);
        write_weights(rows, packed->chunks(), part, *known, to.data() + done * block.columns);
    }
}

void QueryKeyMaps::read_folded(MapPlace place, Index first, Index count, Index width,
                               std::span<FoldedCell> to) const {
    const auto packed = keys_of(place);
    const auto known = sums_of(place);
    const HeadTerms terms = terms_of(place);
    const Index cells = parts_of_size(extents().keys, width);
    std::fill_n(to.begin(), parts_of_size(count, width) * cells, FoldedCell());
    HeadRows rows(*queries_, place, *packed, terms, kernels_);
    std::vector<FoldedPowers> powers(static_cast<std::size_t>(std::min(HeadRows::most, count) * cells));
    for (Index done = 0; done < count; done += HeadRows::most) {
        rows.begin(first + done, std::min(HeadRows::most, count - done));
        const auto powers_of = [&](Index row, Index chunk) {
            return powers.data() + row * cells + chunk * (PackedKeys::chunk / width);
        };
        ChunkSums sums(rows.count(), packed->chunks());
        walk_chunks(rows, 0, packed->chunks(), sums, [&](Index row, Index chunk) {
            fold_powers(rows.powers(row), width, powers_of(row, chunk));
        });
        const auto whole = whole_rows(rows, sums);
        known->keep(first + done, whole);
        for (Index row = 0; row < rows.count(); ++row)
            for (Index chunk = 0; chunk < packed->chunks(); ++chunk)
                add_weights(powers_of(row, chunk),
                            HeadRows::share(sums.at(row, chunk), whole[static_cast<std::size_t>(row)]),
                            rows.allowed(row, chunk), packed->keys_of(chunk), width,
                            to.data() + (done + row) / width * cells + chunk * (PackedKeys::chunk / width));
    }
}

std::optional<ScoreFactors> score_factors(const MapSource& maps, MapPlace place) {
    if (const auto* recomputed = dynamic_cast<const QueryKeyMaps*>(&maps))
        return recomputed->factors(place);
    if (const auto* joined = dynamic_cast<const JoinedMaps*>(&maps)) {
        const MapSource& part = joined->part_of(place);
        return score_factors(part, place);
    }
    return std::nullopt;
}

}  // namespace headlight
