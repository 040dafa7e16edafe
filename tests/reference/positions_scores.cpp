#include "tests/reference/positions_scores.h"

#include "tests/reference/scores.h"
#include "tests/reference/vector_norm.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

std::size_t clipped(std::size_t query, std::size_t key, std::size_t distance) {
    const long most = long(distance);
    return std::size_t(std::min(std::max(long(key) - long(query), -most), most) + most);
}

/// The columns of one head in x W.
Row of_head(const Row& x, const Matrix& W, std::size_t head, std::size_t width) {
    Row result(width, Number(0));
    for (std::size_t c = 0; c < width; ++c)
        for (std::size_t f = 0; f < x.size(); ++f)
            result[c] += x[f] * W(f, head * width + c);
    return result;
}

Row sinusoids(Number place, std::size_t width) {
    Row row;
    for (std::size_t c = 0; c < width; ++c) {
        const std::size_t first_of_pair = c - c % 2;
        const Number angle = place * std::exp(-std::log(10000.0) * Number(first_of_pair) / Number(width));
        row.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
    return row;
}

Row part_of_head(const Row& all, std::size_t head, std::size_t width) {
    return {all.begin() + long(head * width), all.begin() + long((head + 1) * width)};
}

Row sum(const Row& a, const Row& b) {
    Row result = a;
    for (std::size_t c = 0; c < a.size(); ++c)
        result[c] += b[c];
    return result;
}

}  // namespace

Matrix shaw_scores(const Head& head, const Matrix& a) {
    Matrix scores(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j)
            scores(i, j) = dot_score(head.q.row(i), a.row(clipped(i, j, (a.rows - 1) / 2)));
    return scores;
}

Matrix shaw_context(const Matrix& weights, const Matrix& a) {
    Matrix context(weights.rows, a.cols);
    for (std::size_t i = 0; i < weights.rows; ++i)
        for (std::size_t j = 0; j < weights.cols; ++j)
            for (std::size_t c = 0; c < a.cols; ++c)
                context(i, c) += weights(i, j) * a(clipped(i, j, (a.rows - 1) / 2), c);
    return context;
}

Matrix transformer_xl_scores(const Head& head, const Matrix& W_r, const Row& u, const Row& v) {
    const std::size_t d = head.q.cols;
    Matrix scores(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j) {
            const Row place = of_head(sinusoids(Number(i) - Number(j), W_r.rows), W_r, head.number, d);
            scores(i, j) = dot_score(part_of_head(u, head.number, d), head.k.row(j)) +
                           dot_score(sum(head.q.row(i), part_of_head(v, head.number, d)), place);
        }
    return scores;
}

Matrix deberta_scores(const Head& head, const DebertaRule& rule) {
    const std::size_t d = head.q.cols;
    const long k = long(rule.P.rows) / 2;
    const auto delta = [&](std::size_t from, std::size_t to) {
        const long difference = long(from) - long(to);
        if (difference <= -k)
            return std::size_t(0);
        return difference >= k ? std::size_t(2 * k - 1) : std::size_t(difference + k);
    };
    Matrix scores(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j) {
            if (rule.W_kr.rows > 0)
                scores(i, j) +=
                    dot_score(head.q.row(i), of_head(rule.P.row(delta(i, j)), rule.W_kr, head.number, d));
            if (rule.W_qr.rows > 0)
                scores(i, j) +=
                    dot_score(head.k.row(j), of_head(rule.P.row(rule.as_released ? delta(i, j) : delta(j, i)),
                                                     rule.W_qr, head.number, d));
        }
    return scores;
}

Matrix path_scores(const Head& head, const Matrix& W_path, const Matrix& W_beta, Number strength) {
    const std::size_t d = head.q.cols;
    std::vector<Matrix> reflections;
    for (std::size_t t = 0; t < head.y.rows; ++t) {
        const Row w = direction(of_head(head.y.row(t), W_path, head.number, d));
        Number logit = 0;
        for (std::size_t f = 0; f < head.y.cols; ++f)
            logit += head.y(t, f) * W_beta(f, head.number);
        const Number beta = strength * (1 + std::tanh(logit / 2));  // 2 sigmoid
        Matrix H(d, d);
        for (std::size_t r = 0; r < d; ++r)
            for (std::size_t c = 0; c < d; ++c)
                H(r, c) = (r == c ? Number(1) : Number(0)) - beta * w[r] * w[c];
        reflections.push_back(H);
    }
    Matrix scores(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j) {
            // From the key towards the query, so that the order of the products is k^T H_(j+1) ... H_i.
            Row k = head.k.row(j);
            const auto meet = [&](std::size_t t) {
                Row next(d, Number(0));
                for (std::size_t c = 0; c < d; ++c)
                    for (std::size_t r = 0; r < d; ++r)
                        next[c] += k[r] * reflections[t](r, c);
                k = next;
            };
            for (std::size_t t = j + 1; t <= i; ++t)
                meet(t);
            for (std::size_t t = j; t > i; --t)
                meet(t);
            scores(i, j) = dot_score(k, head.q.row(i));
        }
    return scores;
}

}  // namespace headlight::reference
