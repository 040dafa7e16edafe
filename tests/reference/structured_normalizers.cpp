#include "tests/reference/structured_normalizers.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headlight::reference {
namespace {

constexpr Number never = -std::numeric_limits<Number>::infinity();

bool has_any(const std::vector<bool>& allowed) {
    return std::find(allowed.begin(), allowed.end(), true) != allowed.end();
}

/// ln(e^a + e^b)
Number log_sum(Number a, Number b) {
    const Number most = std::max(a, b);
    return most == never ? never : most + std::log(std::exp(a - most) + std::exp(b - most));
}

/// ln of the chances of 0 and of 1.
struct LogChances {
    Number zero = 0, one = 0;
};

LogChances normalized(const LogChances& x) {
    const Number sum = log_sum(x.zero, x.one);
    return {x.zero - sum, x.one - sum};
}

/// By elimination with the largest pivot of each column.
Number determinant(Matrix a) {
    Number result = 1;
    for (std::size_t column = 0; column < a.rows; ++column) {
        std::size_t pivot = column;
        for (std::size_t r = column; r < a.rows; ++r)
            if (std::abs(a(r, column)) > std::abs(a(pivot, column)))
                pivot = r;
        if (a(pivot, column) == 0)
            return 0;
        if (pivot != column) {
            result = -result;
            for (std::size_t c = 0; c < a.cols; ++c)
                std::swap(a(column, c), a(pivot, c));
        }
        result *= a(column, column);
        for (std::size_t r = column + 1; r < a.rows; ++r) {
            const Number factor = a(r, column) / a(column, column);
            for (std::size_t c = column; c < a.cols; ++c)
                a(r, c) -= factor * a(column, c);
        }
    }
    return result;
}

}  // namespace

Row chain_of_choices(const Row& scores, const std::vector<bool>& allowed, Number temperature,
                     const PairCounts& theta) {
    const std::size_t m = scores.size();
    std::vector<LogChances> alpha(m), beta(m);
    for (std::size_t j = 0; j < m; ++j) {
        LogChances before;
        if (j > 0 && allowed[j] && allowed[j - 1]) {
            before.zero = log_sum(alpha[j - 1].zero + theta.neither, alpha[j - 1].one + theta.left);
            before.one = log_sum(alpha[j - 1].zero + theta.right, alpha[j - 1].one + theta.both);
        }
        if (allowed[j])
            before.one += scores[j] / temperature;
        alpha[j] = normalized(before);
    }
    for (std::size_t j = m - 1; j-- > 0;) {
        if (!allowed[j] || !allowed[j + 1])
            continue;
        const LogChances after{beta[j + 1].zero, beta[j + 1].one + scores[j + 1] / temperature};
        beta[j] = normalized({log_sum(after.zero + theta.neither, after.one + theta.right),
                              log_sum(after.zero + theta.left, after.one + theta.both)});
    }
    Row chances(m, Number(0));
    for (std::size_t j = 0; j < m; ++j)
        if (allowed[j])
            chances[j] = std::exp(normalized({alpha[j].zero + beta[j].zero, alpha[j].one + beta[j].one}).one);
    return chances;
}

Matrix dependency_trees(const Matrix& scores, const Allowed& allowed, Number temperature, Number root,
                        bool in_one_sequence) {
    const std::size_t n = scores.rows, m = scores.cols;
    Matrix shares(n, m);
    Row of_root(n, Number(0));
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<bool> may = allowed[i];
        if (in_one_sequence)
            may[i] = false;
        Number most = root, sum = 0;
        for (std::size_t j = 0; j < m; ++j)
            if (may[j])
                most = std::max(most, scores(i, j) / temperature);
        for (std::size_t j = 0; j < m; ++j)
            sum += shares(i, j) = may[j] ? std::exp(scores(i, j) / temperature - most) : 0;
        sum += std::exp(root - most);
        for (std::size_t j = 0; j < m; ++j)
            shares(i, j) /= sum;
        of_root[i] = std::max(std::exp(root - most) / sum, Number(1e-5));
    }
    if (!in_one_sequence)
        return shares;
    Matrix laplacian(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        laplacian(i, i) = of_root[i];
        for (std::size_t j = 0; j < n; ++j)
            if (j != i) {
                laplacian(i, i) += shares(i, j);
                laplacian(i, j) = -shares(i, j);
            }
    }
    const Number all = determinant(laplacian);
    Matrix map(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            if (shares(i, j) == 0)
                continue;
            Matrix with_arc = laplacian;
            for (std::size_t c = 0; c < n; ++c)
                with_arc(i, c) = c == i ? shares(i, j) : c == j ? -shares(i, j) : 0;
            map(i, j) = determinant(with_arc) / all;
        }
    return map;
}

Matrix forward_alignment(const Matrix& scores, const Allowed& allowed, Number temperature) {
    Matrix map(scores.rows, scores.cols);
    Row before(scores.cols, never);  // ln of the weights
    before[0] = 0;
    for (std::size_t t = 0; t < map.rows; ++t) {
        Row reached(map.cols, Number(0));
        std::vector<bool> may = allowed[t];
        for (std::size_t j = 0; j < map.cols; ++j) {
            const Number arrives = log_sum(before[j], j > 0 ? before[j - 1] : never);
            may[j] = may[j] && arrives != never;
            if (may[j])
                reached[j] = scores(t, j) / temperature + arrives;
        }
        if (!has_any(may))
            continue;
        const Row logarithms = log_softmax(reached, may);
        for (std::size_t j = 0; j < map.cols; ++j) {
            before[j] = may[j] ? logarithms[j] : never;
            map(t, j) = std::exp(before[j]);
        }
    }
    return map;
}

Matrix stepwise_alignment(const Matrix& scores, const Allowed& allowed, Number temperature) {
    Matrix map(scores.rows, scores.cols);
    Row before(scores.cols, Number(0));
    before[0] = 1;
    for (std::size_t t = 0; t < map.rows; ++t) {
        if (!has_any(allowed[t]))
            continue;
        const auto stays = [&](std::size_t j) {
            return allowed[t][j] ? 1 / (1 + std::exp(-scores(t, j) / temperature)) : Number(0);
        };
        const auto goes = [&](std::size_t j) {
            return allowed[t][j] ? 1 / (1 + std::exp(scores(t, j) / temperature)) : Number(1);
        };
        for (std::size_t j = 0; j < map.cols; ++j)
            if (allowed[t][j])
                map(t, j) = before[j] * stays(j) + (j > 0 ? before[j - 1] * goes(j - 1) : 0);
        before = map.row(t);
    }
    return map;
}

}  // namespace headlight::reference
