#include "core/reference/positions.h"

#include <cmath>

namespace headlight::reference {

double alibi_slope(std::size_t head, std::size_t heads) {
    std::size_t power = 1;
    while (power * 2 <= heads)
        power *= 2;
    if (head < power)
        return std::pow(2.0, -8.0 * static_cast<double>(head + 1) / static_cast<double>(power));
    const std::size_t number = 2 * (head - power);
    return std::pow(2.0, -8.0 * static_cast<double>(number + 1) / static_cast<double>(2 * power));
}

Matrix alibi_bias(std::size_t queries, std::size_t keys, double slope, const std::string& form) {
    Matrix bias(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j) {
            const double distance = static_cast<double>(i) - static_cast<double>(j);
            if (form == "key_only")
                bias(i, j) = slope * static_cast<double>(j);
            else
                bias(i, j) = -slope * (form == "absolute" ? std::abs(distance) : distance);
        }
    return bias;
}

}  // namespace headlight::reference
