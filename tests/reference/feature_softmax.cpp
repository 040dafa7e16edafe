#include "tests/reference/feature_softmax.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {
namespace {

/// Feature f of row i of x W.
Number feature_of(const Matrix& x, std::size_t i, const Matrix& W, std::size_t f) {
    Number sum = 0;
    for (std::size_t c = 0; c < x.cols; ++c)
        sum += x(i, c) * W(c, f);
    return sum;
}

}  // namespace

HeadResult multi_dimensional(const Head& head, const FeatureScores& given) {
    const std::size_t n = head.q.rows, m = head.k.rows, d = head.v.cols;
    HeadResult result{Matrix(n, m), Matrix(n, d)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t f = 0; f < d; ++f) {
            Row scores;
            for (std::size_t j = 0; j < m; ++j)
                scores.push_back(given.bound *
                                 std::tanh((feature_of(head.q, i, given.of_query, f) +
                                            feature_of(head.k, j, given.of_key, f) + given.shift[f]) /
                                           given.bound));
            const Row shares = softmax(scores, head.allowed[i], 1);
            for (std::size_t j = 0; j < m; ++j) {
                result.weights(i, j) += shares[j] / static_cast<Number>(d);
                result.context(i, f) += shares[j] * head.v(j, f);
            }
        }
    return result;
}

std::vector<HeadResult> rectified(const std::vector<Head>& heads, const RectifiedNorm& norm) {
    const std::size_t n = heads[0].q.rows, m = heads[0].k.rows, d = heads[0].v.cols;
    std::vector<HeadResult> results(heads.size(), {Matrix(n, m), Matrix(n, d)});
    for (std::size_t i = 0; i < n; ++i) {
        Row z;
        for (std::size_t h = 0; h < heads.size(); ++h) {
            Row found(d, Number(0));
            for (std::size_t j = 0; j < m; ++j) {
                const Number score = product_of_rows(heads[h].q, i, heads[h].k, j) /
                                     std::sqrt(static_cast<Number>(heads[h].k.cols));
                if (!heads[h].allowed[i][j] || score <= 0)
                    continue;
                results[h].weights(i, j) = score;
                for (std::size_t c = 0; c < d; ++c)
                    found[c] += score * heads[h].v(j, c);
            }
            z.insert(z.end(), found.begin(), found.end());
        }
        Number squares = 0;
        for (const Number number : z)
            squares += number * number / static_cast<Number>(z.size());
        for (std::size_t c = 0; c < z.size(); ++c) {
            const Number gate = norm.gate.empty() ? 1 : 1 / (1 + std::exp(-norm.gate[c] * z[c]));
            results[c / d].context(i, c % d) = norm.gain[c] * z[c] / std::sqrt(squares + Number(1e-8)) * gate;
        }
    }
    return results;
}

Row divided_row(const Row& scores, const std::vector<bool>& allowed, Number temperature, RowDivisor by) {
    Number count = 0, sum = 0, squares = 0, spread = 0;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j]) {
            const Number s = scores[j] / temperature;
            count += 1;
            sum += s;
            squares += s * s;
        }
    const Number mean_score = count > 0 ? sum / count : Number(0);
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            spread += (scores[j] / temperature - mean_score) * (scores[j] / temperature - mean_score) / count;
    const Number divisor = by == RowDivisor::deviation ? std::sqrt(spread + Number(1e-5))
                           : by == RowDivisor::length  ? std::sqrt(squares)
                           : by == RowDivisor::count   ? std::sqrt(count)
                                                       : sum;
    Row weights(scores.size(), Number(0));
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j] && divisor != 0)
            weights[j] =
                (scores[j] / temperature - (by == RowDivisor::deviation ? mean_score : Number(0))) / divisor;
    return weights;
}

}  // namespace headlight::reference
