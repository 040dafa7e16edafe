#include "core/attention/options.h"
#include "tests/oracle/head_numbers.h"
#include "tests/oracle/settings.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// The queries from `first` on that become one: those that are there, and are no padding.
reference::HeadResult answer_of_pool(const reference::Head& head, std::size_t first, std::size_t end) {
    reference::Row mean(head.q.cols), scores;
    for (std::size_t i = first; i < end; ++i)
        for (std::size_t c = 0; c < mean.size(); ++c)
            mean[c] += head.q(i, c) / static_cast<Number>(end - first);
    for (std::size_t j = 0; j < head.k.rows; ++j)
        scores.push_back(head.allowed.front()[j]
                             ? reference::product(mean, head.k.row(j)) / std::sqrt(Number(head.k.cols))
                             : 0);
    const reference::Row weights = reference::softmax(scores, head.allowed.front(), 1);
    reference::HeadResult result{reference::Matrix(1, weights.size(), weights),
                                 reference::Matrix(1, head.v.cols)};
    for (std::size_t j = 0; j < weights.size(); ++j)
        for (std::size_t c = 0; c < head.v.cols && head.allowed.front()[j]; ++c)
            result.context(0, c) += weights[j] * head.v(j, c);
    return result;
}

}  // namespace

/// Attention of means of neighbouring tokens to all tokens, repeated for each of them as the decoder repeats
/// it (Dai et al. 2020, section 2.2, "pool query only").
void oracle_algorithms_pooled_queries(const OracleParts& parts, reference::Setting& setting) {
    const std::size_t stride = count_option(parts, "stride");
    const bool separate = parts.spec.algorithm.options.flag("separate"),
               has_padding = parts.spec.source.type == SourceType::self;
    setting.algorithm = [=](const reference::Head& head) {
        const auto seen = static_cast<std::size_t>(std::ranges::count(head.allowed.front(), true));
        const std::size_t n = head.q.rows, real = has_padding ? std::min(seen, n) : n;
        reference::HeadResult result{reference::Matrix(n, head.k.rows), reference::Matrix(n, head.v.cols)};
        for (std::size_t begin = 0; begin < n;) {
            const std::size_t end = std::min(n, begin + (separate && begin == 0 ? 1 : stride));
            const reference::HeadResult pool =
                answer_of_pool(head, begin, std::max(begin, std::min(end, real)));
            for (; begin < end; ++begin) {
                for (std::size_t j = 0; j < head.k.rows; ++j)
                    result.weights(begin, j) = pool.weights(0, j);
                for (std::size_t c = 0; c < head.v.cols; ++c)
                    result.context(begin, c) = pool.context(0, c);
            }
        }
        return result;
    };
}

Settings settings_algorithms_pooled_queries() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "mask": {"type": "padding", "key_lengths": 4}, "algorithm": {"type": "pooled_queries",
            "separate": false, "stride": 3}})"};
}

}  // namespace headlight
