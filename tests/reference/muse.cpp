#include "tests/reference/muse.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {

std::vector<HeadResult> muse(const std::vector<Head>& heads, const MuseKernels& given) {
    const std::size_t n = heads[0].q.rows, d = heads[0].v.cols;
    const Row shares = softmax_of_all(given.gate);
    std::vector<HeadResult> results(heads.size(), {Matrix(n, n), Matrix(n, d)});
    for (std::size_t i = 0; i < n; ++i) {
        Row own, convolved(heads.size() * d, Number(0));
        for (const Head& head : heads)
            for (std::size_t c = 0; c < d; ++c)
                own.push_back(head.v(i, c));
        for (std::size_t h = 0; h < heads.size(); ++h) {
            const Head& head = heads[h];
            Row scores;
            for (std::size_t j = 0; j < n; ++j)
                scores.push_back(product_of_rows(head.q, i, head.k, j) /
                                 std::sqrt(static_cast<Number>(head.k.cols)));
            Row weights = softmax(scores, head.allowed[i], 1);
            for (std::size_t kernel = 0; kernel < given.kernels.size(); ++kernel) {
                const std::size_t size = 2 * kernel + 3, before = given.is_past ? size - 1 : kernel + 1;
                Row places(size, Number(0));
                for (std::size_t place = 0; place < size; ++place)
                    if (given.is_plain)
                        places[place] = given.kernels[kernel](h, place);
                    else
                        for (std::size_t c = 0; c < own.size(); ++c)
                            places[place] += own[c] * given.kernels[kernel](c, h * size + place);
                places = softmax_of_all(places);
                for (std::size_t place = 0; place < size; ++place)
                    if (i + place >= before && i + place - before < n &&
                        head.allowed[i][i + place - before]) {
                        const std::size_t j = i + place - before;
                        weights[j] += shares[kernel] * places[place];
                        for (std::size_t c = 0; c < d; ++c)
                            convolved[h * d + c] += shares[kernel] * places[place] * head.v(j, c);
                    }
            }
            for (std::size_t j = 0; j < n; ++j) {
                results[h].weights(i, j) = weights[j];
                for (std::size_t c = 0; c < d; ++c)
                    results[h].context(i, c) += weights[j] * head.v(j, c);
            }
        }
        if (given.to_output.rows == 0)
            continue;
        for (std::size_t to = 0; to < convolved.size(); ++to) {
            Number& context = results[to / d].context(i, to % d);
            context -= convolved[to];
            for (std::size_t from = 0; from < convolved.size(); ++from)
                context += convolved[from] * given.to_output(from, to);
        }
    }
    return results;
}

}  // namespace headlight::reference
