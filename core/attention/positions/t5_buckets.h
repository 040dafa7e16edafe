#pragma once

#include "core/tensor/error.h"
#include "core/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headlight {

/// Which row of the table a distance reads (Raffel et al. 2020, section 2.1; the authors'
/// _relative_position_bucket).
struct T5Buckets {
    Index all = 32;
    Index max_distance = 128;
    bool is_bidirectional = true;

    Index of_each_side() const { return is_bidirectional ? all / 2 : all; }
    Index exact() const { return of_each_side() / 2; }

    Index operator()(Index key_minus_query) const {
        const Index side = is_bidirectional && key_minus_query > 0 ? of_each_side() : 0;
        const Index distance =
            is_bidirectional ? std::abs(key_minus_query) : std::max<Index>(-key_minus_query, 0);
        if (distance < exact())
            return side + distance;
        const auto ratio = [&](Index of) { return static_cast<double>(of) / static_cast<double>(exact()); };
        const double share = std::log(ratio(distance)) / std::log(ratio(max_distance));
        // A distance on the border belongs to the farther bucket, however the logarithms round.
        const double step = std::floor(share * static_cast<double>(of_each_side() - exact()) + 1e-9);
        return side + std::min(exact() + static_cast<Index>(step), of_each_side() - 1);
    }
};

/// Throws Error, of the position `what`, where its options `all` and `most` make no such buckets.
inline void require_buckets(const T5Buckets& given, const std::string& what, const std::string& all,
                            const std::string& most) {
    if (given.is_bidirectional && given.all % 2 != 0)
        throw Error(
            {what, "position." + all, "an even number, half for each direction", std::to_string(given.all)});
    if (given.max_distance <= given.exact())
        throw Error(
            {what, "position." + most,
             "more than the " + std::to_string(given.exact()) + " distances with a bucket of their own",
             std::to_string(given.max_distance)});
}

}  // namespace headlight
