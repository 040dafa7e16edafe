#include "core/map/head_rows.h"

#include "core/attention/soft_cap.h"
#include "core/tensor/extents.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

}  // namespace

PackedKeys::PackedKeys(const MapSource& keys, MapPlace place, const kernels::Table<double>& kernels)
    : tokens_(keys.extents().queries), width_(keys.extents().keys) {
    const Index size = kernels::packed_size<double>(width_, chunk);
    require_memory("recompute maps", "keys of a head", elements(sizeof(double), chunks(), size));
    numbers_ = Storage<double>(chunks() * size);
    std::vector<double> rows(static_cast<std::size_t>(chunk * width_));
    for (Index number = 0; number < chunks(); ++number) {
        keys.read_rows(place, number * chunk, keys_of(number), rows);
        kernels.pack(row_major<const double>(rows.data(), keys_of(number), width_).transposed(),
                     numbers_.data() + number * size);
    }
}

kernels::Packed<double> PackedKeys::operator[](Index number) const {
    return {numbers_.data() + number * kernels::packed_size<double>(width_, chunk), width_, keys_of(number)};
}

HeadRows::HeadRows(const MapSource& queries, MapPlace place, const PackedKeys& keys, const HeadTerms& terms,
                   const kernels::Table<double>& kernels)
    : queries_(queries), place_(place), keys_(keys), terms_(terms), kernels_(kernels),
      width_(queries.extents().keys), numbers_(static_cast<std::size_t>(most * width_)),
      powers_(most * PackedKeys::chunk) {}

void HeadRows::begin(Index first, Index count) {
    first_ = first;
    count_ = count;
    queries_.read_rows(place_, first, count, numbers_);
    for (double& number : std::span(numbers_).first(static_cast<std::size_t>(count * width_)))
        number *= terms_.scale;
}

bool HeadRows::multiply(Index chunk) {
    const MapBlock block{first_, count_, chunk * PackedKeys::chunk, keys_.keys_of(chunk)};
    if (terms_.mask.coverage(block) == BandMask::Coverage::none)
        return false;
    chunk_ = chunk;
    kernels::Product<double> product;
    product.left = row_major<const double>(numbers_.data(), count_, width_);
    product.right = keys_[chunk];
    product.out = row_major(powers_.data(), count_, PackedKeys::chunk).column_range(0, block.columns);
    kernels_.multiply(product);
    return true;
}

BandMask::Keys HeadRows::allowed(Index row, Index chunk) const {
    const BandMask::Keys keys = terms_.mask.keys_of(first_ + row);
    const Index first = chunk * PackedKeys::chunk, count = keys_.keys_of(chunk);
    const Index begin = std::clamp<Index>(keys.begin - first, 0, count);
    return {begin, std::clamp<Index>(keys.end - first, begin, count)};
}

RowSum HeadRows::exponentiate(Index row) {
    const BandMask::Keys keys = allowed(row, chunk_);
    double* scores = powers_.data() + row * PackedKeys::chunk;
    std::fill(scores, scores + keys.begin, 0);
    std::fill(scores + keys.end, scores + keys_.keys_of(chunk_), 0);
    scores += keys.begin;
    const Index count = keys.end - keys.begin;
    if (terms_.softcap)
        to_soft_capped(scores, count, *terms_.softcap, kernels_);
    RowSum sum{kernels_.maximum(scores, count), 0};
    if (sum.largest > minus_infinity)
        sum.sum = kernels_.exponentials(scores, count, sum.largest, 1);
    else
        for (Index key = 0; key < count; ++key)  // e^-infinity; a maximum does not see what is NaN
            sum.sum += scores[key] = std::isnan(scores[key]) ? scores[key] : 0;
    return sum;
}

std::span<const double> HeadRows::powers(Index row) const {
    return powers_.span().subspan(static_cast<std::size_t>(row * PackedKeys::chunk),
                                  static_cast<std::size_t>(keys_.keys_of(chunk_)));
}

RowSum HeadRows::whole(std::span<const RowSum> chunks) const {
    RowSum whole{terms_.sink, 0};
    for (const RowSum& chunk : chunks)
        whole.largest = std::max(whole.largest, chunk.largest);
    if (terms_.sink > minus_infinity)
        whole.sum = std::exp(terms_.sink - whole.largest);
    for (const RowSum& chunk : chunks)
        if (chunk.largest > minus_infinity)
            whole.sum += chunk.sum * std::exp(chunk.largest - whole.largest);
        else
            whole.sum += chunk.sum;
    return whole;
}

double HeadRows::share(const RowSum& chunk, const RowSum& whole) {
    if (whole.sum == 0)
        return 0;
    return std::isnan(whole.sum) ? whole.sum : std::exp(chunk.largest - whole.largest) / whole.sum;
}

}  // namespace headlight
