#include "core/reference/position.h"

#include <cmath>

namespace headlight::reference {

Matrix add_sinusoidal_position(const Matrix& x) {
    Matrix y = x;
    for (std::size_t position = 0; position < x.rows; ++position)
        for (std::size_t c = 0; c < x.cols; ++c) {
            const double pair = static_cast<double>(c / 2);
            const double wavelength = std::pow(10000.0, 2 * pair / static_cast<double>(x.cols));
            const double angle = static_cast<double>(position) / wavelength;
            y(position, c) += c % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    return y;
}

}  // namespace headlight::reference
