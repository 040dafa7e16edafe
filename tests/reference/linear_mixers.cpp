#include "tests/reference/linear_mixers.h"

#include "tests/reference/linear_system.h"
#include "tests/reference/softmax.h"
#include "tests/reference/vector_norm.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

const Number pi = std::acos(-Number(1));

Matrix weighted(const Matrix& weights, const Matrix& v) {
    Matrix context(weights.rows, v.cols);
    for (std::size_t i = 0; i < weights.rows; ++i)
        for (std::size_t j = 0; j < weights.cols; ++j)
            for (std::size_t c = 0; c < v.cols && weights(i, j) != 0; ++c)
                context(i, c) += weights(i, j) * v(j, c);
    return context;
}

/// One past the last key that the query sees.
std::size_t end_of(const Head& head, std::size_t query) {
    std::size_t end = 0;
    for (std::size_t j = 0; j < head.k.rows; ++j)
        if (head.allowed[query][j])
            end = j + 1;
    return end;
}

bool is_padding(const Head& head, std::size_t key) {
    for (std::size_t i = 0; i < head.q.rows; ++i)
        if (head.allowed[i][key])
            return false;
    return true;
}

Number relu(Number x) { return x > 0 ? x : 0; }

Matrix affine_rows(const Matrix& vectors, const Affine& affine, bool normalizes) {
    Matrix result = vectors;
    for (std::size_t t = 0; t < vectors.rows; ++t) {
        Number mean = 0, variance = 0;
        for (const Number x : vectors.row(t))
            mean += x;
        mean /= static_cast<Number>(vectors.cols);
        for (const Number x : vectors.row(t))
            variance += (x - mean) * (x - mean);
        variance /= static_cast<Number>(vectors.cols);
        for (std::size_t c = 0; c < vectors.cols; ++c) {
            const Number x = normalizes ? (vectors(t, c) - mean) / std::sqrt(variance + 1e-5) : vectors(t, c);
            result(t, c) = affine.gain[c] * x + affine.shift[c];
        }
    }
    return result;
}

}  // namespace

Number sigmoid(Number x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
Number softplus(Number x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

Number product_of_rows(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
    Number sum = 0;
    for (std::size_t c = 0; c < a.cols; ++c)
        sum += a(i, c) * b(j, c);
    return sum;
}

HeadResult kernel_attention(const Head& head, const std::function<Number(std::size_t, std::size_t)>& kernel,
                            bool divides) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), {}};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Number sum = 0;
        for (std::size_t j = 0; j < head.k.rows; ++j)
            if (head.allowed[i][j])
                sum += result.weights(i, j) = kernel(i, j);
        for (std::size_t j = 0; j < head.k.rows && divides; ++j)
            result.weights(i, j) = sum == 0 ? 0 : result.weights(i, j) / sum;
    }
    result.context = weighted(result.weights, head.v);
    return result;
}

HeadResult cosformer(const Head& head, Number horizon) {
    return kernel_attention(
        head,
        [&](std::size_t i, std::size_t j) {
            Number sum = 0;
            for (std::size_t c = 0; c < head.q.cols; ++c)
                sum += relu(head.q(i, c)) * relu(head.k(j, c));
            return sum * std::cos(pi / 2 * (static_cast<Number>(i) - static_cast<Number>(j)) / horizon);
        },
        true);
}

HeadResult based(const Head& head) {
    return kernel_attention(
        head,
        [&](std::size_t i, std::size_t j) {
            const Number s =
                product_of_rows(head.q, i, head.k, j) / std::sqrt(static_cast<Number>(head.q.cols));
            return 1 + s + s * s / 2;
        },
        true);
}

HeadResult rebased(const Head& head, const Affine& of_query, const Affine& of_key, bool normalizes) {
    const Matrix q = affine_rows(head.q, of_query, normalizes), k = affine_rows(head.k, of_key, normalizes);
    return kernel_attention(
        head,
        [&](std::size_t i, std::size_t j) {
            const Number product = product_of_rows(q, i, k, j);
            return product * product;
        },
        true);
}

HeadResult power(const Head& head, int p) {
    return kernel_attention(
        head,
        [&](std::size_t i, std::size_t j) {
            const Number product = product_of_rows(head.q, i, head.k, j);
            Number result = 1;
            for (int factor = 0; factor < p; ++factor)
                result *= product;
            return result;
        },
        true);
}

HeadResult higher_order(const Head& head, Number scale) {
    const std::size_t d = head.k.cols;
    return kernel_attention(
        head,
        [&](std::size_t t, std::size_t j) {
            Row turned(d);  // S q_j
            for (std::size_t i = 0; i < head.k.rows; ++i) {
                const bool is_seen = head.allowed[t][i] && head.allowed[j][i];
                const Number along = is_seen ? product_of_rows(head.k, i, head.q, j) : 0;
                for (std::size_t c = 0; c < d && is_seen; ++c)
                    turned[c] += along * head.k(i, c);
            }
            return scale * scale * product(head.q.row(t), turned);
        },
        false);
}

