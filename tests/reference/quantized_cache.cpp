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
    Matrix k = head.k, v = head.v;
    const auto round_row = [&](Matrix& x, std::size_t token) {
        std::vector<Number*> numbers;
        for (std::size_t c = 0; c < x.cols; ++c)
            numbers.push_back(&x(token, c));
        round_to_bits(numbers, cache.bits);
    };
    for (std::size_t token = 0; token < v.rows; ++token) {
        round_row(v, token);
        if (!cache.by_channel)
            round_row(k, token);
    }
    const auto seen =
        static_cast<std::size_t>(std::count(head.allowed.front().begin(), head.allowed.front().end(), true));
    for (std::size_t begin = 0; begin < seen && cache.by_channel; begin += cache.group)
        for (std::size_t c = 0; c < k.cols; ++c) {
            std::vector<Number*> numbers;
            for (std::size_t token = begin; token < std::min(begin + cache.group, seen); ++token)
                numbers.push_back(&k(token, c));
            round_to_bits(numbers, cache.bits);
        }
    return weighed_attention(head, head.q, k, v, cache.weigh);
}

}  // namespace headlight::reference
