#include "tests/oracle/head_numbers.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {
namespace {

/// Which of so many tokens behind the first are kept, by their significance: inverse transform sampling at
/// fixed points (Fayyaz et al. 2022, and their code).
std::vector<bool> sampled_tokens(const reference::Row& significance, std::size_t points) {
    const std::size_t count = significance.size();
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t token) { return significance[token]; });
    const Number total = std::accumulate(significance.begin(), significance.end(), Number(0));
    reference::Row sums;  // of the tokens in their order
    Number sum = 0;
    for (const std::size_t token : order)
        sums.push_back(sum += significance[token] / total);
    const Number least = sums.front(), range = sums.back() - sums.front();
    Number first = 1;
    for (Number& each : sums) {
        each = (each - least) / range;
        if (each > 0)
            first = std::min(first, each);
    }
    std::vector<bool> kept(count, false);
    const std::size_t left_out = count > points ? count - points : 0;
    for (std::size_t point = 0; point < points; ++point) {
        const Number at = first + (1 - first) * static_cast<Number>(point) / static_cast<Number>(points - 1);
        std::size_t nearest = left_out;
        for (std::size_t place = left_out; place < count; ++place)
            if (std::abs(sums[place] - at) < std::abs(sums[nearest] - at))
                nearest = place;
        kept[order[nearest]] = true;
    }
    return kept;
}

}  // namespace

void oracle_algorithms_token_sampling(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm_of_all_heads =
        [points = count_option(parts, "points")](const std::vector<reference::Head>& heads) {
            const reference::Head& any = heads.front();
            std::size_t real = 0;
            while (real < any.k.rows && any.allowed[0][real])
                ++real;
            std::vector<reference::HeadResult> results;
            for (const reference::Head& head : heads) {
                results.push_back({reference::Matrix(head.q.rows, head.k.rows),
                                   reference::Matrix(head.q.rows, head.v.cols)});
                for (std::size_t i = 0; i < head.q.rows; ++i) {
                    reference::Row scores(head.k.rows, 0);
                    for (std::size_t j = 0; j < real; ++j)
                        scores[j] = reference::product(head.q.row(i), head.k.row(j)) /
                                    std::sqrt(static_cast<Number>(head.q.cols));
                    const reference::Row weights = reference::softmax(scores, head.allowed[i], 1);
                    std::ranges::copy(weights, results.back().weights.values.begin() +
                                                   static_cast<std::ptrdiff_t>(i * head.k.rows));
                }
            }
            std::vector<bool> kept(any.q.rows, false);
            std::fill_n(kept.begin(), std::min<std::size_t>(real, real > 2 ? 1 : 2), true);
            if (real > 2) {
                reference::Row significance;
                for (std::size_t j = 1; j < real; ++j) {
                    Number weight = 0, square = 0;
                    for (std::size_t h = 0; h < heads.size(); ++h) {
                        weight += results[h].weights(0, j);
                        square += reference::product(heads[h].v.row(j), heads[h].v.row(j));
                    }
                    significance.push_back(weight * std::sqrt(square));
                }
                const std::vector<bool> sampled = sampled_tokens(significance, points);
                std::copy(sampled.begin(), sampled.end(), kept.begin() + 1);
            }
            for (std::size_t h = 0; h < heads.size(); ++h)
                for (std::size_t i = 0; i < any.q.rows; ++i)
                    for (std::size_t j = 0; j < any.k.rows; ++j) {
                        Number& weight = results[h].weights(i, j);
                        weight = kept[i] ? weight : 0;
                        for (std::size_t c = 0; c < heads[h].v.cols && j < real; ++c)
                            results[h].context(i, c) += weight * heads[h].v(j, c);
                    }
            return results;
        };
}

Settings settings_algorithms_token_sampling() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "algorithm": {"type": "token_sampling", "points": 3}})",
        R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
            "algorithm": {"type": "token_sampling", "points": 4}})",
        R"({"mask": {"type": "padding", "key_lengths": 3}, "algorithm": {"type": "token_sampling"}})"};
}

}  // namespace headlight
