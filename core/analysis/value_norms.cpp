#include "core/analysis/value_norms.h"

#include "core/attention/vector_length.h"
#include "core/map/derived_maps.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

void require_pair(const Tensor& weights, const Tensor& transformed) {
    if (weights.rank() != 3 || transformed.rank() != 3 || weights.extent(0) != transformed.extent(0) ||
        weights.extent(2) != transformed.extent(1))
        throw Error({"value-weighted norms", "", "weights [h, n, m] and transformed values [h, m, d]",
                     to_string(weights.shape()) + " and " + to_string(transformed.shape())});
}

}  // namespace

Tensor transformed_values(const Tensor& value, const Tensor& output_matrix) {
    const Index kv_heads = value.rank() == 3 ? value.extent(0) : 0;
    const Index keys = kv_heads ? value.extent(1) : 0, width = kv_heads ? value.extent(2) : 0;
    const Index heads = width ? output_matrix.rows() / width : 0;
    if (!heads || output_matrix.rows() != heads * width || heads % kv_heads != 0)
        throw Error({"transformed values", "", "values [g, m, d_v] and a matrix [h d_v, d_out], g dividing h",
                     to_string(value.shape()) + " and " + to_string(output_matrix.shape())});
    const Index out = output_matrix.cols();
    Tensor transformed({heads, keys, out});
    for (Index head = 0; head < heads; ++head)
        for (Index key = 0; key < keys; ++key)
            for (Index from = 0; from < width; ++from) {
                const double v = value[(head / (heads / kv_heads) * keys + key) * width + from];
                for (Index to = 0; to < out; ++to)
                    transformed[(head * keys + key) * out + to] += v * output_matrix(head * width + from, to);
            }
    return transformed;
}

Tensor norms_of_keys(const Tensor& transformed) {
    Tensor norms({transformed.extent(0), transformed.extent(1)});
    const Index width = transformed.extent(2);
    for (Index key = 0; key < norms.size(); ++key)
        norms[key] = length_of(transformed.data() + key * width, width).value();
    return norms;
}

Tensor value_weighted_norms(const Tensor& weights, const Tensor& transformed) {
    require_pair(weights, transformed);
    const Index queries = weights.extent(1), keys = weights.extent(2);
    const Tensor of_keys = norms_of_keys(transformed);
    Tensor norms = weights;
    for (Index row = 0; row < norms.size() / keys; ++row)
        to_sizes_times(
            norms.values().subspan(static_cast<std::size_t>(row * keys), static_cast<std::size_t>(keys)),
            of_keys.row(row / queries));
    return norms;
}

Tensor summed_value_norms(const Tensor& weights, const Tensor& transformed) {
    require_pair(weights, transformed);
    const Index heads = weights.extent(0), queries = weights.extent(1), keys = weights.extent(2),
                width = transformed.extent(2);
    Tensor norms({queries, keys});
    std::vector<double> given(static_cast<std::size_t>(width));
    for (Index cell = 0; cell < norms.size(); ++cell) {
        std::fill(given.begin(), given.end(), 0.0);
        for (Index head = 0; head < heads; ++head)
            for (Index to = 0; to < width; ++to)
                given[static_cast<std::size_t>(to)] += weights[head * norms.size() + cell] *
                                                       transformed[(head * keys + cell % keys) * width + to];
        norms[cell] = length_of(given.data(), width).value();
    }
    return norms;
}

}  // namespace headlight
