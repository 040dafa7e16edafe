#include "core/map/query_key_maps.h"

#include "core/attention/interruption.h"
#include "core/attention/normalizers/rows.h"
#include "core/attention/soft_cap.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <algorithm>

namespace headlight {
namespace {

using Extents = MapSource::Extents;

[[noreturn]] void refuse_terms(const std::string& where, const std::string& expected,
                               const std::string& got) {
    throw Error({"recompute maps", where, expected, got});
}

/// Of the maps that the queries and keys make; of both `queries` counts tokens and `keys` the width.
Extents extents_of_maps(const Extents& queries, const Extents& keys) {
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

}  // namespace

QueryKeyMaps::QueryKeyMaps(std::shared_ptr<const MapSource> queries, std::shared_ptr<const MapSource> keys,
                           QueryKeyTerms terms)
    : MapSource(extents_of_maps(queries->extents(), keys->extents())), queries_(std::move(queries)),
      keys_(std::move(keys)), terms_(std::move(terms)),
      kernels_(kernels::table<double>(kernels::chosen_level())) {
    require_each_layer("windows", terms_.windows, extents());
    require_each_layer("sinks", terms_.sinks, extents());
    for (const auto& sinks : terms_.sinks)
        if (std::ssize(sinks) != extents().heads)
            refuse_terms("sinks", "one for each of " + std::to_string(extents().heads) + " heads",
                         std::to_string(sinks.size()));
}

std::shared_ptr<const QueryKeyMaps::PackedKeys> QueryKeyMaps::keys_of(MapPlace place) const {
    const Extents& stored = keys_->extents();
    place.head = place.head / (extents().heads / stored.heads);
    {
        const std::lock_guard lock(mutex_);
        for (const auto& known : packed_)
            if (known->place == place)
                return known;
    }
    const Index tokens = stored.queries, width = stored.keys;
    require_memory("recompute maps", "keys of a head",
                   2.0 * sizeof(double) * static_cast<double>(tokens) * static_cast<double>(width));
    std::vector<double> rows(static_cast<std::size_t>(tokens * width));
    keys_->read_rows(place, 0, tokens, rows);
    auto packed = std::make_shared<PackedKeys>(
        PackedKeys{place, Buffer<double>(kernels::packed_size<double>(width, tokens))});
    kernels_.pack({rows.data(), width, true, width, tokens, packed->numbers.data()});
    const std::lock_guard lock(mutex_);
    constexpr std::size_t most_kept = 4;
    packed_.push_back(packed);
    if (packed_.size() > most_kept)
        packed_.pop_front();
    return packed;
}

void QueryKeyMaps::normalize(MapPlace place, Index query, std::span<double> row) const {
    const auto window = terms_.windows.empty() ? std::nullopt : of_layer(terms_.windows, place.layer);
    for (double& score : row)
        score *= terms_.scale;
    const auto size = std::ssize(row);
    if (terms_.softcap)
        to_soft_capped(row.data(), size, *terms_.softcap, kernels_);
    if (terms_.causal || window)
        std::fill(row.begin() + std::min(query + 1, size), row.end(), forbidden<double>);
    if (window)
        std::fill(row.begin(), row.begin() + std::clamp<Index>(query + 1 - *window, 0, size),
                  forbidden<double>);
    const double sink = terms_.sinks.empty()
                            ? forbidden<double>
                            : of_layer(terms_.sinks, place.layer)[static_cast<std::size_t>(place.head)];
    softmax_row(row.data(), size, kernels_, Unrecorded(), 1.0, sink);
}

void QueryKeyMaps::read_rows(MapPlace place, Index first, Index count, std::span<double> to) const {
    constexpr Index rows_at_once = 64;
    const Index keys = extents().keys, width = queries_->extents().keys;
    const auto packed = keys_of(place);
    std::vector<double> queries(static_cast<std::size_t>(std::min(count, rows_at_once) * width));
    for (Index done = 0; done < count; done += rows_at_once) {
        Interruption::check();
        const Index rows = std::min(rows_at_once, count - done);
        queries_->read_rows(place, first + done, rows, queries);
        double* out = to.data() + done * keys;
        kernels::Product<double> product;
        product.left = queries.data();
        product.left_stride = width;
        product.right = {packed->numbers.data(), width, keys};
        product.out = out;
        product.out_stride = keys;
        product.rows = rows;
        product.depth = width;
        product.columns = keys;
        kernels_.multiply(product);
        for (Index row = 0; row < rows; ++row)
            normalize(place, first + done + row, {out + row * keys, static_cast<std::size_t>(keys)});
    }
}

}  // namespace headlight
