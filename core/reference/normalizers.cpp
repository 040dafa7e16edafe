#include "core/reference/normalizers.h"

#include <algorithm>
#include <limits>

namespace headlight::reference {

Row sparsemax(const Row& scores, const std::vector<bool>& allowed, double temperature) {
    Row weights(scores.size(), 0.0);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            largest = std::max(largest, scores[j] / temperature);
    if (largest == -std::numeric_limits<double>::infinity())
        return weights;
    const auto fill = [&](double tau) {
        double sum = 0;
        for (std::size_t j = 0; j < scores.size(); ++j)
            if (allowed[j])
                sum += weights[j] = std::max(scores[j] / temperature - tau, 0.0);
        return sum;
    };
    double low = largest - 1, high = largest;  // the largest weight is between 0 and 1
    for (int step = 0; step < 200; ++step) {
        const double middle = (low + high) / 2;
        (fill(middle) > 1 ? low : high) = middle;
    }
    fill(low);
    return weights;
}

}  // namespace headlight::reference
