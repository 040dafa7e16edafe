#include "tests/reference/energy_descent.h"

#include "tests/reference/pooled_rows.h"
#include "tests/reference/softmax.h"

#include <algorithm>

namespace headlight::reference {

std::vector<HeadResult> energy_descent(const std::vector<Head>& heads, const EnergyDescent& energy) {
    const std::size_t n = heads.front().q.rows, d = heads.front().q.cols, count = heads.size();
    const std::size_t width = d * count;
    Matrix x(n, width);
    for (const Head& head : heads)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < d; ++c)
                x(i, head.number * d + c) = head.q(i, c);
    std::vector<HeadResult> results(count, {Matrix(n, n), Matrix(n, d)});
    for (std::size_t step = 0; step < energy.steps; ++step) {
        const Matrix g = energy.is_normed ? normed_rows(x) : x;
        const Matrix queries = project(g, {energy.ask, {}}), keys = project(g, {energy.tell, {}});
        for (std::size_t h = 0; h < count; ++h)
            for (std::size_t i = 0; i < n; ++i) {
                Row scores(n, Number(0));
                std::vector<bool> is_other(n, true);
                is_other[i] = false;
                for (std::size_t j = 0; j < n; ++j)
                    for (std::size_t c = h * d; c < (h + 1) * d; ++c)
                        scores[j] += energy.beta * queries(i, c) * keys(j, c);
                const Row weights = softmax(scores, is_other, 1);
                for (std::size_t j = 0; j < n; ++j)
                    results[h].weights(i, j) = weights[j];
            }
        Matrix moved = x;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t f = 0; f < width; ++f) {
                Number down = 0;
                for (std::size_t h = 0; h < count; ++h)
                    for (std::size_t j = 0; j < n; ++j)
                        for (std::size_t c = h * d; c < (h + 1) * d; ++c)
                            down += results[h].weights(i, j) * keys(j, c) * energy.ask(f, c) +
                                    results[h].weights(j, i) * queries(j, c) * energy.tell(f, c);
                for (std::size_t pattern = 0; pattern < energy.patterns.rows; ++pattern)
                    down += std::max<Number>(product(energy.patterns.row(pattern), g.row(i)), 0) *
                            energy.patterns(pattern, f);
                moved(i, f) += energy.rate * down;
            }
        x = moved;
    }
    for (std::size_t h = 0; h < count; ++h)
        results[h].context = columns_of_head(x, h, count);
    return results;
}

}  // namespace headlight::reference
