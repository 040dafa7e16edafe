#include "tests/reference/eviction.h"

#include "tests/reference/softmax.h"

#include <algorithm>

namespace headlight::reference {
namespace {

/// Votes are compared as the engine has them, to which what has vanished from a double is 0: keys that nobody
/// looks at are alike, and the first stays.
double as_double(Number votes) { return static_cast<double>(votes); }

/// What a query gives to each key, in the mean of the heads.
Row mean_looks(const std::vector<Matrix>& scores, std::size_t query, const std::vector<bool>& kept,
               Number temperature) {
    Row mean(scores.front().cols, Number(0));
    for (const Matrix& of_head : scores) {
        const Row looks = softmax(of_head.row(query), kept, temperature);
        for (std::size_t j = 0; j < mean.size(); ++j)
            mean[j] += looks[j] / static_cast<Number>(scores.size());
    }
    return mean;
}

}  // namespace

Allowed left_in_cache(const std::vector<Matrix>& scores, const Allowed& allowed, const Eviction& eviction) {
    const std::size_t m = scores.front().cols;
    Allowed kept = allowed;
    std::vector<bool> has_come(m, false), is_dropped(m, false);
    Row votes(m, Number(0));
    for (std::size_t i = 0; i < scores.front().rows; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
            has_come[j] = has_come[j] || allowed[i][j];
            kept[i][j] = allowed[i][j] && !is_dropped[j];
        }
        const Row looks = mean_looks(scores, i, kept[i], eviction.temperature);
        for (std::size_t j = 0; j < m; ++j)
            votes[j] = looks[j] + (eviction.accumulates ? votes[j] : 0);
        std::vector<std::size_t> cache;
        for (std::size_t j = 0; j < m; ++j)
            if (has_come[j] && !is_dropped[j])
                cache.push_back(j);
        std::vector<std::size_t> come;
        for (std::size_t j = 0; j < m; ++j)
            if (has_come[j])
                come.push_back(j);
        const std::size_t recent = std::min({eviction.recent, eviction.budget, come.size()});
        const std::vector<std::size_t> newest(come.end() - static_cast<std::ptrdiff_t>(recent), come.end());
        const auto is_newest = [&](std::size_t j) { return std::ranges::find(newest, j) != newest.end(); };
        std::ranges::stable_sort(cache, [&](std::size_t a, std::size_t b) {
            if (is_newest(a) != is_newest(b))
                return is_newest(a);
            return !is_newest(a) && as_double(votes[a]) > as_double(votes[b]);
        });
        for (std::size_t place = eviction.budget; place < cache.size(); ++place)
            is_dropped[cache[place]] = true;
    }
    return kept;
}

Allowed left_of_prompt(const std::vector<Matrix>& scores, const Allowed& allowed,
                       const PromptEviction& eviction) {
    const std::size_t n = scores.front().rows, m = scores.front().cols;
    const std::size_t prompt = std::min(eviction.prompt, n),
                      window = std::clamp<std::size_t>(eviction.window, 1, prompt), prefix = prompt - window;
    Row votes(m, Number(0));
    for (std::size_t i = prefix; i < prompt; ++i) {
        const Row looks = mean_looks(scores, i, allowed[i], eviction.temperature);
        for (std::size_t j = 0; j < m; ++j)
            votes[j] += looks[j];
    }
    const std::size_t reach = eviction.pooling / 2;
    std::vector<std::size_t> order;
    Row pooled(m, Number(0));
    for (std::size_t j = 0; j < std::min(prefix, m); ++j) {
        order.push_back(j);
        for (std::size_t l = 0; l < std::min(prefix, m); ++l)
            if (std::max(j, l) - std::min(j, l) <= reach)
                pooled[j] += votes[l] / static_cast<Number>(2 * reach + 1);
    }
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return as_double(pooled[a]) > as_double(pooled[b]); });
    Allowed kept = allowed;
    for (std::size_t place = eviction.budget > window ? eviction.budget - window : 0; place < order.size();
         ++place)
        for (std::size_t i = prompt; i < n; ++i)
            kept[i][order[place]] = false;
    return kept;
}

}  // namespace headlight::reference
