#include "tests/reference/linear_system.h"

#include <cmath>

namespace headlight::reference {

Row solved(Matrix a, Row b) {
    const std::size_t n = a.rows;
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = column;
        for (std::size_t r = column; r < n; ++r)
            if (std::abs(a(r, column)) > std::abs(a(pivot, column)))
                pivot = r;
        for (std::size_t c = 0; c < n; ++c)
            std::swap(a(column, c), a(pivot, c));
        std::swap(b[column], b[pivot]);
        for (std::size_t r = column + 1; r < n; ++r) {
            const Number factor = a(r, column) / a(column, column);
            for (std::size_t c = column; c < n; ++c)
                a(r, c) -= factor * a(column, c);
            b[r] -= factor * b[column];
        }
    }
    Row x(n, Number(0));
    for (std::size_t r = n; r-- > 0;) {
        x[r] = b[r];
        for (std::size_t c = r + 1; c < n; ++c)
            x[r] -= a(r, c) * x[c];
        x[r] /= a(r, r);
    }
    return x;
}

}  // namespace headlight::reference
