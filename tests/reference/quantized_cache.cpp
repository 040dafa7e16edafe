#include "tests/reference/quantized_cache.h"

#include "tests/reference/mixed_heads.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// In place.
void round_to_bits(std::vector<Number*> numbers, std::size_t bits) {
    Number low = *numbers.front(), high = low;
    for (const Number* number : numbers) {
        low = std::min(low, *number);
        high = std::max(high, *number);
    }
    const Number step = (high - low) / (std::exp2(static_cast<Number>(bits)) - 1);
    for (Number* number : numbers)
        if (step != 0)
            *number = low + step * std::floor((*number - low) / step + Number(0.5));
}

}  // namespace

HeadResult quantized_cache(const Head& head, const QuantizedCache& cache) {
    Matrix q = head.q, k = head.k, v = head.v;
    const auto seen =
        static_cast<std::size_t>(std::count(head.allowed.front().begin(), head.allowed.front().end(), true));
    const std::size_t old = seen - std::min(seen, cache.recent);
    Row mean(k.cols, Number(0));
    for (std::size_t token = 0; token < seen && cache.is_smooth; ++token)
        for (std::size_t c = 0; c < k.cols; ++c)
            mean[c] += k(token, c) / static_cast<Number>(seen);
    const auto round_row = [&](Matrix& x, std::size_t token) {
        std::vector<Number*> numbers;
        for (std::size_t c = 0; c < x.cols; ++c)
            numbers.push_back(&x(token, c));
        round_to_bits(numbers, cache.bits);
    };
    for (std::size_t token = 0; token < q.rows && cache.rounds_queries; ++token)
        round_row(q, token);
    for (std::size_t token = 0; token < old; ++token) {
        if (cache.rounds_values)
            round_row(v, token);
        if (cache.by_channel)
            continue;
        for (std::size_t c = 0; c < k.cols; ++c)
            k(token, c) -= mean[c];
        round_row(k, token);
        for (std::size_t c = 0; c < k.cols; ++c)
            k(token, c) += mean[c];
    }
    for (std::size_t begin = 0; begin < old && cache.by_channel; begin += cache.group)
        for (std::size_t c = 0; c < k.cols; ++c) {
            std::vector<Number*> numbers;
            for (std::size_t token = begin; token < std::min(begin + cache.group, old); ++token)
                numbers.push_back(&k(token, c));
            round_to_bits(numbers, cache.bits);
        }
    return weighed_attention(head, q, k, v, cache.weigh);
}

}  // namespace headlight::reference
