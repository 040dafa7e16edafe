#include "core/kernels/draw_key.h"

#include "core/tensor/random.h"

namespace headlight::kernels {

double chance_of_draw(std::uint64_t stream, Index query, Index draw) {
    const std::uint64_t of_query = substream(stream, static_cast<std::uint64_t>(query));
    return uniform(substream(of_query, static_cast<std::uint64_t>(draw)));
}

template <class Real>
Index draw_key(const Real* weights, Index count, std::uint64_t stream, Index query, Index draw) {
    double left = chance_of_draw(stream, query, draw);
    Index last = 0;
    for (Index key = 0; key < count; ++key) {
        const auto weight = static_cast<double>(weights[key]);
        if (weight <= 0)
            continue;
        last = key;
        left -= weight;
        if (left < 0)
            break;
    }
    return last;
}

template Index draw_key<float>(const float*, Index, std::uint64_t, Index, Index);
template Index draw_key<double>(const double*, Index, std::uint64_t, Index, Index);

}  // namespace headlight::kernels
