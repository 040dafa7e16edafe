#include "core/reference/vector_norm.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

double sum_of_squares(const Row& x) {
    double sum = 0;
    for (const double number : x)
        sum += number * number;
    return sum;
}

}  // namespace

Row l2_normalized(const Row& x) {
    const double length = std::max(std::sqrt(sum_of_squares(x)), 1e-12);
    Row result;
    for (const double number : x)
        result.push_back(number / length);
    return result;
}

Row layer_normalized(const Row& x, const Row& g) {
    double mean = 0;
    for (const double number : x)
        mean += number / static_cast<double>(x.size());
    Row centred;
    for (const double number : x)
        centred.push_back(number - mean);
    return rms_normalized(centred, g);
}

Row rms_normalized(const Row& x, const Row& g) {
    const double length = std::sqrt(sum_of_squares(x) / static_cast<double>(x.size()) + 1e-6);
    Row result;
    for (std::size_t i = 0; i < x.size(); ++i)
        result.push_back(g[i] * x[i] / length);
    return result;
}

}  // namespace headlight::reference
