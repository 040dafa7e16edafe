#include "core/map/hidden_keys.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headlight {
namespace {

constexpr double nothing_left = std::numeric_limits<double>::quiet_NaN();

double size_of(double weight) { return std::isfinite(weight) ? std::abs(weight) : 0; }

double mass_of(std::span<const double> weights) {
    const double* weight = weights.data();
    const Index count = std::ssize(weights);
    double mass = 0;
#pragma omp simd reduction(+ : mass)
    for (Index i = 0; i < count; ++i)
        mass += size_of(weight[i]);
    return mass;
}

/// Mean over the rows that have weights.
double hidden_mass_of(std::span<const RestOfRow> rows) {
    double sum = 0;
    Index counted = 0;
    for (const RestOfRow& row : rows)
        if (!std::isnan(row.hidden)) {
            sum += row.hidden;
            ++counted;
        }
    return sum / static_cast<double>(std::max<Index>(1, counted));
}

}  // namespace

RestOfRow rest_of_row(std::span<const double> row, std::span<const Index> keys) {
    // The rest is added up by itself: beside a sink, what is left is too little to be a difference.
    double hidden = 0, rest = 0;
    std::size_t done = 0;
    for (const Index key : keys) {
        if (key < 0 || key >= std::ssize(row))
            continue;
        const auto at = static_cast<std::size_t>(key);
        rest += mass_of(row.subspan(done, at - done));
        hidden += size_of(row[at]);
        done = at + 1;
    }
    rest += mass_of(row.subspan(done));
    const double whole = rest + hidden;
    if (!(whole > 0))
        return {1, nothing_left};
    return {rest > 0 ? whole / rest : nothing_left, hidden / whole};
}

void hide_keys(std::span<double> row, std::span<const Index> keys, const RestOfRow& rest, Index first) {
    for (double& weight : row)
        weight *= rest.factor;
    for (const Index key : keys)
        if (key >= first && key < first + std::ssize(row))
            row[static_cast<std::size_t>(key - first)] = nothing_left;
}

MapWithoutKeys without_keys(const Storage<const double>& weights, Index rows, Index columns,
                            std::span<const Index> keys) {
    std::vector<double> left = weights.copy();
    std::vector<RestOfRow> rests;
    for (Index row = 0; row < rows; ++row) {
        const auto numbers = std::span(left).subspan(static_cast<std::size_t>(row * columns),
                                                     static_cast<std::size_t>(columns));
        rests.push_back(rest_of_row(numbers, keys));
        hide_keys(numbers, keys, rests.back());
    }
    return {std::move(left), hidden_mass_of(rests)};
}

MapsWithoutKeys::MapsWithoutKeys(std::shared_ptr<const MapSource> maps, std::vector<Index> keys)
    : ForwardingMaps(maps->extents(), {maps}), maps_(std::move(maps)), keys_(std::move(keys)),
      rests_(std::size_t(32) << 20) {}

std::shared_ptr<MapsWithoutKeys::Rests> MapsWithoutKeys::rests_of(MapPlace place) const {
    if (auto known = rests_.find(place))
        return known;
    auto rests = std::make_shared<Rests>(extents().queries);
    const std::size_t bytes = rests->bytes();
    return rests_.keep(place, std::move(rests), bytes);
}

void MapsWithoutKeys::read_rows(MapPlace place, Index first, Index count, std::span<double> to) const {
    maps_->read_rows(place, first, count, to);
    const auto keys = static_cast<std::size_t>(extents().keys);
    std::vector<RestOfRow> rests(static_cast<std::size_t>(count));
    for (std::size_t row = 0; row < rests.size(); ++row) {
        const auto numbers = to.subspan(row * keys, keys);
        rests[row] = rest_of_row(numbers, keys_);
        hide_keys(numbers, keys_, rests[row]);
    }
    rests_of(place)->keep(first, rests);
}

void MapsWithoutKeys::read_block(MapPlace place, const MapBlock& block, std::span<double> to) const {
    std::vector<RestOfRow> rests(static_cast<std::size_t>(block.rows));
    if (block.columns == extents().keys || !rests_of(place)->find(block.first_row, rests))
        return MapSource::read_block(place, block, to);
    maps_->read_block(place, block, to);
    const auto columns = static_cast<std::size_t>(block.columns);
    for (std::size_t row = 0; row < rests.size(); ++row)
        hide_keys(to.subspan(row * columns, columns), keys_, rests[row], block.first_column);
}

std::optional<double> MapsWithoutKeys::hidden_mass(MapPlace place) const {
    std::vector<RestOfRow> rests(static_cast<std::size_t>(extents().queries));
    const auto known = rests_.find(place);
    return known && known->find(0, rests) ? std::optional(hidden_mass_of(rests)) : std::nullopt;
}

}  // namespace headlight
