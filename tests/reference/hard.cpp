#include "tests/reference/hard.h"

#include "tests/reference/splitmix.h"

namespace headlight::reference {
Row hard_argmax(const Row& scores, const std::vector<bool>& allowed) {
    Row weights(scores.size(), Number(0));
    std::size_t best = scores.size();
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j] && (best == scores.size() || scores[j] > scores[best]))
            best = j;
    if (best < scores.size())
        weights[best] = 1;
    return weights;
}

Row hard_sample(const Row& weights, Number u) {
    Row chosen(weights.size(), Number(0));
    std::size_t key = weights.size();
    Number sum = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
        if (weights[j] == 0)
            continue;
        key = j;
        sum += weights[j];
        if (sum > u)
            break;
    }
    if (key < weights.size())
        chosen[key] = 1;
    return chosen;
}

std::uint64_t seed_of_map(std::uint64_t seed, std::size_t map) {
    return map == 0 ? seed : random_bits(seed, ~std::uint64_t(0), map);
}

Number uniform(std::uint64_t seed, std::uint64_t head, std::uint64_t query, std::uint64_t draw) {
    const std::uint64_t bits = child(child(child(seed, head), query), draw);
    return static_cast<Number>(bits >> 11) /
           9007199254740992.0;  // 2^53: every double in [0, 1) of that spacing
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t first, std::uint64_t second) {
    return child(child(seed, first), second);
}

}  // namespace headlight::reference