HeadResult efficient(const Head& head) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), {}};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const Row shares = softmax(head.q.row(i), std::vector<bool>(head.q.cols, true), 1);
        for (std::size_t c = 0; c < head.q.cols; ++c) {
            Row column;
            for (std::size_t j = 0; j < head.k.rows; ++j)
                column.push_back(head.k(j, c));
            const Row of_keys = softmax(column, head.allowed[i], 1);
            for (std::size_t j = 0; j < head.k.rows; ++j)
                result.weights(i, j) += shares[c] * of_keys[j];
        }
    }
    result.context = weighted(result.weights, head.v);
    return result;
}

HeadResult retention(const Head& head, Number gamma, Number scale, bool normalizes) {
    HeadResult result = kernel_attention(
        head,
        [&](std::size_t i, std::size_t j) {
            const auto steps = static_cast<Number>(end_of(head, i) - 1 - j);
            return scale * product_of_rows(head.q, i, head.k, j) * std::pow(gamma, steps);
        },
        false);
    if (!normalizes)
        return result;
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Number sum = 0;
        for (const Number weight : result.weights.row(i))
            sum += weight;
        for (std::size_t j = 0; j < head.k.rows; ++j)
            result.weights(i, j) /= std::max(std::abs(sum), Number(1));
    }
    result.context = weighted(result.weights, head.v);
    return result;
}

HeadResult state_attention(const Head& head, const StateRule& rule) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), {}};
    for (std::size_t i = 0; i < head.q.rows; ++i)
        for (std::size_t j = 0; j < end_of(head, i); ++j) {
            if (!head.allowed[i][j])
                continue;
            // What is left in the state of key j by the time that query i reads it.
            Row left = head.k.row(j);
            for (Number& feature : left)
                feature *= rule.strengths.empty() ? 1 : rule.strengths[j];
            for (std::size_t t = j + 1; t < end_of(head, i); ++t) {
                if (rule.is_delta ? !head.allowed[i][t] : is_padding(head, t))
                    continue;
                Number overlap = 0;
                for (std::size_t c = 0; c < left.size(); ++c) {
                    left[c] *= rule.gates.rows == 0 ? 1 : rule.gates(t, c);
                    overlap += left[c] * head.k(t, c);
                }
                for (std::size_t c = 0; c < left.size() && rule.is_delta; ++c)
                    left[c] -= rule.strengths[t] * overlap * head.k(t, c);
            }
            for (std::size_t c = 0; c < left.size(); ++c)
                result.weights(i, j) += rule.scale * head.q(i, c) * left[c];
        }
    result.context = weighted(result.weights, head.v);
    return result;
}

Matrix head_projection(const Head& head, const Matrix& weights, const Row& bias, std::size_t width) {
    Matrix result(head.y.rows, width);
    for (std::size_t j = 0; j < head.y.rows; ++j)
        for (std::size_t c = 0; c < width; ++c) {
            const std::size_t column = head.number * width + c;
            result(j, c) = bias[column];
            for (std::size_t i = 0; i < head.y.cols; ++i)
                result(j, c) += head.y(j, i) * weights(i, column);
        }
    return result;
}

Matrix unit_rows(const Matrix& vectors) {
    Matrix result = vectors;
    for (std::size_t t = 0; t < vectors.rows; ++t) {
        const Row unit = direction(vectors.row(t));
        std::ranges::copy(unit, result.values.begin() + static_cast<std::ptrdiff_t>(t * vectors.cols));
    }
    return result;
}

namespace {

/// (K K^T + lambda I)^-1 K q: the same weights from a system of as many equations as there are keys.
Row mesa_by_keys(const Head& head, std::size_t query, std::size_t keys, Number lambda) {
    Matrix products(keys, keys);
    Row asked;
    for (std::size_t i = 0; i < keys; ++i) {
        asked.push_back(product_of_rows(head.k, i, head.q, query));
        for (std::size_t j = 0; j < keys; ++j)
            products(i, j) = product_of_rows(head.k, i, head.k, j) + (i == j ? lambda : 0);
    }
    return solved(products, asked);
}

}  // namespace

/// Solves the smaller of the two systems, which has an answer however long the keys are beside lambda.
HeadResult mesa(const Head& head, Number lambda) {
    const std::size_t d = head.q.cols;
    HeadResult result{Matrix(head.q.rows, head.k.rows), {}};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        if (end_of(head, i) <= d) {
            const Row weights = mesa_by_keys(head, i, end_of(head, i), lambda);
            for (std::size_t j = 0; j < weights.size(); ++j)
                result.weights(i, j) = weights[j];
            continue;
        }
        Matrix normal(d, d);
        for (std::size_t a = 0; a < d; ++a) {
            normal(a, a) = lambda;
            for (std::size_t b = 0; b < d; ++b)
                for (std::size_t j = 0; j < end_of(head, i); ++j)
                    normal(a, b) += head.k(j, a) * head.k(j, b);
        }
        const Row solution = solved(normal, head.q.row(i));
        for (std::size_t j = 0; j < end_of(head, i); ++j)
            for (std::size_t c = 0; c < d; ++c)
                result.weights(i, j) += solution[c] * head.k(j, c);
    }
    result.context = weighted(result.weights, head.v);
    return result;
}

}  // namespace headlight::reference
