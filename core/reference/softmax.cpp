#include "core/reference/softmax.h"

#include <cmath>
#include <limits>

namespace headlight::reference {

Row softmax(const Row& scores, const std::vector<bool>& allowed, double temperature) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j] && scores[j] > largest)
            largest = scores[j];

    Row weights(scores.size(), 0.0);
    double sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j]) {
            weights[j] = std::exp((scores[j] - largest) / temperature);
            sum += weights[j];
        }
    if (sum == 0)
        return weights;
    for (double& weight : weights)
        weight /= sum;
    return weights;
}

}  // namespace headlight::reference
