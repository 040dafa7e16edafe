#pragma once

#include <cmath>
#include <span>

namespace headlight::kernels {

/// What makes shares of a softmax of numbers, where not every share is asked for.
struct PowerSum {
    double largest = 0;  ///< of the numbers; minus infinity where there is nothing above that
    double temperature = 1;
    double sum = 1;  ///< of e^((number - largest) / temperature); 0 where there is nothing to add

    double share(double number) const { return std::exp((number - largest) / temperature) / sum; }
    /// Its logarithm, which is finite where the share is too small for a number.
    double log_share(double number) const { return (number - largest) / temperature - std::log(sum); }
    /// ln of the sum of e^(number / temperature).
    double logarithm() const { return largest / temperature + std::log(sum); }
};

/// Returns that of any numbers, minus infinity among them: in double, by the kernels of the chosen level. No
/// memory is taken.
template <class Real>
PowerSum sum_of_powers(std::span<const Real> numbers, double temperature = 1);

}  // namespace headlight::kernels
