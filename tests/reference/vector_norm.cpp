#include "tests/reference/vector_norm.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Number sum_of_squares(const Row& x) {
    Number sum = 0;
    for (const Number number : x)
        sum += number * number;
    return sum;
}

}  // namespace

Row direction(const Row& x) {
    const Number length = std::sqrt(sum_of_squares(x));
    Row result;
    for (const Number number : x)
        result.push_back(length > 0 ? number / length : 0);
    return result;
}

Row layer_normalized(const Row& x, const Row& g) {
    Number mean = 0;
    for (const Number number : x)
        mean += number / static_cast<Number>(x.size());
    Row centred;
    for (const Number number : x)
        centred.push_back(number - mean);
    return rms_normalized(centred, g);
}

Row rms_normalized(const Row& x, const Row& g) {
    const Number length = std::sqrt(sum_of_squares(x) / static_cast<Number>(x.size()) + 1e-6);
    Row result;
    for (std::size_t i = 0; i < x.size(); ++i)
        result.push_back(g[i] * x[i] / length);
    return result;
}

}  // namespace headlight::reference
