#include "tests/reference/position.h"

#include <cmath>

namespace headlight::reference {

Matrix add_sinusoidal_position(const Matrix& x) {
    Matrix y = x;
    for (std::size_t position = 0; position < x.rows; ++position)
        for (std::size_t c = 0; c < x.cols; ++c) {
            const std::size_t pair = c / 2;
            const Number wavelength =
                std::pow(10000.0, static_cast<Number>(2 * pair) / static_cast<Number>(x.cols));
            const Number angle = static_cast<Number>(position) / wavelength;
            y(position, c) += c % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    return y;
}

}  // namespace headlight::reference
