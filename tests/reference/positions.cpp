#include "tests/reference/positions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headlight::reference {

Number alibi_slope(std::size_t head, std::size_t heads) {
    std::size_t power = 1;
    while (power * 2 <= heads)
        power *= 2;
    if (head < power)
        return std::pow(2.0, -8.0 * static_cast<Number>(head + 1) / static_cast<Number>(power));
    const std::size_t number = 2 * (head - power);
    return std::pow(2.0, -8.0 * static_cast<Number>(number + 1) / static_cast<Number>(2 * power));
}

Matrix alibi_bias(std::size_t queries, std::size_t keys, Number slope, const std::string& form) {
    Matrix bias(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j) {
            const Number distance = static_cast<Number>(i) - static_cast<Number>(j);
            if (form == "key_only")
                bias(i, j) = slope * static_cast<Number>(j);
            else
                bias(i, j) = -slope * (form == "absolute" ? std::abs(distance) : distance);
        }
    return bias;
}

Matrix add_learned_position(const Matrix& tokens, const Matrix& table) {
    Matrix sum = tokens;
    for (std::size_t p = 0; p < sum.rows; ++p) {
        std::size_t row = p;
        Number beyond = 0;
        if (sum.rows > table.rows) {
            row = p * (table.rows - 1) / (sum.rows - 1);
            beyond = static_cast<Number>(p * (table.rows - 1) % (sum.rows - 1)) /
                     static_cast<Number>(sum.rows - 1);
        }
        for (std::size_t c = 0; c < sum.cols; ++c)
            sum(p, c) += (1 - beyond) * table(row, c) + (beyond > 0 ? beyond * table(row + 1, c) : 0);
    }
    return sum;
}

Matrix add_segments(const Matrix& tokens, const std::vector<std::size_t>& lengths, const Matrix& table) {
    Matrix sum = tokens;
    for (std::size_t p = 0; p < sum.rows; ++p) {
        std::size_t segment = 0, end = 0;
        for (const std::size_t length : lengths) {
            end += length;
            segment += p >= end ? 1 : 0;
        }
        for (std::size_t c = 0; c < sum.cols; ++c)
            sum(p, c) += table(segment, c);
    }
    return sum;
}

std::size_t t5_bucket(long key_minus_query, std::size_t buckets, std::size_t max_distance,
                      bool bidirectional) {
    const std::size_t of_side = bidirectional ? buckets / 2 : buckets;
    const std::size_t first = bidirectional && key_minus_query > 0 ? of_side : 0;
    const long distance = bidirectional ? std::abs(key_minus_query) : std::max(-key_minus_query, 0L);
    const std::size_t exact = of_side / 2;
    if (std::size_t(distance) < exact)
        return first + std::size_t(distance);
    std::size_t bucket = exact;
    while (bucket + 1 < of_side) {
        const Number share = Number(bucket + 1 - exact) / Number(of_side - exact);
        const Number start = Number(exact) * std::pow(Number(max_distance) / Number(exact), share);
        if (Number(distance) < start * (1 - 1e-12))  // on the border counts as beyond
            break;
        ++bucket;
    }
    return first + bucket;
}

Matrix kerple_bias(std::size_t queries, std::size_t keys, Number r_1, Number r_2, const std::string& form,
                   Number middle) {
    Matrix bias(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j) {
            const Number distance = std::abs(Number(j) - Number(i) - middle);
            bias(i, j) =
                form == "power" ? -r_1 * std::pow(distance, r_2) : -r_1 * std::log(1 + r_2 * distance);
        }
    return bias;
}

Matrix fire_bias(std::size_t queries, std::size_t keys, const FireRule& rule, std::size_t head) {
    const auto psi = [&](Number x) { return std::log(rule.c * x + 1); };
    Matrix bias(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j) {
            const Number share = psi(std::abs(Number(i) - Number(j))) / psi(std::max(Number(i), rule.L));
            bias(i, j) = rule.b_2[head];
            for (std::size_t unit = 0; unit < rule.W_1.size(); ++unit)
                bias(i, j) +=
                    std::max(Number(0), share * rule.W_1[unit] + rule.b_1[unit]) * rule.W_2(unit, head);
        }
    return bias;
}

