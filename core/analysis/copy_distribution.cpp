#include "core/analysis/copy_distribution.h"

#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

std::vector<double> copy_distribution(std::span<const double> vocabulary, std::span<const double> weights,
                                      std::span<const Index> source, double p_gen) {
    if (!(p_gen >= 0 && p_gen <= 1))
        throw Error({"copy distribution", "p_gen", "a number from 0 to 1", std::to_string(p_gen)});
    if (weights.size() != source.size())
        throw Error({"copy distribution", "weights",
                     "one for each of " + std::to_string(source.size()) + " words",
                     std::to_string(weights.size())});
    const Index most = std::ssize(vocabulary) + std::ssize(source);  // when every source word is new
    std::size_t words = vocabulary.size();
    for (const Index word : source) {
        if (word < 0 || word >= most)
            throw Error({"copy distribution", "source",
                         "numbers of words from 0 to " + std::to_string(most - 1), std::to_string(word)});
        words = std::max(words, static_cast<std::size_t>(word) + 1);
    }
    std::vector<double> distribution(words, 0.0);
    for (std::size_t word = 0; word < vocabulary.size(); ++word)
        distribution[word] = p_gen * vocabulary[word];
    for (std::size_t j = 0; j < source.size(); ++j)
        distribution[static_cast<std::size_t>(source[j])] += (1 - p_gen) * weights[j];
    return distribution;
}

}  // namespace headlight
