#include "tests/reference/differential_attention.h"

#include <cmath>

namespace headlight::reference {
namespace {

/// The map of one half of the columns.
Matrix map_of(const Head& head, std::size_t half, const WeighScores& weigh) {
    const Matrix q = columns_of_head(head.q, half, 2), k = columns_of_head(head.k, half, 2);
    Matrix scores(q.rows, k.rows);
    for (std::size_t i = 0; i < q.rows; ++i)
        for (std::size_t j = 0; j < k.rows; ++j)
            scores(i, j) = product(q.row(i), k.row(j)) / std::sqrt(static_cast<Number>(q.cols));
    Head of_map = head;
    of_map.map = half;
    return weigh(of_map, scores, head.allowed);
}

/// G_n = 1/N sum_m A_1[m, n], over the queries that are no padding.
Row mean_row(const Matrix& map, const Allowed& allowed, bool is_one_sequence) {
    Row sum(map.cols, 0);
    Number count = 0;
    for (std::size_t i = 0; i < map.rows; ++i) {
        bool is_real = !is_one_sequence;
        for (std::size_t query = 0; query < map.rows && !is_real; ++query)
            is_real = allowed[query][i];
        count += is_real ? 1 : 0;
        for (std::size_t j = 0; j < map.cols && is_real; ++j)
            sum[j] += map(i, j);
    }
    for (Number& number : sum)
        number = count == 0 ? 0 : number / count;
    return sum;
}

}  // namespace

Number differential_lambda_init(std::size_t layer) {
    return 0.8 - 0.6 * std::exp(-0.3 * static_cast<Number>(layer));
}

HeadResult differential_attention(const Head& head, const Differential& setting) {
    const Number lambda_init = differential_lambda_init(setting.layer);
    const Number lambda = std::exp(product(setting.lambda_q1, setting.lambda_k1)) -
                          std::exp(product(setting.lambda_q2, setting.lambda_k2)) + lambda_init;
    const Matrix first = map_of(head, 0, setting.weigh), second = map_of(head, 1, setting.weigh);
    const Row importance =
        setting.adds_integral ? mean_row(first, head.allowed, setting.is_one_sequence) : Row(head.k.rows, 0);
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            result.weights(i, j) = first(i, j) - lambda * second(i, j) + lambda * importance[j];
            for (std::size_t c = 0; c < head.v.cols && head.allowed[i][j]; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
        Number mean_square = 1e-5;
        for (std::size_t c = 0; c < head.v.cols; ++c)
            mean_square += result.context(i, c) * result.context(i, c) / static_cast<Number>(head.v.cols);
        for (std::size_t c = 0; c < head.v.cols && setting.gain; ++c)
            result.context(i, c) *= (*setting.gain)[c] * (1 - lambda_init) / std::sqrt(mean_square);
    }
    return result;
}

}  // namespace headlight::reference
