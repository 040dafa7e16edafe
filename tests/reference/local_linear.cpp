#include "tests/reference/local_linear.h"

#include "tests/reference/linear_system.h"

namespace headlight::reference {

Matrix local_linear_weights(const Head& head, const Matrix& p, Number lambda) {
    const std::size_t d = head.k.cols;
    Matrix weights(p.rows, p.cols);
    for (std::size_t i = 0; i < p.rows; ++i) {
        Row mean(d, Number(0)), beside = head.q.row(i);
        for (std::size_t j = 0; j < p.cols; ++j)
            for (std::size_t c = 0; c < d && p(i, j) != 0; ++c)  // padding may hold anything
                mean[c] += p(i, j) * head.k(j, c);
        const auto centred = [&](std::size_t j) {
            Row key = head.k.row(j);
            for (std::size_t c = 0; c < d; ++c)
                key[c] -= mean[c];
            return key;
        };
        Matrix system(d, d);
        for (std::size_t a = 0; a < d; ++a) {
            system(a, a) = lambda;
            beside[a] -= mean[a];
        }
        for (std::size_t j = 0; j < p.cols; ++j) {
            if (p(i, j) == 0)
                continue;
            const Row key = centred(j);
            for (std::size_t a = 0; a < d; ++a)
                for (std::size_t b = 0; b < d; ++b)
                    system(a, b) += p(i, j) * key[a] * key[b];
        }
        const Row slope = solved(system, beside);
        for (std::size_t j = 0; j < p.cols; ++j)
            weights(i, j) = p(i, j) == 0 ? 0 : p(i, j) * (1 + product(centred(j), slope));
    }
    return weights;
}

}  // namespace headlight::reference
