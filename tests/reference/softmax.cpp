#include "tests/reference/softmax.h"

#include <cmath>
#include <limits>

namespace headlight::reference {

Row softmax(const Row& scores, const std::vector<bool>& allowed, Number temperature) {
    Number largest = -std::numeric_limits<Number>::infinity();
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j] && scores[j] > largest)
            largest = scores[j];

    Row weights(scores.size(), Number(0));
    Number sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j]) {
            weights[j] = std::exp((scores[j] - largest) / temperature);
            sum += weights[j];
        }
    if (sum == 0)
        return weights;
    for (Number& weight : weights)
        weight /= sum;
    return weights;
}

Row log_softmax(const Row& scores, const std::vector<bool>& allowed) {
    Number largest = -std::numeric_limits<Number>::infinity(), sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j] && scores[j] > largest)
            largest = scores[j];
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            sum += std::exp(scores[j] - largest);
    Row logarithms;
    for (const Number score : scores)
        logarithms.push_back(score - largest - std::log(sum));
    return logarithms;
}

}  // namespace headlight::reference
