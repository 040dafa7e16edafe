#include "core/analysis/value_norms.h"

#include "core/attention/vector_length.h"
#include "core/tensor/error.h"

namespace headlight {

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

}  // namespace headlight
