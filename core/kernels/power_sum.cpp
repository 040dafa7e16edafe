#include "core/kernels/power_sum.h"

#include "core/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <limits>

namespace headlight::kernels {

template <class Real>
PowerSum sum_of_powers(std::span<const Real> numbers, double temperature) {
    const Level level = chosen_level();
    PowerSum powers;
    powers.largest = static_cast<double>(table<Real>(level).maximum(numbers.data(), std::ssize(numbers)));
    powers.temperature = temperature;
    powers.sum = 0;
    if (powers.largest == -std::numeric_limits<double>::infinity())
        return powers;
    std::array<double, 256> part{};
    for (std::size_t first = 0; first < numbers.size(); first += part.size()) {
        const auto some = numbers.subspan(first, std::min(part.size(), numbers.size() - first));
        std::copy(some.begin(), some.end(), part.begin());
        powers.sum +=
            table<double>(level).exponentials(part.data(), std::ssize(some), powers.largest, temperature);
    }
    return powers;
}

template PowerSum sum_of_powers(std::span<const float>, double);
template PowerSum sum_of_powers(std::span<const double>, double);

}  // namespace headlight::kernels