Matrix distance_curves_bias(const Head& head, const Matrix& W, const Matrix& D) {
    const std::size_t first = head.number * D.rows;
    Matrix bias(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < bias.rows; ++i)
        for (std::size_t j = 0; j < bias.cols && j <= i; ++j)
            for (std::size_t b = 0; b < D.rows && i - j < D.cols; ++b) {
                Number share = 0;
                for (std::size_t f = 0; f < head.x.cols; ++f)
                    share += head.x(i, f) * W(f, first + b);
                bias(i, j) += share * D(b, i - j);
            }
    return bias;
}

Number gated_bias(Number of_bucket, const Row& x, const Matrix& W, const Row& b, Number c) {
    const auto gate = [&](std::size_t column) {
        Number logit = b[column];
        for (std::size_t f = 0; f < x.size(); ++f)
            logit += x[f] * W(f, column);
        return 1 / (1 + std::exp(-logit));
    };
    const Number update = 1 - gate(0), reset = c * gate(1) * of_bucket;
    return of_bucket + update * of_bucket + (1 - update) * reset;
}

Matrix forgetting_bias(const Head& head, const Matrix& W_f, const Row& b_f) {
    Row gates;
    for (std::size_t t = 0; t < head.y.rows; ++t) {
        Number logit = b_f[head.number];
        for (std::size_t f = 0; f < head.y.cols; ++f)
            logit += head.y(t, f) * W_f(f, head.number);
        gates.push_back(1 / (1 + std::exp(-logit)));
    }
    Matrix bias(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < bias.rows; ++i)
        for (std::size_t j = 0; j < bias.cols; ++j) {
            Number product = 1;
            for (std::size_t t = std::min(i, j) + 1; t <= std::max(i, j); ++t)
                product *= gates[t];
            bias(i, j) = std::log(product);
        }
    return bias;
}

Matrix pair_forgetting_bias(const Head& head, const Matrix& to_queries, const Matrix& to_keys,
                            std::size_t width) {
    const auto part = [&](const Matrix& tokens, const Matrix& projection, std::size_t token) {
        Row numbers(width, Number(0));
        for (std::size_t c = 0; c < width; ++c)
            for (std::size_t f = 0; f < tokens.cols; ++f)
                numbers[c] += tokens(token, f) * projection(f, head.number * width + c);
        return numbers;
    };
    Matrix bias(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < bias.rows; ++i) {
        const Row asking = part(head.x, to_queries, i);
        for (std::size_t t = 0; t < i && t < bias.cols; ++t) {
            const Number number =
                product(asking, part(head.y, to_keys, t)) / std::sqrt(static_cast<Number>(width));
            // No power overflows.
            const Number log_gate = std::min<Number>(number, 0) - std::log1p(std::exp(-std::abs(number)));
            for (std::size_t j = 0; j <= t; ++j)
                bias(i, j) += log_gate;
        }
    }
    return bias;
}

Matrix cope_bias(const Head& head, const Matrix& scaled_scores, const Matrix& e, bool everything_open) {
    Matrix bias(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < bias.rows; ++i)
        for (std::size_t j = 0; j < bias.cols; ++j) {
            Number place = 0;
            for (std::size_t t = j; t < bias.cols; ++t)
                if (everything_open || head.allowed[i][t])
                    place += 1 / (1 + std::exp(-scaled_scores(i, t)));
            place = std::min(place, Number(e.cols - 1));
            for (std::size_t p = 0; p < e.cols; ++p)
                for (std::size_t c = 0; c < e.rows; ++c)
                    bias(i, j) +=
                        std::max(Number(0), 1 - std::abs(place - Number(p))) * head.q(i, c) * e(c, p);
        }
    return bias;
}

}  // namespace headlight::reference
