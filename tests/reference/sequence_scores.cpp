#include "tests/reference/sequence_scores.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Number scaled_product(const Head& head, std::size_t i, std::size_t j) {
    return dot_score(head.q.row(i), head.k.row(j)) / std::sqrt(static_cast<Number>(head.k.cols));
}

void set_row(Matrix& matrix, std::size_t i, const Row& row) {
    for (std::size_t j = 0; j < row.size(); ++j)
        matrix(i, j) = row[j];
}

/// Additive scores of one query, with more inside for each key.
Row additive_row(const Head& head, const AdditiveRule& rule, std::size_t i,
                 const std::function<Row(std::size_t key)>& more) {
    Row scores;
    for (std::size_t j = 0; j < head.k.rows; ++j) {
        Row inside = more(j);
        for (std::size_t a = 0; a < rule.b.size(); ++a)
            inside[a] += rule.b[a];
        scores.push_back(additive_score(head.q.row(i), head.k.row(j), rule.W_1, rule.W_2, inside, rule.v,
                                        rule.activation));
    }
    return scores;
}

/// sum over the queries before i.
Row summed_before(const Matrix& weights, std::size_t i) {
    Row sum(weights.cols, Number(0));
    for (std::size_t t = 0; t < i; ++t)
        for (std::size_t j = 0; j < weights.cols; ++j)
            sum[j] += weights(t, j);
    return sum;
}

Row uniform_over_open(const Head& head, bool everything_open) {
    Row row;
    for (std::size_t j = 0; j < head.k.rows; ++j)
        row.push_back(everything_open || head.allowed[0][j] ? 1 : 0);
    const auto open = static_cast<Number>(std::ranges::count(row, Number(1)));
    for (Number& share : row)
        share = open > 0 ? share / open : 0;
    return row;
}

}  // namespace

Matrix location_aware_weights(const Head& head, const Finish& finish, const AdditiveRule& rule,
                              const Matrix& F, const Matrix& U, bool cumulative, bool everything_open) {
    Matrix weights(head.q.rows, head.k.rows);
    const auto centre = static_cast<std::ptrdiff_t>((F.cols - 1) / 2);
    for (std::size_t i = 0; i < weights.rows; ++i) {
        const Row seen = cumulative ? summed_before(weights, i)
                         : i == 0   ? uniform_over_open(head, everything_open)
                                    : weights.row(i - 1);
        const auto of_location = [&](std::size_t j) {
            Row inside(U.cols, Number(0));
            for (std::size_t r = 0; r < F.rows; ++r)
                for (std::size_t at = 0; at < seen.size(); ++at) {
                    const auto t = static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(j) + centre;
                    if (t >= 0 && t < static_cast<std::ptrdiff_t>(F.cols))
                        for (std::size_t a = 0; a < U.cols; ++a)
                            inside[a] += F(r, static_cast<std::size_t>(t)) * seen[at] * U(r, a);
                }
            return inside;
        };
        set_row(weights, i, finish(i, additive_row(head, rule, i, of_location)));
    }
    return weights;
}

Matrix coverage_weights(const Head& head, const Finish& finish, const AdditiveRule& rule, const Row& w_c) {
    Matrix weights(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < weights.rows; ++i) {
        const Row coverage = summed_before(weights, i);
        const auto of_coverage = [&](std::size_t j) {
            Row inside;
            for (const Number number : w_c)
                inside.push_back(coverage[j] * number);
            return inside;
        };
        set_row(weights, i, finish(i, additive_row(head, rule, i, of_coverage)));
    }
    return weights;
}

Matrix location_scores(const Head& head, const Matrix& W) { return project(head.q, {W, {}}); }

Matrix dense_synthesizer_scores(const Head& head, const Matrix& W_1, const Row& b, const Matrix& W) {
    Matrix hidden = project(head.q, {W_1, b});
    for (Number& number : hidden.values)
        number = activate(Activation::relu, number);
    return project(hidden, {W, {}});
}

Matrix random_synthesizer_scores(const Head& head, const Matrix& R, const Matrix& R_1, const Matrix& R_2) {
    Matrix scores(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j)
            scores(i, j) = R.rows > 0 ? R.row(head.number * scores.rows + i)[j]
                                      : dot_score(R_1.row(head.number * scores.rows + i),
                                                  R_2.row(head.number * scores.cols + j));
    return scores;
}

Matrix multi_token_scores(const Head& head, const Matrix& theta, std::size_t rows, bool everything_open) {
    Matrix scores(head.q.rows, head.k.rows);
    const auto half = static_cast<std::ptrdiff_t>(theta.cols / 2);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j)
            for (std::size_t query = 0; query <= i; ++query)
                for (std::size_t key = 0; key < scores.cols; ++key) {
                    const std::size_t a = i - query;
                    const auto b = static_cast<std::ptrdiff_t>(j) + half - static_cast<std::ptrdiff_t>(key);
                    const bool is_open = everything_open || head.allowed[query][key];
                    if (is_open && a < rows && b >= 0 && b < static_cast<std::ptrdiff_t>(theta.cols))
                        scores(i, j) += theta(head.number * rows + a, static_cast<std::size_t>(b)) *
                                        scaled_product(head, query, key);
                }
    return scores;
}

Matrix selective_scores(const Head& head, const Head& first, bool everything_open) {
    Matrix scores(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j) {
            scores(i, j) = scaled_product(head, i, j);
            for (std::size_t t = 0; t < i; ++t)
                if (j != 0 && j != t && (everything_open || head.allowed[t][j]))
                    scores(i, j) -= std::max(Number(0), scaled_product(first, t, j));
        }
    return scores;
}

}  // namespace headlight::reference
