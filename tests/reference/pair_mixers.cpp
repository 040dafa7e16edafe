#include "tests/reference/pair_mixers.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {
namespace {

Number root_of_width(const Head& head) { return std::sqrt(static_cast<Number>(head.q.cols)); }

/// context_i += weight v_j
void add_weighted_value(HeadResult& result, std::size_t i, Number weight, const Matrix& values,
                        std::size_t j) {
    for (std::size_t c = 0; c < values.cols && weight != 0; ++c)  // padding may hold anything
        result.context(i, c) += weight * values(j, c);
}

Matrix shifted(const Matrix& rows, const Shift& shift) {
    Matrix result(rows.rows, rows.cols);
    for (std::size_t j = 0; j < rows.rows; ++j)
        for (std::size_t c = 0; c < rows.cols; ++c)
            result(j, c) = shift.own * rows(j, c) + (j > 0 ? shift.before * rows(j - 1, c) : 0);
    return result;
}

}  // namespace

HeadResult persistent_memory(const Head& head, const MemorySlots& slots) {
    const std::size_t s = slots.keys.rows, m = head.k.rows;
    HeadResult result{Matrix(head.q.rows, m), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Row scores;
        std::vector<bool> may;
        for (std::size_t slot = 0; slot < s; ++slot) {
            scores.push_back(product_of_rows(head.q, i, slots.keys, slot) / root_of_width(head));
            may.push_back(true);
        }
        for (std::size_t j = 0; j < m; ++j) {
            scores.push_back(product_of_rows(head.q, i, head.k, j) / root_of_width(head));
            may.push_back(head.allowed[i][j]);
        }
        const Row all = softmax(scores, may, 1);
        for (std::size_t slot = 0; slot < s; ++slot)
            add_weighted_value(result, i, all[slot], slots.values, slot);
        for (std::size_t j = 0; j < m; ++j) {
            result.weights(i, j) = all[s + j];
            add_weighted_value(result, i, all[s + j], head.v, j);
        }
    }
    return result;
}

HeadResult dynamic_convolution(const Head& head, const Kernel& kernel) {
    const std::size_t n = head.q.rows, size = kernel.scores.cols;
    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<bool> holds_token;
        for (std::size_t c = 0; c < size; ++c) {
            const bool is_in_text = i + c >= kernel.before && i + c - kernel.before < n;
            holds_token.push_back(is_in_text && head.allowed[i][i + c - kernel.before]);
        }
        const Row weights = softmax(kernel.scores.row(i),
                                    kernel.is_renormalized ? holds_token : std::vector<bool>(size, true), 1);
        for (std::size_t c = 0; c < size; ++c)
            if (holds_token[c]) {
                result.weights(i, i + c - kernel.before) = weights[c];
                add_weighted_value(result, i, weights[c], head.v, i + c - kernel.before);
            }
    }
    return result;
}

HeadResult coda(const Head& head) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i)
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            if (!head.allowed[i][j])
                continue;
            Number distance = 0;
            for (std::size_t c = 0; c < head.q.cols; ++c)
                distance += std::abs(head.q(i, c) - head.k(j, c));
            const Number affinity = std::tanh(product_of_rows(head.q, i, head.k, j) / root_of_width(head));
            result.weights(i, j) = affinity * 2 * sigmoid(-distance / root_of_width(head));
            add_weighted_value(result, i, result.weights(i, j), head.v, j);
        }
    return result;
}

HeadResult key_value_shift(const Head& head, const Shift& of_keys, const Shift& of_values) {
    const Matrix keys = shifted(head.k, of_keys), values = shifted(head.v, of_values);
    HeadResult result{Matrix(head.q.rows, keys.rows), Matrix(head.q.rows, values.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Row scores;
        for (std::size_t j = 0; j < keys.rows; ++j)
            scores.push_back(product_of_rows(head.q, i, keys, j) / root_of_width(head));
        const Row weights = softmax(scores, head.allowed[i], 1);
        for (std::size_t j = 0; j < keys.rows; ++j) {
            result.weights(i, j) = weights[j];
            add_weighted_value(result, i, weights[j], values, j);
        }
    }
    return result;
}

HeadResult lambda_layer(const Head& head, const Matrix& E) {
    const std::size_t n = head.q.rows, m = head.k.rows, d = head.k.cols, reach = E.rows / 2;
    Matrix shares(m, d);
    for (std::size_t c = 0; c < d; ++c) {
        Row feature;
        for (std::size_t j = 0; j < m; ++j)
            feature.push_back(head.k(j, c));
        const Row of_feature = softmax(feature, head.allowed[0], 1);
        for (std::size_t j = 0; j < m; ++j)
            shares(j, c) = of_feature[j];
    }
    HeadResult result{Matrix(n, m), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        Matrix lambda(d, head.v.cols);
        for (std::size_t j = 0; j < m; ++j) {
            const std::size_t distance = j > i ? j - i : i - j;
            for (std::size_t c = 0; c < d && head.allowed[i][j]; ++c) {
                const Number of_key = shares(j, c) + (distance <= reach ? E(reach + j - i, c) : 0);
                result.weights(i, j) += head.q(i, c) * of_key;
                for (std::size_t a = 0; a < head.v.cols; ++a)
                    lambda(c, a) += of_key * head.v(j, a);
            }
        }
        for (std::size_t c = 0; c < d; ++c)
            for (std::size_t a = 0; a < head.v.cols; ++a)
                result.context(i, a) += head.q(i, c) * lambda(c, a);
    }
    return result;
}

}  // namespace headlight::reference
